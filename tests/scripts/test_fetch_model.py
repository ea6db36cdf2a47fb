"""The script that fetches a base model."""

import json
from pathlib import Path

import pytest

from scripts.arguments import run_script
from scripts.fetch_model import main, make_arguments
from sqlrl.models.folder import read_model
from tests.tiny_models import make_model


def run(settings: dict[str, str | None], output: Path) -> int:
    words = ["--name", "tiny", "--settings", json.dumps(settings), "--output", str(output)]
    return run_script(main, make_arguments(), words)


def test_a_model_lands_beside_its_model_json(tmp_path: Path):
    source = make_model("qwen3", tmp_path / "source")
    assert run({"source": "path", "path": str(source)}, tmp_path / "model" / "model.json") == 0
    manifest = read_model(tmp_path / "model" / "model.json")
    assert manifest.name == "tiny"
    assert (tmp_path / "model" / "config.json").read_bytes() == (source / "config.json").read_bytes()


def test_bad_input_is_one_message_and_exit_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run({"source": "path", "path": "/nowhere"}, tmp_path / "model" / "model.json") == 2
    assert capsys.readouterr().err.endswith("error: /nowhere: no such folder (models: source path).\n")
    assert not (tmp_path / "model" / "model.json").exists()


def test_a_fetch_that_fails_leaves_the_model_that_was_there(tmp_path: Path):
    source = make_model("qwen3", tmp_path / "source")
    output = tmp_path / "model" / "model.json"
    run({"source": "path", "path": str(source)}, output)
    before = read_model(output)
    assert run({"source": "path", "path": "/nowhere"}, output) == 2
    assert read_model(output) == before


SERVED = {"source": "openai", "id": "big", "base_url": "http://127.0.0.1:9/v1"}


def test_a_model_behind_an_api_is_named_and_nobody_is_asked(tmp_path: Path):
    output = tmp_path / "model" / "model.json"
    assert run(SERVED, output) == 0
    manifest = read_model(output)
    assert (manifest.source, manifest.files) == ("openai", {})
    assert manifest.origin == {"id": "big", "base_url": "http://127.0.0.1:9/v1"}
    assert [path.name for path in output.parent.iterdir()] == ["model.json"]


def test_what_names_a_model_behind_an_api_decides_its_digest(tmp_path: Path):
    digests = set()
    others = ({}, {"id": "small"}, {"base_url": None}, {"source": "anthropic"})
    for number, change in enumerate(others):
        assert run(SERVED | change, tmp_path / str(number) / "model.json") == 0
        digests.add(read_model(tmp_path / str(number) / "model.json").digest)
    assert len(digests) == len(others)


def test_a_model_behind_an_api_takes_the_place_of_one_with_files(tmp_path: Path):
    source = make_model("qwen3", tmp_path / "source")
    output = tmp_path / "model" / "model.json"
    run({"source": "path", "path": str(source)}, output)
    assert run(SERVED, output) == 0
    assert [path.name for path in output.parent.iterdir()] == ["model.json"]
