from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlrl.authoring.split import DEV, HOLDOUT, PARTS, TRAIN, SplitSettings, part_of, position, split_tasks
from sqlrl.errors import UserError
from tests.authoring.small import task

SETTINGS = SplitSettings(dev=0.1, holdout=0.19)
IDS = st.text("0123456789abcdef", min_size=16, max_size=16)


@given(st.lists(IDS, unique=True, max_size=30), st.lists(IDS, unique=True, max_size=30))
def test_adding_tasks_never_moves_one(ids, more):
    before = {one: part_of(one, SETTINGS) for one in ids}
    tasks = [task(one, id=one) for one in {*ids, *more}]
    parts = split_tasks(tasks, SETTINGS, "tasks")
    after = {one.id: part for part in PARTS for one in parts[part]}
    assert {one: after[one] for one in ids} == before
    assert len(after) == len(tasks)


@given(IDS, st.floats(0, 0.4), st.floats(0, 0.4), st.floats(0, 0.5))
def test_a_larger_holdout_only_takes_and_dev_never_changes_it(identity, holdout, more, dev):
    small = part_of(identity, SplitSettings(dev=0.1, holdout=holdout)) == HOLDOUT
    large = part_of(identity, SplitSettings(dev=dev, holdout=min(holdout + more, 0.49))) == HOLDOUT
    assert large or not small


def test_the_shares_come_out_over_many_tasks():
    parts = [part_of(f"{number:016x}", SETTINGS) for number in range(20_000)]
    assert parts.count(HOLDOUT) / 20_000 == pytest.approx(0.19, abs=0.01)
    assert parts.count(DEV) / 20_000 == pytest.approx(0.1, abs=0.01)


def test_the_place_of_a_task_is_the_same_on_every_machine():
    assert position("6c037fa5e7ffae94") == pytest.approx(0.1202090, abs=1e-7)


@given(IDS)
def test_every_place_is_below_one(identity):
    assert 0 <= position(identity) < 1


def test_each_task_carries_its_part_and_the_order_stays():
    tasks = [task(f"question {number}") for number in range(200)]
    parts = split_tasks(tasks, SETTINGS, "tasks")
    for part in PARTS:
        assert {one.part for one in parts[part]} == {part}
        ids = [one.id for one in parts[part]]
        assert ids == [one.id for one in tasks if one.id in set(ids)]
    assert {replace(one, part=None).id for one in parts[TRAIN]} < {one.id for one in tasks}


def test_an_id_that_occurs_twice_is_an_error():
    with pytest.raises(UserError, match=r"tasks\.jsonl: id '[0-9a-f]{16}' occurs twice"):
        split_tasks([task("one"), task("One!")], SETTINGS, "tasks.jsonl")


@pytest.mark.parametrize(("dev", "holdout"), [(0.5, 0.5), (-0.1, 0.2), (0.1, 1.0)])
def test_impossible_shares_are_an_error(dev, holdout):
    with pytest.raises(UserError, match="split: dev"):
        split_tasks([], SplitSettings(dev=dev, holdout=holdout), "tasks")
