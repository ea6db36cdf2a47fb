"""The script that writes how a model behind an API is asked."""

import json
from pathlib import Path

from scripts.arguments import run_script
from scripts.describe_server import main, make_arguments
from sqlrl.models.server import Price, ServerSettings
from sqlrl.records import read_json

SETTINGS = {
    "key_variable": "FAR_KEY",
    "concurrency": 8,
    "tokens_per_second": 20,
    "retries": 6,
    "price": {"input": 1, "output": 2.5},
}


def test_it_writes_what_it_was_given(tmp_path: Path):
    words = ["--settings", json.dumps(SETTINGS), "--output", str(tmp_path / "server.json")]
    assert run_script(main, make_arguments(), words) == 0
    assert read_json(tmp_path / "server.json", ServerSettings) == ServerSettings(
        "FAR_KEY", 8, 20.0, 6, Price(1.0, 2.5)
    )


def test_what_is_missing_is_named_and_nothing_is_written(tmp_path: Path, capsys):
    words = ["--settings", json.dumps({"retries": 6}), "--output", str(tmp_path / "server.json")]
    assert run_script(main, make_arguments(), words) == 2
    assert "ServerSettings needs 'key_variable'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
