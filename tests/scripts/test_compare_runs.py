"""The comparison of runs from the command line."""

import json

import pytest

from scripts.arguments import run_script
from scripts.compare_runs import main, make_arguments
from tests.report.named import NamedRun, files_of_runs, write_runs


@pytest.fixture
def runs(tmp_path) -> list[NamedRun]:
    size = {"tasks": 12, "templates": 6, "passes": 1, "rates": {"base": (0.8, 1.5), "r1": (1.6, 1.2)}}
    made = [NamedRun(tmp_path / name, name=name, model=name, **size) for name in ("old", "new")]
    write_runs(*made)
    return made


def words(runs: list[NamedRun], output) -> list[str]:
    files = files_of_runs(*runs)
    found = ["--reports", *map(str, files.reports), "--tasks", *map(str, files.tasks)]
    found += ["--scores", *map(str, files.scores), "--settings", json.dumps(runs[0].settings())]
    found += ["--runs", json.dumps([run.claims() for run in runs])]
    for form in ("html", "md", "json"):
        found += [f"--output-{form}", str(output / f"comparison.{form}")]
    return found


def test_it_writes_three_files_and_says_headline_and_page(runs, tmp_path, capsys):
    assert run_script(main, make_arguments(), words(runs, tmp_path / "out")) == 0
    document = json.loads((tmp_path / "out/comparison.json").read_text())
    said = capsys.readouterr().out
    assert document["headline"]["sentence"] in said
    assert said.splitlines()[-1] == str(tmp_path / "out/comparison.html")
    assert document["headline"]["sentence"] in (tmp_path / "out/comparison.md").read_text()
    assert (tmp_path / "out/comparison.html").read_text().startswith("<!doctype html>")


def test_two_builds_are_the_same_bytes(runs, tmp_path):
    for name in ("one", "two"):
        assert run_script(main, make_arguments(), words(runs, tmp_path / name)) == 0
    for form in ("html", "md", "json"):
        file = f"comparison.{form}"
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_different_holdouts_leave_one_message_and_no_file(runs, tmp_path, capsys):
    runs[1].tasks = 10
    write_runs(runs[1])
    assert run_script(main, make_arguments(), words(runs, tmp_path / "out")) == 2
    error = capsys.readouterr().err
    assert "error: old and new have different holdouts: digest " in error
    assert "Traceback" not in error
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("given", "message"), [("{", "not JSON"), ("[]", "two runs at least"), ("[{}, {}]", "needs")]
)
def test_runs_that_are_none_are_refused(runs, tmp_path, capsys, given, message):
    found = words(runs, tmp_path / "out")
    found[found.index("--runs") + 1] = given
    assert run_script(main, make_arguments(), found) == 2
    assert message in capsys.readouterr().err
