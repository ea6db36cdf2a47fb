from dataclasses import replace

import pytest

from sqlrl.report.breakdowns import break_down
from sqlrl.statistics.bootstrap import BootstrapSettings
from tests.report.small import make_evidence, make_tasks

SETTINGS = BootstrapSettings(resamples=200, confidence=0.95, seed=1)


def test_groups_stand_in_order_with_each_checkpoints_rate_and_the_difference():
    tasks = make_tasks("a", "b", "c", "d")
    tasks["a"] = replace(tasks["a"], difficulty="medium")
    before = {"a": "RW", "b": "WW", "c": "WW", "d": "RW"}
    after = {"a": "RW", "b": "RW", "c": "RR", "d": "RW"}
    evidence = make_evidence(tasks, {"base": [before], "r1": [after]}, r1="base")
    easy, medium = break_down(evidence, "difficulty", ("r1", "base"), SETTINGS)
    assert (easy["group"], easy["tasks"], medium["group"], medium["tasks"]) == ("easy", 3, "medium", 1)
    assert easy["pass@1"] == pytest.approx({"base": 1 / 6, "r1": 2 / 3})
    assert easy["difference"] == pytest.approx(0.5)
    assert easy["interval"][0] < 0.5 < easy["interval"][1]
    assert medium["difference"] == 0


def test_the_base_alone_has_no_difference():
    evidence = make_evidence(make_tasks("a"), {"base": [{"a": "R"}]})
    (group,) = break_down(evidence, "archetype", ("base", "base"), SETTINGS)
    assert (group["pass@1"], group["difference"], group["interval"]) == ({"base": 1.0}, None, None)


def test_a_group_that_one_side_lacks_has_no_difference():
    tasks = make_tasks("a", "b")
    tasks["a"] = replace(tasks["a"], archetype="top-n")
    evidence = make_evidence(tasks, {"base": [{"b": "W"}], "r1": [{"a": "R", "b": "R"}]}, r1="base")
    aggregation, top = break_down(evidence, "archetype", ("r1", "base"), SETTINGS)
    assert (aggregation["difference"], top["difference"]) == (1.0, None)
    assert top["pass@1"] == {"base": None, "r1": 1.0}
