"""Paired differences, whole and by part, against differences taken by hand."""

from dataclasses import replace

import pytest

from sqlrl.errors import UserError
from sqlrl.report.comparisons import compare, pairs
from sqlrl.statistics.bootstrap import BootstrapSettings
from tests.report.small import make_evidence, make_tasks

SETTINGS = BootstrapSettings(resamples=400, confidence=0.95, seed=1)
NAMES = [f"{letter}{number}" for letter in "su" for number in range(20)]


def spread_evidence(before: str, after: str, **kinds: str):
    """40 tasks, half of unseen templates (names with u); kinds change single tasks of the after side."""
    tasks = make_tasks(*NAMES)
    tasks = {name: replace(task, template_in_training=name[0] == "s") for name, task in tasks.items()}
    old = dict.fromkeys(NAMES, before)
    new = dict.fromkeys(NAMES, after) | kinds
    return make_evidence(tasks, {"base": [old] * 3, "r1": [new] * 3}, r1="base")


def test_each_checkpoint_is_compared_with_its_start_and_with_the_base_once():
    passes = [{"a": "R"}]
    evidence = make_evidence(
        make_tasks("a"),
        {"base": passes, "sft": passes, "grpo": passes, "grpo@12": passes, "arm": passes},
        sft="base",
        grpo="sft",
        arm="r9",
    )
    assert pairs(evidence) == [
        ("sft", "base"),
        ("grpo", "sft"),
        ("grpo", "base"),
        ("grpo@12", "sft"),
        ("grpo@12", "base"),
        ("arm", "base"),
    ]


def test_a_comparison_has_one_interval_a_pass_whole_seen_and_unseen():
    changed = dict.fromkeys(NAMES[::3], "RRRW")
    found = compare(spread_evidence("RWWW", "RRWW", **changed), "r1", "base", SETTINGS, 0.05)
    assert found["verdict"] == "proven better"
    assert (found["holdout_tasks"], found["seen"]["holdout_tasks"], found["unseen"]["holdout_tasks"]) == (
        40,
        20,
        20,
    )
    assert len(found["intervals"]) == len(found["unseen"]["intervals"]) == 3
    assert found["difference"] == pytest.approx((26 * 0.25 + 14 * 0.5) / 40)
    assert found["difference"] == pytest.approx(
        (found["seen"]["difference"] + found["unseen"]["difference"]) / 2
    )
    assert found["interval"][0] == min(low for low, _ in found["intervals"])
    assert found["moved"] == {"up": 40, "down": 0, "same": 0}
    assert found["differences"] == pytest.approx([found["difference"]] * 3)
    assert found["spread"] == 0


def test_learning_only_the_seen_templates_shows_in_the_unseen_verdict():
    changed = {name: "RRRW" for name in NAMES if name.startswith("s")} | {
        "s3": "RRRR",
        "u1": "RRWW",
        "u2": "WWWW",
    }
    found = compare(spread_evidence("RWWW", "RWWW", **changed), "r1", "base", SETTINGS, 0.02)
    assert found["seen"]["verdict"] == "proven better"
    assert found["unseen"]["verdict"] == "undecided"


def test_identical_replies_are_no_difference_and_of_zero_width():
    found = compare(spread_evidence("RRWW", "RRWW"), "r1", "base", SETTINGS, 0.2)
    assert found["intervals"] == [[0.0, 0.0]] * 3
    assert found["zero_width"]
    assert found["verdict"] == "no difference larger than 0.2"
    assert found["smallest_provable_gain"] is None


def test_missing_tasks_are_left_out_and_counted():
    tasks = make_tasks("a", "b", "c", unseen="abc")
    evidence = make_evidence(tasks, {"base": [{"a": "R", "b": "W"}], "r1": [{"b": "R", "c": "R"}]}, r1="base")
    found = compare(evidence, "r1", "base", SETTINGS, 0.05)
    assert (found["holdout_tasks"], found["lost_tasks"], found["difference"]) == (1, 2, 1.0)
    assert found["verdict"] == "undecided"
    assert found["seen"] is None


def test_checkpoints_without_a_common_task_are_refused():
    evidence = make_evidence(make_tasks("a", "b"), {"base": [{"a": "R"}], "r1": [{"b": "R"}]}, r1="base")
    with pytest.raises(UserError, match="r1 and base share no held-out task"):
        compare(evidence, "r1", "base", SETTINGS, 0.05)
