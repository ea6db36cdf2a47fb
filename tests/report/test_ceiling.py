"""What a perfect model could score: between what is confirmed and what is not refuted."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlrl.authoring.review import AGREEMENTS, Finding, Tally, TaskReview
from sqlrl.errors import UserError
from sqlrl.report.ceiling import ceiling_sentence, describe_ceiling
from sqlrl.statistics.bootstrap import BootstrapSettings
from tests.authoring.small import task

BOOTSTRAP = BootstrapSettings(resamples=100, confidence=0.95, seed=1)
TALLIES = {
    "agrees": Tally(4, 4, 4, 0),
    "other_answer": Tally(4, 4, 0, 4),
    "scattered": Tally(4, 4, 1, 1),
    "does_not_run": Tally(4, 0, 0, 0),
}


def ceiling(classes: list[str | None], findings: dict[int, str] | None = None) -> dict:
    tasks = [replace(task(f"Question {n}?"), template=f"{n:016x}") for n in range(len(classes))]
    reviews = {
        one.id: TaskReview(
            one.id,
            None,
            (Finding((findings or {})[n], ""),) if n in (findings or {}) else (),
            TALLIES[name] if name else None,
            name,
        )
        for n, (one, name) in enumerate(zip(tasks, classes, strict=True))
    }
    return describe_ceiling(tasks, reviews, BOOTSTRAP)


def test_scattered_counts_for_the_higher_figure_and_against_the_lower():
    found = ceiling(["agrees"] * 5 + ["scattered"] * 2 + ["does_not_run"] + ["other_answer"] * 2)
    assert found["highest"]["value"] == pytest.approx(0.8)
    assert found["lowest"]["value"] == pytest.approx(0.5)
    assert (found["refuted"], found["confirmed"], found["asked"], found["tasks"]) == (2, 5, 10, 10)


def test_a_conflict_refutes_what_a_solver_confirms_and_a_weakness_does_not():
    found = ceiling(["agrees"] * 4, {0: "conflict", 1: "empty", 2: "tie_cut"})
    assert found["highest"]["value"] == found["lowest"]["value"] == pytest.approx(0.75)


def test_without_a_solver_nothing_is_confirmed_and_only_refutations_count():
    found = ceiling([None] * 10, {3: "conflict"})
    assert found["lowest"] is None
    assert found["highest"]["value"] == pytest.approx(0.9)
    assert "1 reference is refuted" in ceiling_sentence(found)
    assert "Nobody has answered" in ceiling_sentence(found)


def test_no_refutation_does_not_prove_that_there_is_none():
    found = ceiling([None] * 20)
    low, high = found["highest"]["bound"]
    assert low == pytest.approx(0.025 ** (1 / 20))  # Clopper and Pearson, none of 20
    assert high == 1.0
    assert "100% (83 to 100%)" in ceiling_sentence(found)


@given(st.lists(st.sampled_from([*AGREEMENTS, None]), min_size=1, max_size=12))
@settings(max_examples=40, deadline=None)
def test_the_lower_figure_is_never_above_the_higher_and_one_more_refutation_lowers_it(classes):
    found = ceiling(classes)
    if found["lowest"]:
        assert found["lowest"]["value"] <= found["highest"]["value"]
    worse = ceiling([*classes[:-1], "other_answer"])
    assert worse["highest"]["value"] <= found["highest"]["value"]
    low, high = found["highest"]["interval"]
    assert 0.0 <= low <= found["highest"]["value"] <= high <= 1.0


def test_a_task_without_a_review_is_named():
    with pytest.raises(UserError, match=r"is in no review: tasks and reviews are of another build"):
        describe_ceiling([task("How many toys?")], {}, BOOTSTRAP)
