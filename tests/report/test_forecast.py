"""What is foreseen at the group sizes that a run chose."""

import pytest

from sqlrl.report.forecast import GROUP_SIZES, chosen_groups, forecast, mixed_groups
from sqlrl.report.holdout import holdout_digest, ids_digest
from sqlrl.statistics.bootstrap import BootstrapSettings
from tests.report.small import make_evidence, make_pass, make_tasks

SETTINGS = BootstrapSettings(resamples=200, confidence=0.95, seed=1)


def test_each_stage_with_groups_is_told_the_share_from_what_it_starts_from():
    base, sft = {"a": "WWWW", "b": "RWWW"}, {"a": "RRWW", "b": "RWWW"}
    evidence = make_evidence(
        make_tasks("a", "b"),
        {"base": [base, base], "sft": [sft, sft], "r1": [sft, sft]},
        sft="base",
        r1="sft",
    )
    stages = {"sft": {"kind": "sft"}, "r1": {"group_size": 8}, "r2": {"group_size": 64}}
    assert chosen_groups(evidence, stages) == [
        {"stage": "r1", "from": "sft", "group_size": 8, "mixed": 1.0},
        {"stage": "r2", "from": "base", "group_size": 64, "mixed": None},
    ]


def test_asked_for_sizes_are_given_beside_the_usual_ones():
    passes = {1: make_pass({"a": "RWWWWW", "b": "RRRRRR"})}
    assert mixed_groups(passes, [3, 6, 8]) == {"3": pytest.approx(0.25), "6": pytest.approx(0.5)}
    evidence = make_evidence(make_tasks("a"), {"base": [{"a": "RWWW"}] * 2})
    assert list(forecast(evidence, SETTINGS, sorted({*GROUP_SIZES, 2}))["mixed_groups"]) == ["2", "4", "8"]


def test_the_digest_is_of_the_holdout_and_not_of_what_a_run_makes_of_it():
    tasks = make_tasks("a", "b")
    turned = dict(reversed(list(tasks.items())))
    assert holdout_digest(turned) == holdout_digest(tasks) == holdout_digest(make_tasks("a", "b", unseen="a"))
    others = [
        make_tasks("a"),
        make_tasks("a", "b", reference_sql="SELECT 1"),
        make_tasks("a", "b", database_digest="x"),
    ]
    assert len({holdout_digest(one) for one in (tasks, *others)}) == 4
    assert ids_digest("ab") == ids_digest("ba") != ids_digest("abc")
