import json
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import betabinom

from sqlrl.errors import UserError
from sqlrl.training.adaptive import AdaptiveFeed, Belief, chance_of_mixed
from sqlrl.training.settings import AdaptiveSettings
from tests.training_bench import ADAPTIVE, make_task

SETTINGS = AdaptiveSettings(**ADAPTIVE)
TASKS = [make_task(number) for number in range(40)]
GROUP = 8


def make_feed(per_step=8, seed=1, measured=(), **changes):
    settings = AdaptiveSettings(**{**ADAPTIVE, **changes})
    return AdaptiveFeed(TASKS, per_step, GROUP, seed, settings, dict(measured))


def played(feed, step, rate_of):
    """Tell the feed of a step in which every task passes at its rate, exactly."""
    tasks = feed.tasks(step)
    feed.learn(step, {task.id: (round(rate_of[task.id] * GROUP), GROUP) for task in tasks})
    return tasks


@given(st.floats(0.2, 30), st.floats(0.2, 30), st.integers(2, 16))
def test_the_chance_of_a_mixed_group_is_that_of_the_beta_binomial(passes, fails, size):
    ends = betabinom.pmf([0, size], size, passes, fails).sum()
    assert chance_of_mixed(passes, fails, size) == pytest.approx(1 - ends, abs=1e-9)
    assert chance_of_mixed(passes, fails, size) == pytest.approx(
        chance_of_mixed(fails, passes, size), abs=1e-9
    )


def test_older_groups_count_less():
    belief = Belief().after(8, 8, 0, memory=3.0).after(0, 8, 1, memory=3.0)
    assert (belief.passed, belief.failed, belief.last_step) == (pytest.approx(8 * 2 / 3), 8, 1)
    assert belief.rate(1.0) < 0.5


def test_tasks_that_are_solved_sometimes_are_asked_most():
    rates = {task.id: (0.0, 0.5, 1.0)[number % 3] for number, task in enumerate(TASKS)}
    feed = make_feed()
    asked = Counter(rates[task.id] for step in range(60) for task in played(feed, step, rates))
    late = Counter(rates[task.id] for step in range(60, 100) for task in played(feed, step, rates))
    assert asked[0.5] > 3 * (asked[0.0] + asked[1.0])
    assert late[1.0] == 0
    # A tenth of the prompts goes back to what nothing ever solved.
    assert late[0.0] == pytest.approx(0.1 * 40 * 8, abs=2)


def test_all_hopeless_tasks_are_revisited_in_turn():
    rates = {task.id: 0.5 if number < 10 else 0.0 for number, task in enumerate(TASKS)}
    feed = make_feed()
    for step in range(40):
        played(feed, step, rates)
    seen = {task.id for step in range(40, 90) for task in played(feed, step, rates) if rates[task.id] == 0}
    assert len(seen) == 30


def test_a_hopeless_task_that_is_solved_at_last_is_asked_again():
    rates = {task.id: 0.5 if number < 10 else 0.0 for number, task in enumerate(TASKS)}
    feed = make_feed()
    for step in range(40):
        played(feed, step, rates)
    learned = TASKS[20].id
    feed.learn(40, {learned: (4, GROUP)})
    asked = sum(
        learned in {task.id for task in played(feed, step, {**rates, learned: 0.5})} for step in range(41, 61)
    )
    assert asked > 5


def test_a_step_is_full_even_where_everything_is_solved_or_hopeless():
    for rate in (0.0, 1.0):
        feed = make_feed(measured={task.id: (rate * 32, 32) for task in TASKS})
        for step in range(5):
            assert len({task.id for task in feed.tasks(step)}) == 8


def test_what_the_band_has_measured_is_where_it_starts_from():
    measured = {task.id: ((4, 8) if number < 8 else (0, 32)) for number, task in enumerate(TASKS)}
    feed = make_feed(measured=measured, revisit=0.0)
    assert {task.id for task in feed.tasks(0)} == {task.id for task in TASKS[:8]}


def test_groups_are_filled_up_with_untried_tasks_within_the_budget():
    feed = make_feed(backfill=1.5)
    tried = [task.id for task in feed.tasks(0)]
    more = [task.id for task in feed.more_tasks(0, 3, tried)]
    assert len(set(more)) == 3
    assert not set(more) & set(tried)
    assert len(feed.more_tasks(0, 3, tried + more)) == 1
    assert feed.more_tasks(0, 3, [*tried, *more, "x"]) == []
    assert make_feed(backfill=1.0).more_tasks(0, 3, tried) == []


def test_a_restored_feed_goes_on_as_the_one_that_was_not_killed():
    chance = random.Random(5)
    rates = {task.id: chance.random() for task in TASKS}
    straight, killed = make_feed(), make_feed()
    for step in range(6):
        assert played(straight, step, rates) == played(killed, step, rates)
    resumed = make_feed()
    resumed.restore(json.loads(json.dumps(killed.state())))
    for step in range(6, 12):
        assert played(straight, step, rates) == played(resumed, step, rates)


def test_another_seed_draws_other_tasks():
    assert make_feed(seed=1).tasks(0) != make_feed(seed=2).tasks(0)


def test_fewer_tasks_than_a_step_is_a_fault_of_the_settings():
    with pytest.raises(UserError, match="40 training tasks are left, but prompts_per_step is 41"):
        make_feed(per_step=41)
