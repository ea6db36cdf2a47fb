"""Two score files compared from the command line."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.arguments import run_script
from scripts.delta import main, make_arguments
from tests.report.scores import write_scores

ROOT = Path(__file__).parents[2]


@pytest.fixture
def files(tmp_path):
    names = [f"t{number:02}" for number in range(30)]
    before = write_scores(tmp_path / "before.jsonl", **dict.fromkeys(names, "WX"))
    return [str(before), str(write_scores(tmp_path / "after.jsonl", **dict.fromkeys(names, "RW")))]


def words(files, *more):
    return ["--before", files[0], "--after", files[1], "--resamples", "200", *more]


def test_it_prints_the_verdict_and_writes_every_number(files, tmp_path, capsys):
    assert run_script(main, make_arguments(), words(files, "--json", str(tmp_path / "out.json"))) == 0
    assert "Verdict: proven better" in capsys.readouterr().out
    document = json.loads((tmp_path / "out.json").read_text())
    assert document["difference"]["value"] == 0.5
    assert document["rates"]["executes"]["before"]["value"] == 0.5


def test_what_is_no_score_file_is_one_message(files, capsys):
    Path(files[1]).write_text('{"task_id": "a", "sample": 0, "verdict": "perhaps"}\n')
    assert run_script(main, make_arguments(), words(files)) == 2
    assert capsys.readouterr().err == (
        f"error: {files[1]}:1: verdict is 'perhaps'; expected match, wrong, error, true, false, 1 or 0.\n"
    )


@pytest.mark.parametrize("start", [["scripts/delta.py"], ["-m", "scripts.delta"]])
def test_it_starts_as_a_file_and_as_a_module(files, start):
    """As a file it needs the project on the path, as the environment that the Makefile makes has it."""
    done = subprocess.run(
        [sys.executable, *start, *words(files)],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "proven better" in done.stdout
    assert done.stderr == ""


def test_an_environment_of_the_makefile_has_the_project_on_its_path(tmp_path):
    venv = tmp_path / "venv"
    made = subprocess.run(
        ["make", "--silent", f"VENV={venv}", f"PYTHON={sys.executable}", f"{venv}/project.installed"],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    found = subprocess.run(
        [venv / "bin/python", "-c", "import sqlrl; print(sqlrl.__file__)"],
        cwd=tmp_path, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert found.stdout.strip() == str(ROOT / "sqlrl/__init__.py"), found.stderr
