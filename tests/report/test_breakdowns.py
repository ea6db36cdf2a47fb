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


def test_a_task_is_in_the_group_of_each_of_its_tables_and_features():
    tasks = make_tasks("a", "b", "c")
    tasks["a"] = replace(tasks["a"], tables=("orders", "customers"), features=("join", "null"))
    evidence = make_evidence(
        tasks, {"base": [{"a": "W", "b": "W", "c": "W"}], "r1": [{"a": "R", "b": "W", "c": "R"}]}
    )
    customers, orders = break_down(evidence, "table", ("r1", "base"), SETTINGS)
    assert (customers["group"], customers["tasks"], customers["difference"]) == ("customers", 1, 1.0)
    assert (orders["group"], orders["tasks"], orders["difference"]) == ("orders", 3, pytest.approx(2 / 3))
    assert [one["group"] for one in break_down(evidence, "feature", ("r1", "base"), SETTINGS)] == [
        "join",
        "null",
    ]


def test_small_groups_are_marked():
    names = [f"t{number}" for number in range(25)]
    tasks = make_tasks(*names)
    for number, name in enumerate(names):
        tasks[name] = replace(
            tasks[name], style=("many", "few", "alike")[number % 3 if number < 12 else number % 2 * 2]
        )
    for name in [name for name in names if tasks[name].style == "alike"]:
        tasks[name] = replace(tasks[name], template="one")
    samples = dict.fromkeys(names, "RW")
    groups = break_down(make_evidence(tasks, {"base": [samples]}), "style", ("base", "base"), SETTINGS)
    assert {one["group"]: (one["tasks"] >= 10, one["small"]) for one in groups} == {
        "many": (True, False), "few": (False, True), "alike": (True, True),
    }  # fmt: skip


def test_of_many_groups_one_that_rose_by_chance_does_not_hold():
    names = [f"t{number}" for number in range(120)]
    tasks = {name: replace(task, style=f"s{int(name[1:]) % 12}") for name, task in make_tasks(*names).items()}
    before = dict.fromkeys(names, "RRWW")
    rising = [name for name in names if tasks[name].style == "s3"]
    after = {name: ("RRWW", "RRRW", "RWWW")[int(name[1:]) // 12 % 3] for name in names}
    some = after | dict.fromkeys(rising[:7], "RRRW") | dict.fromkeys(rising[7:], "RRWW")
    alone, among = (
        next(
            one
            for one in break_down(
                make_evidence(tasks, {"base": [before], "r1": [side]}), "style", ("r1", "base"), SETTINGS
            )
            if one["group"] == "s3"
        )
        for side in (some, some | dict.fromkeys(rising, "RRRR"))
    )
    assert (alone["alone"], alone["holds"]) == (True, False)
    assert alone["p_adjusted"] > 0.05 > alone["p"]
    assert (among["alone"], among["holds"]) == (True, True)
