"""The delta report from the command line."""

import json

import pytest

from scripts import base_benchmark
from scripts.arguments import run_script
from scripts.delta_report import main, make_arguments
from tests.report.synthetic import ROWS, SyntheticRun


@pytest.fixture
def run(tmp_path, monkeypatch) -> SyntheticRun:
    monkeypatch.setattr(
        "sqlrl.report.assemble.reference_rows",
        lambda tasks, *_: dict.fromkeys((task.id for task in tasks), ROWS),
    )
    return SyntheticRun(tmp_path / "made", tasks=24, templates=12, passes=2).write()


def test_it_writes_three_files_and_says_headline_and_page(run, tmp_path, capsys):
    assert run_script(main, make_arguments(), run.arguments(tmp_path / "out")) == 0
    document = json.loads((tmp_path / "out/delta_report.json").read_text())
    said = capsys.readouterr().out
    assert document["headline"]["sentence"] in said
    assert said.splitlines()[-1] == str(tmp_path / "out/delta_report.html")
    assert document["failures"][0]["reference_rows"] == [list(row) for row in ROWS]
    assert document["headline"]["sentence"] in (tmp_path / "out/delta_report.md").read_text()
    assert (tmp_path / "out/delta_report.html").read_text().startswith("<!doctype html>")


def test_two_builds_are_the_same_bytes(run, tmp_path):
    for name in ("one", "two"):
        assert run_script(main, make_arguments(), run.arguments(tmp_path / name)) == 0
    for file in ("delta_report.html", "delta_report.md", "delta_report.json"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_results_of_other_settings_leave_one_message_and_no_file(run, tmp_path, capsys):
    arguments = run.arguments(tmp_path / "out")
    place = arguments.index("--provenance") + 1
    arguments[place] = json.dumps({**run.claims(), "scoring": {"k": 8, "passes": 2}})
    assert run_script(main, make_arguments(), arguments) == 2
    error = capsys.readouterr().err
    assert "k = 8 in 2 scoring passes" in error
    assert "Traceback" not in error
    assert not (tmp_path / "out").exists()


def test_the_base_alone_gets_its_benchmark(run, tmp_path, capsys):
    words = [
        "--tasks",
        str(run.folder / "run/tasks/shop-holdout.jsonl"),
        "--scores",
        *run.paths("base/scores/*holdout*.jsonl"),
    ]
    words += ["--rollouts", *run.paths("base/rollouts/*.jsonl"), "--settings", json.dumps(run.settings())]
    words += ["--timings", *run.paths("base/timings/*"), "--provenance", json.dumps(run.claims())]
    words += ["--model", str(run.folder / "models/tiny/model.json"), "--group-sizes", "8", "5"]
    for kind in ("html", "json"):
        words += [f"--output-{kind}", str(tmp_path / f"base_benchmark.{kind}")]
    assert run_script(base_benchmark.main, base_benchmark.make_arguments(), words) == 0
    document = json.loads((tmp_path / "base_benchmark.json").read_text())
    assert document["headline"] in capsys.readouterr().out
    assert document["forecast"]["smallest_provable_gain"]["highest"]["gain"] > 0
    assert document["costs"]["total"]["samples"] > 0
    assert document["model"]["name"] == "tiny"
    assert document["forecast"]["group_sizes"] == [5, 8]
    assert list(document["forecast"]["mixed_groups"]) == ["4", "5", "8"]
    page = (tmp_path / "base_benchmark.html").read_text()
    assert document["headline"] in page
    assert document["holdout_digest"] in page
