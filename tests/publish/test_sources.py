"""What is published must be what the report counted."""

import json
from dataclasses import replace

import pytest

from sqlrl.errors import UserError
from sqlrl.publish.sources import read_report, read_sources


def test_a_missing_report_is_named(tmp_path):
    with pytest.raises(UserError, match=r"delta_report\.json: no such file"):
        read_report(tmp_path / "delta_report.json", "grpo")


def test_what_is_no_report_is_named(tmp_path):
    file = tmp_path / "delta_report.json"
    for text in ("{", "[]", '{"run": "laptop"}'):
        file.write_text(text)
        with pytest.raises(UserError, match="not a delta_report"):
            read_report(file, "grpo")


@pytest.mark.parametrize("checkpoint", ["r1", "base", "grpo@12"])
def test_a_checkpoint_without_figures_is_refused_with_those_that_have_some(run, checkpoint):
    with pytest.raises(UserError, match=rf"no figures of {checkpoint}; to publish there are: sft, grpo\."):
        read_report(run.folder / "run/delta_report.json", checkpoint)


def test_replies_of_another_checkpoint_are_refused(run):
    files = run.files("sft")
    with pytest.raises(UserError, match="expected rollouts of grpo on the holdout"):
        read_sources(files, "grpo")


@pytest.mark.parametrize("kind", ["rollouts", "scores"])
def test_other_replies_than_the_report_counted_are_refused(own_run, kind):
    file = own_run.folder / f"run/grpo/{kind}/shop-holdout-1.jsonl"
    file.write_text(file.read_text() + "\n")
    with pytest.raises(
        UserError, match=r"shop-holdout-1.jsonl is not the file that .*delta_report.json was made"
    ):
        read_sources(own_run.files("grpo"), "grpo")


def test_replies_that_the_report_counted_must_all_be_given(run):
    files = run.files("grpo")
    with pytest.raises(
        UserError, match=r"grpo/rollouts/shop-holdout-2\.jsonl is missing: the report counted it"
    ):
        read_sources(replace(files, rollouts=files.rollouts[:1], scores=files.scores[:1]), "grpo")


def test_another_adapter_than_the_report_counted_is_refused(own_run):
    report = own_run.folder / "run/delta_report.json"
    document = json.loads(report.read_text())
    document["provenance"]["stages"]["grpo"]["weights"] = "0" * 64
    report.write_text(json.dumps(document))
    with pytest.raises(UserError, match="is not the adapter that"):
        read_sources(own_run.files("grpo"), "grpo")


def test_other_training_tasks_than_it_learned_from_are_refused(own_run):
    file = own_run.folder / "run/tasks/shop-train.jsonl"
    file.write_text("".join(file.read_text().splitlines(keepends=True)[1:]))
    with pytest.raises(UserError, match=r"was trained on another shop-train.jsonl"):
        read_sources(own_run.files("grpo"), "grpo")
