"""Many comparisons in one report: what is proven alone and what still is among all of them."""

import pytest

from sqlrl.report.adjustment import adjust_comparisons, adjust_groups
from sqlrl.statistics.multiple import holm


def one(p: float, verdict: str = "proven better", seen=None, unseen=None) -> dict:
    return {
        "p": p, "verdict": verdict, "verdict_sentence": verdict, "needed_tasks": None, "seen": seen, "unseen": unseen,
    }  # fmt: skip


def part(p: float, verdict: str = "proven better") -> dict:
    found = one(p, verdict)
    del found["seen"], found["unseen"]
    return found


COMPARISONS = {
    "r1-vs-base": one(0.001, seen=part(0.004), unseen=part(0.03)),
    "r2-vs-r1": one(0.012, "proven worse", seen=part(0.6, "undecided"), unseen=None),
    "r2-vs-base": one(0.04, seen=None, unseen=part(0.02)),
}


def test_the_family_is_all_but_the_headline_and_p_values_are_holms():
    found = adjust_comparisons(COMPARISONS, "r2-vs-base", 0.95)
    family = [0.001, 0.004, 0.03, 0.012, 0.6, 0.02]
    got = [
        found["r1-vs-base"]["p_adjusted"],
        found["r1-vs-base"]["seen"]["p_adjusted"],
        found["r1-vs-base"]["unseen"]["p_adjusted"],
        found["r2-vs-r1"]["p_adjusted"],
        found["r2-vs-r1"]["seen"]["p_adjusted"],
        found["r2-vs-base"]["unseen"]["p_adjusted"],
    ]
    assert got == pytest.approx(holm(family))
    assert found["r2-vs-base"]["p_adjusted"] is None
    assert found["r2-vs-base"]["verdict"] == "proven better"
    assert list(found) == list(COMPARISONS)


def test_what_no_longer_holds_is_undecided_and_says_so():
    found = adjust_comparisons(COMPARISONS, "r2-vs-base", 0.95)
    assert found["r1-vs-base"]["verdict"] == "proven better"
    assert found["r2-vs-r1"]["verdict"] == "proven worse"
    lost = found["r1-vs-base"]["unseen"]
    assert (lost["verdict"], lost["lost_among"]) == ("undecided", 6)
    assert lost["verdict_sentence"] == "undecided (proven alone, not as one of 6 comparisons)"
    assert found["r2-vs-r1"]["unseen"] is None


def test_the_headline_alone_is_no_family():
    assert (
        adjust_comparisons({"r1-vs-base": one(0.049)}, "r1-vs-base", 0.95)["r1-vs-base"]["lost_among"] is None
    )


def group(p: float | None, low: float, high: float) -> dict:
    return {"group": "x", "p": p, "interval": None if p is None else [low, high]}


def test_groups_are_adjusted_among_those_that_could_be_tested():
    found = adjust_groups(
        [group(0.01, 0.1, 0.3), group(None, 0, 0), group(0.03, 0.01, 0.2), group(0.5, -0.1, 0.2)], 0.95
    )
    assert [one["p_adjusted"] for one in found] == pytest.approx([0.03, None, 0.06, 0.5])
    assert [(one["alone"], one["holds"]) for one in found] == [
        (True, True), (False, False), (True, False), (False, False),
    ]  # fmt: skip


def test_a_group_whose_interval_holds_zero_shows_nothing_whatever_its_p():
    (found,) = adjust_groups([group(0.01, -0.01, 0.3)], 0.95)
    assert (found["alone"], found["holds"]) == (False, False)
