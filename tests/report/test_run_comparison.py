"""Runs side by side: figures of their own reports, differences counted again, and no claim among many by chance."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from sqlrl.report.run_comparison import build_comparison, compare_runs
from sqlrl.statistics.multiple import holm
from tests.report.named import NamedRun, read, settings_of, write_runs


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> tuple[NamedRun, NamedRun]:
    """A weak base, and a stronger one whose training did nothing; read them, do not change their files."""
    folder = tmp_path_factory.mktemp("runs")
    size = {"tasks": 60, "templates": 30, "passes": 2}
    early = NamedRun(folder / "early", name="early", model="small", **size)
    rates = {"base": (1.6, 1.2), "r1": (1.6, 1.2)}
    late = NamedRun(folder / "late", name="late", model="large", rates=rates, max_tokens=256, **size)
    write_runs(early, late)
    return early, late


@pytest.fixture(scope="module")
def document(runs) -> dict:
    return build_comparison(read(*runs), settings_of(runs[0]))


@pytest.fixture(scope="module")
def three(tmp_path_factory) -> list[NamedRun]:
    """Three runs, each from a better base than the one before."""
    folder = tmp_path_factory.mktemp("three")
    size = {"tasks": 24, "templates": 12, "passes": 1}
    made = [
        NamedRun(folder / name, name=name, model=name, rates={"base": shape, "r1": shape}, **size)
        for name, shape in {"a": (0.4, 3.0), "b": (0.8, 1.5), "c": (1.6, 1.2)}.items()
    ]
    write_runs(*made)
    return made


def shares(run: NamedRun, checkpoint: str) -> np.ndarray:
    """Pass@1 of each pass and task, counted from the score files; shape (passes, tasks)."""
    found = []
    for path in run.paths(f"{checkpoint}/scores/*-holdout-*.jsonl"):
        scores = [json.loads(line) for line in Path(path).read_text().splitlines()]
        right = {task.id: [] for task in run.holdout}
        for one in scores:
            right[one["task_id"]].append(one["verdict"]["outcomes"]["main"]["verdict"] == "match")
        found.append([np.mean(right[task]) for task in sorted(right)])
    return np.array(found)


def test_every_checkpoint_stands_there_with_the_figures_of_its_own_report(runs, document):
    for run, described in zip(runs, document["runs"], strict=True):
        report = json.loads(run.report.read_text())
        assert [one["checkpoint"] for one in described["checkpoints"]] == list(run.rates)
        for row, reported in zip(described["checkpoints"], report["checkpoints"], strict=True):
            for rate in ("pass@1", "pass@k", "pass^k", "executes"):
                assert row[rate] == reported["all"][rate]


def test_bases_and_ends_are_compared_task_by_task(runs, document):
    early, late = runs
    assert [one["kind"] for one in document["comparisons"]] == ["bases", "ends"]
    for one, old, new in zip(document["comparisons"], ("base", "grpo"), ("base", "r1"), strict=True):
        assert one["before"] == {"run": "early", "checkpoint": old}
        assert one["after"] == {"run": "late", "checkpoint": new}
        differences = shares(late, new) - shares(early, old)
        assert one["differences"] == pytest.approx(differences.mean(axis=1), abs=1e-6)
        assert one["difference"] == pytest.approx(differences.mean(), abs=1e-6)


def test_the_headline_says_that_the_newer_base_starts_higher(document):
    sentence = document["headline"]["sentence"]
    assert document["comparisons"][0]["verdict"] == document["headline"]["verdict"] == "proven better"
    assert sentence.startswith("The newer base large starts higher than small: untrained it answers ")
    assert "of 60 held-out questions right" in sentence
    assert document["headline"]["beside"][0]["sentence"].startswith(
        "After training, late after r1 against early after grpo: "
    )


def test_a_newer_base_that_starts_lower_is_said_to(runs):
    document = build_comparison(read(*reversed(runs)), settings_of(runs[0]))
    assert document["headline"]["verdict"] == "proven worse"
    assert document["headline"]["sentence"].startswith("The newer base small starts lower than large: ")


def test_the_headline_stands_alone_and_the_others_must_hold_together(three):
    document = build_comparison(read(*three), settings_of(three[0]))
    headline = document["comparisons"].pop(document["headline"]["comparison"])
    assert headline["p_adjusted"] is None
    adjusted = holm([one["p"] for one in document["comparisons"]])
    assert [one["p_adjusted"] for one in document["comparisons"]] == pytest.approx(adjusted, abs=1e-5)


def test_a_difference_that_does_not_hold_among_all_is_undecided(three, monkeypatch):
    monkeypatch.setattr("sqlrl.report.adjustment.holm", lambda values: [0.3] * len(values))
    found = compare_runs(read(*three), settings_of(three[0]))
    strong = [one for one in found if all(low > 0 for low, _ in one["intervals"])]
    assert len(strong) > 1
    for one in strong:
        alone = (one["after"]["run"], one["before"]["run"], one["kind"]) == ("c", "a", "bases")
        words = "proven better" if alone else "undecided (proven alone, not as one of 5 comparisons)"
        assert one["verdict_sentence"] == words


def test_settings_that_differ_are_told_and_the_others_are_not(runs):
    found = build_comparison(read(*runs, late={"thinking": True}), settings_of(runs[0]))
    assert {one["key"] for one in found["settings"] if not one["equal"]} == {"max_tokens", "prompt.thinking"}
    (warning,) = found["warnings"]
    assert "prompt.thinking is none for early and true for late; max_tokens is 128 for early" in warning
    assert "temperature" not in warning


def test_costs_of_learning_and_of_scoring_add_up(document):
    for run in document["runs"]:
        costs = run["costs"]
        assert costs["training_seconds"] == 300.0 * (len(run["checkpoints"]) - 1)
        assert costs["training_seconds"] + costs["scoring_seconds"] == pytest.approx(
            costs["seconds"], abs=0.01
        )


def test_the_document_says_what_it_was_made_from(runs, document):
    made_from = document["provenance"]
    assert made_from["command"] == "snakemake compare_runs --config 'compare=[early,late]'"
    assert list(made_from["reports"]) == ["early", "late"]
    assert "base/scores/shop-holdout-1.jsonl" in made_from["files"]["late"]
    assert str(runs[0].folder) not in json.dumps(document)


def test_three_runs_give_every_newer_one_against_every_older_one(three):
    document = build_comparison(read(*three), settings_of(three[0]))
    pairs = [(one["kind"], one["before"]["run"], one["after"]["run"]) for one in document["comparisons"]]
    assert pairs == [(kind, *pair) for kind in ("bases", "ends") for pair in combinations("abc", 2)]
    headline = document["comparisons"][document["headline"]["comparison"]]
    assert (headline["before"]["run"], headline["after"]["run"]) == ("a", "c")
    assert len(document["headline"]["beside"]) == 5


def test_runs_without_training_are_compared_by_their_bases_alone(tmp_path):
    size = {"tasks": 12, "templates": 6, "passes": 1}
    made = [
        NamedRun(tmp_path / name, name=name, model=name, rates={"base": (0.8, 1.5)}, **size) for name in "ab"
    ]
    write_runs(*made)
    document = build_comparison(read(*made), settings_of(made[0]))
    assert [one["kind"] for one in document["comparisons"]] == ["bases"]


def test_two_runs_from_the_same_weights_are_told_apart_by_their_names(tmp_path):
    size = {"tasks": 12, "templates": 6, "passes": 1, "model": "same"}
    made = [NamedRun(tmp_path / name, name=name, **size) for name in ("one", "other")]
    write_runs(*made)
    document = build_comparison(read(*made), settings_of(made[0]))
    assert "one and other start from the same weights" in document["warnings"][0]
    assert (
        "The base same as run other asks it is not shown to start higher than same as run one asks it"
        in (document["headline"]["sentence"])
    )
    assert document["comparisons"][0]["zero_width"]
    assert document["comparisons"][0]["p"] == 1.0
