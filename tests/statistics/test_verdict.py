"""The four verdicts and what each one needs."""

import numpy as np
import pytest

from sqlrl.statistics.bootstrap import BootstrapSettings, Estimate, Interval, interval
from sqlrl.statistics.verdict import Verdict, hold_among, judge_difference

SETTINGS = BootstrapSettings(resamples=2000, confidence=0.95, seed=7)


def one_pass(
    low: float, high: float, clustered: tuple[float, float] | None = None, tasks: int = 140
) -> Estimate:
    by_cluster = Interval(*clustered) if clustered else None
    return Estimate((low + high) / 2, 0.3, Interval(low, high), by_cluster, tasks, None)


def verdict(*passes: Estimate) -> str:
    return judge_difference(passes, 0.03, 0.95).words


def test_proven_needs_every_pass():
    assert verdict(one_pass(0.01, 0.1), one_pass(0.02, 0.1), one_pass(0.001, 0.09)) == "proven better"
    assert verdict(one_pass(0.01, 0.1), one_pass(0.02, 0.1), one_pass(-0.001, 0.09)) == "undecided"
    assert verdict(one_pass(-0.2, -0.1), one_pass(-0.2, -0.01)) == "proven worse"
    assert verdict(one_pass(-0.2, -0.1), one_pass(0.1, 0.2)) == "undecided"


def test_an_interval_that_touches_zero_proves_nothing():
    assert verdict(one_pass(0.0, 0.1)) == "undecided"


def test_the_wider_interval_decides():
    assert verdict(one_pass(0.02, 0.1, clustered=(-0.01, 0.13))) == "undecided"
    assert verdict(one_pass(-0.01, 0.13, clustered=(0.02, 0.1))) == "undecided"


def test_no_difference_needs_every_interval_within_the_margin():
    assert verdict(one_pass(-0.02, 0.03), one_pass(-0.03, 0.01)) == "no difference larger than 0.03"
    assert verdict(one_pass(-0.02, 0.03), one_pass(-0.031, 0.01)) == "undecided"


def test_a_real_difference_within_the_margin_is_still_proven():
    assert verdict(one_pass(0.001, 0.02)) == "proven better"


def test_undecided_says_how_many_tasks_would_decide_and_that_is_more_than_there_are():
    found = judge_difference([one_pass(-0.01, 0.09), one_pass(0.001, 0.1)], 0.03, 0.95)
    assert found.needed_tasks == pytest.approx((2.8016 * 0.3 / 0.04) ** 2, rel=0.01)
    assert found.sentence == "undecided (needs about 440 tasks)"
    barely = judge_difference([one_pass(-0.0001, 0.4)], 0.03, 0.95)
    assert barely.needed_tasks is not None
    assert barely.needed_tasks > 140


def test_passes_that_disagree_on_the_side_name_no_number_of_tasks():
    assert judge_difference([one_pass(-0.1, 0.05), one_pass(-0.05, 0.1)], 0.03, 0.95).sentence == "undecided"


@pytest.mark.parametrize(
    ("tasks", "difference", "expected"),
    [
        (1, 1.0, "undecided"),
        (3, 0.25, "undecided"),
        (140, 1.0, "proven better"),
        (140, -0.5, "proven worse"),
        (140, 0.0, "no difference larger than 0.03"),
        (20, 0.0, "undecided"),
    ],
)
def test_a_zero_width_interval_claims_only_what_its_tasks_could_show(tasks, difference, expected):
    assert verdict(interval([difference] * tasks, SETTINGS)) == expected


def test_a_true_null_is_rarely_called_proven():
    rng = np.random.default_rng(11)
    calls = [verdict(interval(rng.normal(0, 0.3, 140), SETTINGS)) for _ in range(200)]
    assert sum("proven" in call for call in calls) <= 20


def test_a_verdict_needs_a_pass_and_a_margin():
    for passes, margin in (([], 0.03), ([one_pass(0, 1)], 0.0)):
        with pytest.raises(ValueError, match="at least one scoring pass"):
            judge_difference(passes, margin, 0.95)


def test_a_decided_verdict_is_its_own_sentence():
    assert Verdict("proven better").sentence == "proven better"


def test_what_is_proven_alone_and_not_among_many_is_undecided():
    alone = Verdict("proven better")
    assert hold_among(alone, 0.049, 9, 0.95) == alone
    lost = hold_among(alone, 0.051, 9, 0.95)
    assert lost.words == "undecided"
    assert lost.sentence == "undecided (proven alone, not as one of 9 comparisons)"
    for other in (Verdict("undecided", 300), Verdict("no difference larger than 0.05")):
        assert hold_among(other, 1.0, 9, 0.95) == other
