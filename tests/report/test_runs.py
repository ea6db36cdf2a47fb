"""Runs are compared only where they were asked the same, and only with the files that their reports counted."""

import json
from dataclasses import replace

import pytest

from sqlrl.errors import UserError
from sqlrl.records import from_dict, write_jsonl
from sqlrl.report.holdout import holdout_digest
from sqlrl.report.runs import read_runs
from sqlrl.report.settings import Claims
from tests.report.named import NamedRun, files_of_runs, read, settings_of, write_runs


@pytest.fixture
def pair(tmp_path) -> tuple[NamedRun, NamedRun]:
    """Two runs on one holdout of 12 tasks, not yet written, the test's own to spoil."""
    size = {"tasks": 12, "templates": 6, "passes": 2}
    old = NamedRun(tmp_path / "old", name="old", model="early", **size)
    rates = {"base": (0.6, 4.0), "r1": (1.2, 1.2)}
    return old, NamedRun(tmp_path / "new", name="new", model="late", rates=rates, **size)


def test_runs_are_read_in_the_order_of_their_claims_with_base_and_last_checkpoint(pair):
    write_runs(*pair)
    newer, older = read(*reversed(pair))
    assert (newer.name, older.name) == ("new", "old")
    assert list(newer.passes) == ["base", "r1"]
    assert list(older.passes) == ["base", "grpo"]
    assert (older.last, older.model["name"], older.scoring["k"]) == ("grpo", "early", 4)
    assert sorted(older.passes["base"]) == [1, 2]


def test_different_holdouts_are_refused_with_both_digests(pair):
    old, new = pair
    new.tasks = 10
    write_runs(old, new)
    digests = [holdout_digest({task.id: task for task in run.holdout})[:12] for run in (old, new)]
    with pytest.raises(UserError) as caught:
        read(old, new)
    assert f"old and new have different holdouts: digest {digests[0]} with 12 tasks, " in str(caught.value)
    assert f"digest {digests[1]} with 10" in str(caught.value)


def test_a_task_with_another_reference_makes_another_holdout(pair):
    write_runs(*pair)
    path = pair[1].folder / "run/tasks/shop-holdout.jsonl"
    first, *others = pair[1].holdout
    write_jsonl(path, [replace(first, reference_sql="SELECT 1"), *others])
    pair[1].write_origins()
    pair[1].write_report()
    with pytest.raises(UserError, match="0 tasks are in one of them alone, 1 of the others differ"):
        read(*pair)


@pytest.mark.parametrize(
    ("key", "value", "what"), [("k", 2, "samples a question"), ("passes", 1, "scoring passes")]
)
def test_runs_that_were_asked_unequally_often_are_refused(pair, key, value, what):
    setattr(pair[1], key, value)
    write_runs(*pair)
    with pytest.raises(
        UserError, match=rf"old was scored with \d {what}, new with {value}: set scoring.{key} of both"
    ):
        read(*pair)


def test_other_scores_than_the_report_counted_are_refused(pair):
    write_runs(*pair)
    path = pair[1].folder / "run/r1/scores/shop-holdout-2.jsonl"
    path.write_text(path.read_text() + "\n")
    with pytest.raises(
        UserError, match=r"r1/scores/shop-holdout-2.jsonl is not the file that .*delta_report.json was"
    ):
        read(*pair)


def test_a_missing_pass_of_the_last_checkpoint_is_named(pair):
    write_runs(*pair)
    files = files_of_runs(*pair)
    left = [path for path in files.scores if not str(path).endswith("new/run/r1/scores/shop-holdout-2.jsonl")]
    assert len(left) == len(files.scores) - 1
    asked = [from_dict(Claims, run.claims(), run.name) for run in pair]
    with pytest.raises(UserError, match=r"r1/scores/shop-holdout-2.jsonl is missing: the report counted it"):
        read_runs(replace(files, scores=left), asked, settings_of(pair[0]))


def test_data_of_another_seed_are_refused(pair):
    write_runs(*pair)
    document = json.loads(pair[1].report.read_text())
    document["provenance"]["files"]["databases/shop/twin-1.sql"] = "1" * 64
    pair[1].report.write_text(json.dumps(document))
    with pytest.raises(
        UserError, match=r"judged on different data: databases/shop/twin-1.sql has the digest none"
    ):
        read(*pair)


@pytest.mark.parametrize("what", ["model", "stages", "scoring"])
def test_a_report_of_another_configuration_is_refused(pair, what, monkeypatch):
    write_runs(*pair)
    claims = pair[1].claims()
    other = {"model": "other", "stages": {}, "scoring": {**claims["scoring"], "temperature": 0.1}}
    monkeypatch.setattr(pair[1], "claims", lambda: {**claims, what: other[what]})
    with pytest.raises(
        UserError, match=rf"new/run/delta_report.json was made with another {what} than config.yaml"
    ):
        read(*pair)


def test_a_report_with_other_statistics_is_refused(pair):
    write_runs(*pair)
    asked = [from_dict(Claims, run.claims(), run.name) for run in pair]
    settings = replace(settings_of(pair[0]), headline_databases="all")
    with pytest.raises(UserError, match=r"was made with report.headline_databases main, not all"):
        read_runs(files_of_runs(*pair), asked, settings)


def test_a_run_without_a_report_is_named(pair):
    write_runs(*pair)
    asked = [from_dict(Claims, run.claims(), run.name) for run in pair]
    with pytest.raises(UserError, match=r"no delta_report.json of the run newest; given: old, new"):
        read_runs(files_of_runs(*pair), [asked[0], replace(asked[1], run="newest")], settings_of(pair[0]))


def test_files_of_another_run_are_not_taken_for_a_runs_own(pair):
    write_runs(*pair)
    older, newer = read(*pair)
    names = [set(run.tasks) for run in (older, newer)]
    assert names[0] == names[1] == {task.id for task in pair[0].holdout}
    assert any(
        older.passes["base"][1].verdicts[task] != newer.passes["base"][1].verdicts[task] for task in names[0]
    )
