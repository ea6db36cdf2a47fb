"""Intervals over seeds and tasks at once: against theory, in simulated coverage, and in what they must not prove."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sqlrl.statistics.bootstrap import BootstrapSettings, Interval, interval
from sqlrl.statistics.crossed import CrossedEstimate, crossed_interval, honest_crossed
from sqlrl.statistics.verdict import judge_intervals

SETTINGS = BootstrapSettings(resamples=600, confidence=0.95, seed=7)
MARGIN = 0.05


def differences(
    rng, effect: float, seed_sd: float, template_sd: float, noise_sd: float, tasks: int = 64, seeds: int = 3
) -> tuple[np.ndarray, list[str]]:
    """Differences of an arm and the control as seeds, templates and samples make them; 40 templates."""
    templates = np.concatenate([np.arange(40), rng.integers(0, 40, tasks - 40)])
    values = effect + rng.normal(0, seed_sd, seeds)[:, None] + rng.normal(0, template_sd, 40)[templates]
    return values + rng.normal(0, noise_sd, (seeds, tasks)), [str(one) for one in templates]


def estimates(runs: int, effect: float, *spreads: float) -> list[CrossedEstimate]:
    rng = np.random.default_rng(11)
    return [crossed_interval(*differences(rng, effect, *spreads), SETTINGS) for _ in range(runs)]


def verdict(estimate: CrossedEstimate) -> str:
    return judge_intervals([honest_crossed(estimate, SETTINGS)], MARGIN)


@pytest.mark.parametrize(
    "spreads", [(0.05, 0.0, 0.3), (0.0, 0.2, 0.3), (0.05, 0.2, 0.3), (0.1, 0.05, 0.05), (0.0, 0.0, 0.3)]
)
def test_the_interval_covers_the_truth_whatever_the_spread_comes_from(spreads):
    found = [one.headline for one in estimates(250, 0.02, *spreads)]
    assert np.mean([one.low <= 0.02 <= one.high for one in found]) >= 0.915


def test_three_seeds_that_differ_are_too_few_to_resample_alone():
    found = estimates(250, 0.0, 0.1, 0.05, 0.05)
    assert np.mean([one.crossed.low <= 0 <= one.crossed.high for one in found]) < 0.85
    assert all(one.headline == one.over_seeds for one in found[:20])


def test_a_planted_effect_is_found():
    assert np.mean([verdict(one) == "proven better" for one in estimates(100, 0.2, 0.02, 0.1, 0.3)]) > 0.9
    assert np.mean([verdict(one) == "proven worse" for one in estimates(100, -0.2, 0.02, 0.1, 0.3)]) > 0.9


def test_no_effect_is_rarely_called_proven():
    for spreads in ((0.05, 0.1, 0.3), (0.0, 0.0, 0.3), (0.08, 0.02, 0.05)):
        proven = np.mean(["proven" in verdict(one) for one in estimates(200, 0.0, *spreads)])
        assert proven <= 0.075


def test_a_small_effect_on_few_tasks_stays_undecided():
    assert np.mean([verdict(one) == "undecided" for one in estimates(100, 0.02, 0.03, 0.1, 0.3)]) > 0.9


def test_many_alike_tasks_and_seeds_show_that_nothing_differs():
    rng = np.random.default_rng(2)
    values = rng.normal(0, 0.1, (3, 4000))
    found = crossed_interval(values, [str(number) for number in range(4000)], SETTINGS)
    assert verdict(found) == f"no difference larger than {MARGIN}"


def test_where_all_seeds_agree_tasks_alone_make_the_interval():
    rng = np.random.default_rng(4)
    row = rng.normal(0.1, 0.3, 400)
    names = [str(number) for number in range(400)]
    found = crossed_interval(np.stack([row] * 3), names, BootstrapSettings(4000, 0.95, 1))
    alone = interval(row, BootstrapSettings(4000, 0.95, 1)).by_task
    assert (found.crossed.low, found.crossed.high) == pytest.approx((alone.low, alone.high), abs=0.006)
    assert found.over_seeds.width == pytest.approx(0, abs=1e-12)


def test_the_interval_over_seeds_is_students():
    values = np.array([[0.1, 0.3], [0.0, 0.2], [0.5, 0.1]])
    found = crossed_interval(values, ["a", "b"], SETTINGS)
    means = values.mean(axis=1)
    expected = stats.t.interval(0.95, 2, means.mean(), stats.sem(means))
    assert (found.over_seeds.low, found.over_seeds.high) == pytest.approx(expected)
    assert found.by_seed == pytest.approx(tuple(means))


def test_the_variance_is_that_of_owens_theorem():
    """Owen 2007: seeds' and tasks' variances, each less one unit's share, and that of the cells thrice."""
    rng = np.random.default_rng(9)
    values = rng.normal(0, 0.3, (12, 300))
    names = [str(number) for number in range(300)]
    found = crossed_interval(values, names, BootstrapSettings(4000, 0.95, 1)).crossed
    expected = 2 * 1.96 * np.sqrt(3 * 0.3**2 / values.size)
    assert found.width == pytest.approx(expected, rel=0.1)


def test_copies_of_a_task_do_not_narrow_the_interval():
    values, names = differences(np.random.default_rng(5), 0.1, 0.0, 0.3, 0.1)
    alone = crossed_interval(values, names, SETTINGS).crossed
    copied = crossed_interval(
        np.repeat(values, 5, axis=1), [one for one in names for _ in range(5)], SETTINGS
    )
    assert copied.crossed.width == pytest.approx(alone.width, rel=0.02)


@given(
    st.lists(
        st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0]), min_size=6, max_size=6),
        min_size=2,
        max_size=4,
    )
)
def test_arm_against_control_is_control_against_arm_mirrored(rows):
    settings = BootstrapSettings(resamples=100, confidence=0.95, seed=3)
    names = ["a", "a", "b", "c", "c", "d"]
    one = crossed_interval(rows, names, settings)
    other = crossed_interval(-np.array(rows), names, settings)
    assert other.value == pytest.approx(-one.value, abs=1e-12)
    for ours, theirs in ((one.crossed, other.crossed), (one.over_seeds, other.over_seeds)):
        assert (theirs.low, theirs.high) == pytest.approx((-ours.high, -ours.low), abs=1e-12)
    assert one.crossed.low - 1e-12 <= one.value <= one.crossed.high + 1e-12 or len(set(map(tuple, rows))) > 1


@given(st.permutations(range(6)))
def test_the_order_of_tasks_changes_nothing(order):
    settings = BootstrapSettings(resamples=100, confidence=0.95, seed=3)
    values, names = np.random.default_rng(0).normal(size=(3, 6)), list("aabccd")
    one = crossed_interval(values, names, settings).crossed
    other = crossed_interval(values[:, order], [names[place] for place in order], settings).crossed
    assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-12)


def test_the_same_seed_gives_the_same_interval():
    values, names = differences(np.random.default_rng(5), 0.1, 0.1, 0.1, 0.1)
    assert crossed_interval(values, names, SETTINGS) == crossed_interval(values, names, SETTINGS)


def test_equal_everywhere_claims_only_what_so_many_tasks_could_show():
    few = crossed_interval(np.zeros((3, 20)), [str(number) for number in range(20)], SETTINGS)
    assert few.headline == Interval(0.0, 0.0)
    assert verdict(few) == "undecided"
    many = crossed_interval(np.zeros((3, 400)), [str(number) for number in range(400)], SETTINGS)
    assert verdict(many) == f"no difference larger than {MARGIN}"


@pytest.mark.parametrize(
    ("values", "clusters"),
    [([[0.1]], ["a"]), ([[], []], []), ([[0.1], [float("nan")]], ["a"]), ([[0.1], [0.2]], ["a", "b"])],
)
def test_what_has_no_interval_is_refused(values, clusters):
    with pytest.raises(ValueError, match=r"needs|finite"):
        crossed_interval(values, clusters, SETTINGS)
