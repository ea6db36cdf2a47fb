"""Rows of the whileai SDK: its own schema takes them, and its own functions find our numbers in them."""

import json
from collections.abc import Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import whileai.simulations as whileai

from scripts import export_rows
from scripts.arguments import run_script
from sqlrl.errors import UserError
from sqlrl.files import write_json
from sqlrl.publish.rows import RowFiles, read_row_sources, rows_of
from sqlrl.records import read_jsonl, write_jsonl
from sqlrl.sampling.sampler import Reply
from tests.report.synthetic import SyntheticRun
from tests.report.test_document import document_of

CHECKPOINTS = ("base", "sft", "grpo")
SCHEMA = json.loads(files("whileai").joinpath("simulations/schemas/row-v1.json").read_text())


def write_report(run: SyntheticRun, monkeypatch: pytest.MonkeyPatch, **settings: str) -> None:
    """The run's delta report, where the workflow would put it."""
    monkeypatch.setattr("sqlrl.report.assemble.reference_rows", lambda *_: {})
    chosen = {**run.settings(), **settings}
    monkeypatch.setattr(run, "settings", lambda: chosen)
    write_json(run.folder / "run/delta_report.json", document_of(run))


def report_of(run: SyntheticRun) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((run.folder / "run/delta_report.json").read_text())
    return found


def row_files(run: SyntheticRun, checkpoint: str) -> RowFiles:
    folder = run.folder / "run"
    rollouts, scores = (
        sorted((folder / checkpoint / kind).glob("*-holdout-*.jsonl")) for kind in ("rollouts", "scores")
    )
    return RowFiles(folder / "delta_report.json", [folder / "tasks/shop-holdout.jsonl"], rollouts, scores)


def rows_from(run: SyntheticRun, checkpoint: str) -> list[dict[str, Any]]:
    return list(rows_of(read_row_sources(row_files(run, checkpoint), checkpoint)))


def compare(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> dict[str, Any]:
    """The SDK's delta report; few resamples, which only its intervals notice."""
    found: dict[str, Any] = whileai.delta_report(before, after, n_boot=200, by=False)
    return found


def of_pass(rows: list[dict[str, Any]], number: int) -> list[dict[str, Any]]:
    return [row for row in rows if row["lineage"]["eval_run"] == number]


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> SyntheticRun:
    """A run of 140 tasks with its report; read it, do not change its files."""
    run = SyntheticRun(tmp_path_factory.mktemp("reported")).write()
    with pytest.MonkeyPatch.context() as monkeypatch:
        write_report(run, monkeypatch)
    return run


@pytest.fixture(scope="module")
def rows(reported: SyntheticRun) -> dict[str, list[dict[str, Any]]]:
    return {checkpoint: rows_from(reported, checkpoint) for checkpoint in CHECKPOINTS}


@pytest.fixture
def small_run(tmp_path: Path) -> SyntheticRun:
    """A run of 12 tasks, the test's own to spoil."""
    return SyntheticRun(tmp_path / "small", tasks=12, templates=6, passes=2).write()


@pytest.fixture
def own(small_run: SyntheticRun, monkeypatch: pytest.MonkeyPatch) -> SyntheticRun:
    write_report(small_run, monkeypatch)
    return small_run


@pytest.mark.parametrize("checkpoint", CHECKPOINTS)
def test_every_row_fits_the_schema_of_the_sdk(rows, checkpoint):
    validator = jsonschema.Draft202012Validator(SCHEMA)
    assert len(rows[checkpoint]) == 140 * 4 * 3
    assert [error.message for row in rows[checkpoint] for error in validator.iter_errors(row)] == []
    assert all(whileai.validate(row) == [] for row in rows[checkpoint])
    assert not validator.is_valid({**rows[checkpoint][0], "finish_reason": "tired"})


@pytest.mark.parametrize("checkpoint", CHECKPOINTS)
def test_pass_at_of_the_sdk_gives_the_reports_figures(reported, rows, checkpoint):
    figures: Mapping[str, Any] = next(
        one["all"] for one in report_of(reported)["checkpoints"] if one["checkpoint"] == checkpoint
    )
    assert whileai.pass_at(rows[checkpoint]).pass_at_1 == pytest.approx(figures["pass@1"]["value"], abs=5e-4)
    for number in (1, 2, 3):
        found = whileai.pass_at(of_pass(rows[checkpoint], number), k=4)
        ours = [figures[rate]["passes"][number - 1] for rate in ("pass@1", "pass@k", "pass^k")]
        assert [found.pass_at_1, found.pass_at_k, found.pass_pow_k] == pytest.approx(ours, abs=5e-4)


@pytest.mark.parametrize(("after", "before"), [("sft", "base"), ("grpo", "sft"), ("grpo", "base")])
def test_delta_report_of_the_sdk_gives_the_reports_paired_differences(reported, rows, after, before):
    ours = report_of(reported)["comparisons"][f"{after}-vs-{before}"]
    theirs = compare(rows[before], rows[after])
    whole = theirs["metrics"]["pass_at_1"]
    assert whole["delta"] == pytest.approx(ours["difference"], abs=5e-4)
    assert [whole["mean_a"], whole["mean_b"]] == pytest.approx(
        [ours["before_value"], ours["after_value"]], abs=5e-4
    )
    assert theirs["n_paired_tasks"] == ours["holdout_tasks"]
    assert theirs["eval_runs"] == {"before": 3, "after": 3}
    for number in (1, 2, 3):
        one = compare(of_pass(rows[before], number), of_pass(rows[after], number))
        assert one["metrics"]["pass_at_1"]["delta"] == pytest.approx(
            ours["differences"][number - 1], abs=5e-4
        )


def test_markers_are_the_other_rates_of_the_report(reported, rows):
    found = compare(rows["base"], rows["grpo"])["metrics"]
    base, last = (report_of(reported)["checkpoints"][place]["all"] for place in (0, -1))
    rates = {
        "executes": "executes",
        "truncated": "truncated",
        "right_on_main": "pass@1_main",
        "right_everywhere": "pass@1_everywhere",
    }
    for marker, rate in rates.items():
        sides = [found[f"marker:{marker}"][side] for side in ("mean_a", "mean_b")]
        assert sides == pytest.approx([base[rate]["value"], last[rate]["value"]], abs=5e-4), marker


def test_a_row_says_what_was_asked_replied_and_judged(reported, rows):
    row = next(one for one in rows["grpo"] if one["scoring_pass"] == 2 and one["sample"] == 3)
    task = next(one for one in reported.holdout if one.id == row["scenario_id"])
    reply = next(
        one
        for one in read_jsonl(reported.folder / "run/grpo/rollouts/shop-holdout-2.jsonl", Reply)
        if (one.task_id, one.sample) == (task.id, 3)
    )
    assert (row["prompt"], row["final_text"], row["rollout_index"]) == (task.question, reply.text, 7)
    assert (row["model_version"], row["run"], row["checkpoint"]) == ("laptop/grpo", "laptop", "grpo")
    assert row["sampling"] == {"temperature": 0.7, "max_tokens": 128, "model": "laptop/grpo"}
    assert (row["logprob"], row["n_tokens"], row["token_logprobs"]) == (-0.3, 2, [-0.1, -0.2])
    assert row["lineage"]["adapter_digest"] == reported.adapter("grpo").weights
    assert rows["base"][0]["model_version"] == "tiny"
    assert "adapter_digest" not in rows["base"][0]["lineage"]
    assert task.reference_sql not in json.dumps({**row, "final_text": "", "steps": [], "sql": ""})


def test_the_reason_of_a_failure_is_the_verifiers(rows):
    failed = [row for row in rows["base"] if row["reward"] == 0]
    assert {row["failure_class"] for row in failed} == {"wrong rows", "does not run", "no SQL"}
    assert any(row["reason"].startswith("undefined_column: column s.name does not exist") for row in failed)
    assert all("sql" not in row for row in failed if row["failure_class"] == "no SQL")
    assert {row["reason"] for row in rows["base"] if row["reward"] == 1} == {"match"}


def test_what_a_twin_refutes_earns_nothing_where_the_report_counts_so(tmp_path, monkeypatch):
    run = SyntheticRun(tmp_path, tasks=48, templates=24, passes=2).write()
    write_report(run, monkeypatch, headline_databases="all")
    rows = rows_from(run, "grpo")
    lucky = [row for row in rows if row["verdicts"]["main"] == "match"]
    refuted = [row for row in lucky if row["reward"] == 0]
    assert refuted
    assert {row["reason"] for row in refuted} == {"rows_differ (on twin-2)"}
    assert whileai.pass_at(rows).pass_at_1 == pytest.approx(
        report_of(run)["checkpoints"][-1]["all"]["pass@1_everywhere"]["value"], abs=5e-4
    )


def test_a_model_behind_an_api_gives_rows_without_probabilities(small_run, monkeypatch):
    for path in map(Path, small_run.paths("base/rollouts/*.jsonl")):
        write_jsonl(path, [replace(one, token_ids=(), logprobs=()) for one in read_jsonl(path, Reply)])
    small_run.write_origins()
    write_report(small_run, monkeypatch)
    row = rows_from(small_run, "base")[0]
    assert not {"logprob", "n_tokens", "token_logprobs"} & row.keys()
    jsonschema.validate(row, SCHEMA)


def test_the_script_writes_a_row_a_line(own, tmp_path):
    found = row_files(own, "sft")
    words = ["--checkpoint", "sft", "--report", str(found.report), "--tasks", *map(str, found.tasks)]
    words += ["--rollouts", *map(str, found.rollouts), "--scores", *map(str, found.scores)]
    output = tmp_path / "rows/sft.jsonl"
    assert run_script(export_rows.main, export_rows.make_arguments(), [*words, "--output", str(output)]) == 0
    lines = output.read_text().splitlines()
    assert [json.loads(line) for line in lines] == rows_from(own, "sft")
    assert len(lines) == 12 * 4 * 2


@pytest.mark.parametrize("kind", ["rollouts", "scores"])
def test_other_files_than_the_report_counted_are_refused(own, kind):
    path = own.folder / f"run/sft/{kind}/shop-holdout-1.jsonl"
    path.write_text(path.read_text() + "\n")
    with pytest.raises(
        UserError, match=rf"{kind}/shop-holdout-1.jsonl is not the file that .* was made from"
    ):
        read_row_sources(row_files(own, "sft"), "sft")


def test_files_of_another_checkpoint_and_missing_passes_are_refused(own):
    with pytest.raises(UserError, match="expected rollouts of grpo on the holdout"):
        read_row_sources(row_files(own, "sft"), "grpo")
    found = row_files(own, "sft")
    with pytest.raises(UserError, match=r"shop-holdout-2\.jsonl is missing: the report counted it"):
        read_row_sources(replace(found, rollouts=found.rollouts[:1], scores=found.scores[:1]), "sft")
