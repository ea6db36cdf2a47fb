from collections import Counter

import pytest

from sqlrl.errors import UserError
from sqlrl.training.feed import SweepFeed
from tests.training_bench import make_task

TASKS = [make_task(number) for number in range(11)]


def test_a_step_is_a_function_of_seed_and_step_alone():
    first, second = SweepFeed(TASKS, 4, 1, "batch_size"), SweepFeed(TASKS[::-1], 4, 1, "batch_size")
    later = [second.tasks(step) for step in (5, 0, 3)]
    assert later == [first.tasks(step) for step in (5, 0, 3)]
    assert SweepFeed(TASKS, 4, 2, "batch_size").tasks(0) != first.tasks(0)


def test_no_task_comes_twice_in_a_pass_and_passes_differ():
    feed = SweepFeed(TASKS, 4, 1, "batch_size")
    passes = [[task.id for step in (2 * n, 2 * n + 1) for task in feed.tasks(step)] for n in range(6)]
    assert all(len(set(one)) == 8 for one in passes)
    assert len({tuple(one) for one in passes}) == 6
    assert len(Counter(id for one in passes for id in one)) == 11


def test_fewer_tasks_than_a_step_is_a_fault_of_the_settings():
    with pytest.raises(UserError, match=r"3 training tasks .* batch_size is 4"):
        SweepFeed(TASKS[:3], 4, 1, "batch_size")


def test_a_sweep_remembers_nothing_and_fills_nothing_up():
    feed = SweepFeed(TASKS, 4, 1, "batch_size")
    before = feed.tasks(3)
    feed.learn(2, {before[0].id: (0, 8)})
    feed.restore(feed.state())
    assert feed.tasks(3) == before
    assert feed.more_tasks(3, 4, []) == []
