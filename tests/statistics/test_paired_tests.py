"""Sign test and permutation test against scipy, against enumeration, and in how often they raise a false alarm."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from sqlrl.statistics.paired_tests import cluster_t_test, permutation_test, sign_test


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def test_the_sign_test_is_the_binomial_test_of_the_tasks_that_moved():
    found = sign_test([0.25] * 9 + [-0.5] * 2 + [0.0] * 30)
    assert (found.up, found.down) == (9, 2)
    assert found.p == pytest.approx(2 * sum(stats.binom.pmf(k, 11, 0.5) for k in (0, 1, 2)))


def test_where_no_task_moved_nothing_is_shown():
    assert sign_test([0.0, 0.0]).p == 1.0
    assert permutation_test([0.0, 0.0], seed=1) == 1.0
    assert permutation_test([0.25, -0.25], seed=1) == 1.0


def test_few_tasks_are_enumerated(rng):
    values = rng.integers(-4, 5, 9) / 4
    flips = [abs(np.dot(signs, values)) for signs in product((-1, 1), repeat=9)]
    expected = np.mean([one >= abs(values.sum()) - 1e-12 for one in flips])
    assert permutation_test(values, seed=1) == pytest.approx(expected)


def test_many_tasks_give_the_p_of_scipy(rng):
    values = rng.normal(0.0, 0.5, 80)
    values += 0.1 - values.mean()
    found = permutation_test(values, seed=1)
    expected = stats.permutation_test(
        (values,), np.mean, permutation_type="samples", n_resamples=20_000, rng=np.random.default_rng(2)
    )
    assert found == pytest.approx(expected.pvalue, abs=0.01)
    assert 0.03 < found < 0.15


def test_p_is_never_zero_and_the_same_seed_gives_the_same_p(rng):
    values = rng.normal(0.5, 0.1, 100)
    assert permutation_test(values, seed=1, flips=1000) == pytest.approx(1 / 1001)
    noise = rng.normal(0, 1, 100)
    assert (
        permutation_test(noise, seed=3) == permutation_test(noise, seed=3) != permutation_test(noise, seed=4)
    )


def test_tasks_of_one_cluster_flip_together(rng):
    few = rng.normal(0.3, 0.6, 10)
    names = [str(number) for number in range(10)]
    copied = permutation_test(np.repeat(few, 8), 1, [name for name in names for _ in range(8)])
    assert copied == pytest.approx(permutation_test(few, 1))
    assert permutation_test(np.repeat(few, 8), 1) < copied
    assert permutation_test([0.25] * 30, 1, ["one"] * 30) == 1.0


def test_students_t_over_clusters_of_one_size_is_that_of_their_means(rng):
    values = rng.normal(0.2, 0.4, (6, 5))
    names = [name for name in "abcdef" for _ in range(5)]
    expected = stats.ttest_1samp(values.mean(axis=1), 0.0).pvalue
    assert cluster_t_test(values.ravel(), names) == pytest.approx(expected)


def test_students_t_over_few_clusters_raises_few_false_alarms_and_has_no_floor(rng):
    names = [str(number) for number in range(7) for _ in range(2)]
    alarms = np.mean(
        [cluster_t_test(np.repeat(rng.integers(-3, 4, 7) / 4, 2), names) < 0.05 for _ in range(1000)]
    )
    assert 0.02 <= alarms <= 0.08
    large = np.repeat([0.5, 0.6, 0.7, 0.55, 0.6, 0.65, 0.5], 2)
    assert cluster_t_test(large, names) < 0.001 < permutation_test(large, 1, names) == pytest.approx(1 / 64)


def test_one_cluster_and_clusters_that_agree_exactly_prove_little():
    assert cluster_t_test([0.25, 0.5], ["a", "a"]) == 1.0
    assert cluster_t_test([0.25] * 4, ["a", "b", "c", "d"]) == 1 / 8


@pytest.mark.parametrize("clustered", [False, True])
def test_where_nothing_changed_a_small_p_is_as_rare_as_it_says(rng, clustered):
    alarms = 0
    for _ in range(400):
        effects = np.repeat(rng.normal(0, 0.3, 20), 3) if clustered else np.zeros(60)
        values = effects + rng.normal(0, 0.3, 60)
        names = [str(number) for number in range(20) for _ in range(3)]
        alarms += permutation_test(values, 1, names if clustered else None, flips=500) < 0.05
    assert 0.02 <= alarms / 400 <= 0.085


def test_what_cannot_be_tested_is_refused():
    with pytest.raises(ValueError, match="finite"):
        sign_test([float("nan")])
    with pytest.raises(ValueError, match="finite"):
        permutation_test([0.1, float("nan")], 1)
    with pytest.raises(ValueError, match="clusters"):
        permutation_test([0.1, 0.2], 1, ["a"])
