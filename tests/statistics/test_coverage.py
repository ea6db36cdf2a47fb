"""The simulated coverage against coverage that is known, and the fitted rates against those they were made from."""

import numpy as np
import pytest
from scipy import stats

from sqlrl.statistics.bootstrap import BootstrapSettings, interval
from sqlrl.statistics.coverage import difference_coverage, fit_rates, mean_coverage
from tests.statistics.simulation import coverage

ALONE = [str(number) for number in range(400)]


@pytest.fixture
def rng():
    return np.random.default_rng(2)


def test_the_fit_finds_the_rates_that_the_counts_came_from(rng):
    passed = rng.binomial(4, rng.beta(0.6, 1.4, 20_000))
    found = fit_rates(passed, 4, [str(number) for number in range(20_000)])
    assert found.mean == pytest.approx(0.3, abs=0.01)
    assert found.spread == pytest.approx(0.3 * 0.7 / 3, rel=0.05)
    assert np.quantile(found.quantiles, [0.25, 0.75]) == pytest.approx(
        stats.beta.ppf([0.25, 0.75], 0.6, 1.4), abs=0.02
    )
    assert found.alike < 0.05


def test_the_fit_sees_that_tasks_of_one_template_are_alike(rng):
    rates = np.repeat(rng.beta(1, 1, 300), 3)
    names = [str(number) for number in range(300) for _ in range(3)]
    assert fit_rates(rng.binomial(8, rates), 8, names).alike > 0.9
    assert fit_rates(rng.binomial(8, rng.beta(1, 1, 900)), 8, names).alike < 0.15


def test_many_tasks_of_middling_rates_are_covered_as_often_as_said(rng):
    found = mean_coverage(rng.binomial(8, rng.beta(2, 2, 400)), 8, ALONE, 0.95, seed=1)
    assert found.runs == 2000
    assert found.standard_error == pytest.approx(np.sqrt(found.share * (1 - found.share) / 2000))
    assert 0.94 <= found.share <= 0.965


def test_few_tasks_that_rarely_pass_are_covered_as_rarely_as_a_simulation_of_the_interval_itself_finds(rng):
    """Against the coverage of bootstrap.interval, called run by run on rates of the same distribution."""
    settings = BootstrapSettings(resamples=1000, confidence=0.95, seed=1)
    many = rng.binomial(4, rng.beta(0.3, 2.7, 25 * 400))
    fitted = fit_rates(many, 4, [str(number) for number in range(many.size)])
    assert fitted.mean == pytest.approx(0.1, abs=0.01)
    expected = coverage(rng, 1500, 25, 0.3, 2.7, lambda values: interval(values, settings).by_task)
    ranked = np.round(4 * stats.beta.ppf((np.arange(25) + 0.5) / 25, 0.3, 2.7)).astype(int)
    found = mean_coverage(ranked, 4, ALONE[:25], 0.95, seed=1)
    assert expected < 0.92
    assert found.share == pytest.approx(expected, abs=0.05)
    assert found.share < 0.94


def test_the_same_seed_gives_the_same_figure(rng):
    passed = rng.binomial(4, rng.beta(0.4, 0.6, 60))
    one, same, other = (mean_coverage(passed, 4, ALONE[:60], 0.95, seed) for seed in (1, 1, 2))
    assert one == same != other


def test_paired_differences_are_covered_too_and_their_pairing_counts(rng):
    rates = rng.beta(1, 1, 140)
    before, after = rng.binomial(12, rates), rng.binomial(12, np.minimum(1, rates + 0.1))
    found = difference_coverage(before, after, 12, 4, ALONE[:140], 0.95, seed=1)
    assert 0.925 <= found.share <= 0.97
    apart = difference_coverage(before, rng.permutation(after), 12, 4, ALONE[:140], 0.95, seed=1)
    assert apart != found


def test_one_side_that_never_passes_can_be_simulated_and_two_cannot(rng):
    never, some = np.zeros(60), rng.binomial(4, rng.beta(1, 1, 60))
    assert 0.9 <= difference_coverage(never, some, 4, 4, ALONE[:60], 0.95, 1).share <= 0.98
    assert difference_coverage(never, never + 4, 4, 4, ALONE[:60], 0.95, 1) is None
    assert mean_coverage(never, 4, ALONE[:60], 0.95, 1) is None


def test_one_sample_a_task_and_one_task_are_no_error(rng):
    assert mean_coverage(rng.binomial(1, 0.4, 60), 1, ALONE[:60], 0.95, 1).share > 0.9
    assert mean_coverage([2], 4, ["a"], 0.95, 1) is None
