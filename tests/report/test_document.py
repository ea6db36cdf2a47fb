"""The whole document against figures counted again from the files."""

import json
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from sqlrl.records import from_dict
from sqlrl.report.assemble import Report, ReportFiles, assemble
from sqlrl.report.document import rounded
from sqlrl.report.settings import Claims, ReportSettings
from tests.report.synthetic import SyntheticRun


def files_of(run: SyntheticRun) -> ReportFiles:
    folder = run.folder

    def paths(pattern: str) -> list[Path]:
        return [Path(path) for path in run.paths(pattern)]

    return ReportFiles(
        tasks=[folder / "run/tasks/shop-holdout.jsonl"],
        dev_tasks=[folder / "run/tasks/shop-dev.jsonl"],
        databases=[],
        catalogs=[folder / "databases/shop/main.json"],
        model=folder / "models/tiny/model.json",
        adapters=[folder / f"run/{stage}/adapter/adapter.json" for stage in run.parents()],
        parity=paths("*/parity.json"),
        training_logs=paths("*/training_log.jsonl"),
        timings=paths("*/timings/*.json"),
        rollouts=paths("*/rollouts/*.jsonl"),
        scores=paths("*/scores/*.jsonl"),
    )


def report_of(run: SyntheticRun) -> Report:
    settings = from_dict(ReportSettings, run.settings(), "settings")
    return assemble(files_of(run), settings, from_dict(Claims, run.claims(), "claims"))


def document_of(run: SyntheticRun) -> dict:
    return report_of(run).document


@pytest.fixture(scope="module")
def document(whole_run):
    return document_of(whole_run)


def counted(run: SyntheticRun, checkpoint: str, scoring: int) -> dict[str, list[bool]]:
    found = defaultdict(list)
    path = run.folder / f"run/{checkpoint}/scores/shop-holdout-{scoring}.jsonl"
    for line in map(json.loads, path.read_text().splitlines()):
        found[line["task_id"]].append(line["verdict"]["outcomes"]["main"]["verdict"] == "match")
    return found


def test_rates_are_those_counted_from_the_score_files(whole_run, document):
    for row in document["checkpoints"]:
        passes = [counted(whole_run, row["checkpoint"], scoring) for scoring in (1, 2, 3)]
        shares = [np.mean([np.mean(samples) for samples in one.values()]) for one in passes]
        ever = np.mean([np.mean([any(samples) for samples in one.values()]) for one in passes])
        always = np.mean([np.mean([all(samples) for samples in one.values()]) for one in passes])
        figures = row["all"]
        assert figures["pass@1"]["passes"] == pytest.approx(shares, abs=1e-6)
        assert figures["pass@1"]["value"] == pytest.approx(np.mean(shares), abs=1e-6)
        assert figures["pass@k"]["value"] == pytest.approx(ever, abs=1e-6)
        assert figures["pass^k"]["value"] == pytest.approx(always, abs=1e-6)
        low, high = figures["pass@1"]["interval"]
        assert low < figures["pass@1"]["value"] < high


def test_seen_and_unseen_figures_are_of_the_tasks_said(whole_run, document):
    unseen = {task.id for task in whole_run.holdout if not task.template_in_training}
    row = document["checkpoints"][-1]
    passes = [counted(whole_run, "grpo", scoring) for scoring in (1, 2, 3)]
    expected = np.mean([np.mean([np.mean(one[task]) for task in unseen]) for one in passes])
    assert row["unseen"]["pass@1"]["value"] == pytest.approx(expected, abs=1e-6)
    assert row["unseen"]["pass@1"]["tasks"] == len(unseen) == document["asked"]["unseen_tasks"]


def test_every_comparison_has_its_verdict_and_an_interval_a_pass(document):
    assert list(document["comparisons"]) == ["sft-vs-base", "grpo-vs-sft", "grpo-vs-base"]
    for one in document["comparisons"].values():
        for part in (one, one["seen"], one["unseen"]):
            assert len(part["intervals"]) == 3
            assert {"verdict", "holdout_tasks", "difference"} <= part.keys()
    whole = document["comparisons"]["grpo-vs-base"]
    assert whole["verdict"] == "proven better"
    assert whole["difference"] == pytest.approx(
        document["checkpoints"][2]["all"]["pass@1"]["value"]
        - document["checkpoints"][0]["all"]["pass@1"]["value"],
        abs=1e-5,
    )


def test_the_headline_tells_the_last_stage_against_base_start_and_unseen_shapes(document):
    headline = document["headline"]
    assert headline["comparison"] == "grpo-vs-base"
    assert headline["sentence"].startswith("After sft and grpo the model answers ")
    assert headline["sentence"].endswith(": proven better.")
    assert headline["beside"][0]["sentence"].startswith("The last stage alone, grpo against sft: +")
    assert "never trained on, grpo against sft" in headline["beside"][1]["sentence"]


def test_two_builds_differ_in_costs_alone(whole_run, document, tmp_path):
    again = document_of(whole_run)
    assert json.dumps(again) == json.dumps(document)
    slower = SyntheticRun(tmp_path).write()
    path = slower.folder / "run/sft/timings/train.json"
    path.write_text(path.read_text().replace("300.0", "999.5"))
    other = document_of(slower)
    assert other.pop("costs") != document["costs"]
    assert json.dumps(other) == json.dumps({key: value for key, value in document.items() if key != "costs"})


def test_the_document_holds_no_path_and_no_time_outside_costs(whole_run, document):
    text = json.dumps({key: value for key, value in document.items() if key != "costs"})
    assert str(whole_run.folder) not in text
    assert "somewhere" not in json.dumps(document)
    assert "seconds" not in text.replace("statement_timeout_seconds", "")


def test_the_base_alone_makes_a_document_too(tmp_path):
    document = document_of(SyntheticRun(tmp_path, rates={"base": (0.3, 6.0)}, tasks=12, templates=6).write())
    assert document["comparisons"] == {}
    assert document["headline"]["verdict"] is None


@pytest.mark.parametrize("shape", [(50.0, 1e-6), (1e-6, 50.0)])
def test_all_pass_and_all_fail_give_zero_width_intervals_that_are_said_to_be_so(tmp_path, shape):
    rates = {"base": shape, "sft": shape}
    document = document_of(SyntheticRun(tmp_path, rates=rates, tasks=30, templates=10, passes=1).write())
    figures = document["checkpoints"][1]["all"]["pass@1"]
    assert figures["value"] == float(shape[0] > 1)
    assert figures["zero_width"]
    assert figures["bound"] == pytest.approx([0.884, 1.0] if shape[0] > 1 else [0.0, 0.116], abs=0.001)
    assert document["comparisons"]["sft-vs-base"]["verdict"] == "undecided"
    assert any("zero width" in warning for warning in document["warnings"])


def test_floats_are_rounded_and_minus_zero_is_zero():
    assert json.dumps(rounded({"a": [0.12345678, -0.0000001], "b": (1, "x", None)})) == (
        '{"a": [0.123457, 0.0], "b": [1, "x", null]}'
    )
