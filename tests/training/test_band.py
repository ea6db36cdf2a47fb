import dataclasses

import pytest

from sqlrl.errors import UserError
from sqlrl.sampling.sampler import Reply
from sqlrl.training.band import (
    BandSettings,
    BandTask,
    choose_tasks,
    count_passed,
    describe,
    in_band,
    judge_replies,
    keep_all,
    make_band,
)
from sqlrl.verifier.reward import Outcome, Verdict
from tests.training_bench import make_task

TASKS = [make_task(number) for number in range(6)]
SETTINGS = BandSettings(True, 0.25, 0.75, 4, None, 1.0, 16, 8, 1)


def passed(*counts):
    return {task.id: count for task, count in zip(TASKS, counts, strict=True)}


def test_the_band_keeps_pass_rates_between_its_bounds_ends_included():
    band = make_band(TASKS, passed(0, 1, 2, 3, 4, 0), SETTINGS)
    assert [one.kept for one in band] == [False, True, True, True, False, False]
    assert [task.id for task in in_band(TASKS, band)] == [task.id for task in TASKS[1:4]]


@pytest.mark.parametrize(("count", "advice"), [(0, "too weak"), (4, "solves these already")])
def test_an_empty_band_says_the_distribution_and_what_to_change(count, advice):
    with pytest.raises(UserError, match=rf"{count}/4: 6 tasks.*{advice}"):
        make_band(TASKS, passed(*[count] * 6), SETTINGS)


def test_which_tasks_are_measured_does_not_depend_on_the_other_tasks():
    two = dataclasses.replace(SETTINGS, tasks=2)
    chosen = choose_tasks(TASKS, two)
    assert choose_tasks(TASKS[::-1], two) == chosen
    others = [task for task in TASKS if task not in chosen]
    assert choose_tasks([*chosen, others[0]], two) == chosen
    assert choose_tasks(TASKS, dataclasses.replace(SETTINGS, tasks=None, seed=2)) != choose_tasks(
        TASKS, SETTINGS
    )


def test_a_reply_passes_when_it_matches_on_main_whatever_it_is_paid():
    def judge(submissions):
        outcomes = [
            {
                "main": Outcome("match" if one.reply == "right" else "wrong", "x"),
                "twin-1": Outcome("wrong", "x"),
            }
            for one in submissions
        ]
        return [Verdict(None, found, 0.1) for found in outcomes]

    replies = [
        Reply(TASKS[n].id, sample, text, (1,), (0.0,), "stop", 1, 1)
        for n, texts in enumerate([["right", "no"], ["right", "right"]])
        for sample, text in enumerate(texts)
    ]
    verdicts = judge_replies(TASKS[:2], replies, judge)
    assert count_passed(TASKS[:2], replies, verdicts) == {TASKS[0].id: 1, TASKS[1].id: 2}


def test_a_band_that_is_off_keeps_every_task():
    assert in_band(TASKS, keep_all(TASKS)) == TASKS


def test_a_band_of_other_tasks_is_refused():
    with pytest.raises(UserError, match="not among the training tasks"):
        in_band(TASKS[1:], [BandTask(TASKS[0].id, 2, 4, True)])


def test_the_distribution_is_said_in_words():
    assert (
        describe(make_band(TASKS, passed(0, 0, 1, 1, 1, 4), SETTINGS))
        == "0/4: 2 tasks, 1/4: 3 tasks, 4/4: 1 tasks"
    )
