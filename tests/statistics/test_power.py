"""Provable gains against textbook figures and against simulated holdouts."""

import numpy as np
import pytest
from scipy import stats

from sqlrl.statistics.power import smallest_provable_gain, tasks_needed


def test_the_textbook_case_needs_the_textbook_number_of_pairs():
    # Cohen 1988: effect size 0.5, two-sided 0.05, power 0.8 by the normal approximation: 31.4 pairs.
    assert tasks_needed(sd=1.0, gain=0.5) == 32


def test_four_times_the_tasks_prove_half_the_gain():
    assert smallest_provable_gain(0.35, 560) == pytest.approx(smallest_provable_gain(0.35, 140) / 2)


@pytest.mark.parametrize("n", [2, 17, 140, 459, 10_000])
def test_the_number_of_tasks_is_the_inverse_of_the_gain(n):
    assert tasks_needed(0.4, smallest_provable_gain(0.4, n)) == n
    assert tasks_needed(0.4, -smallest_provable_gain(0.4, n)) == n


def test_a_true_gain_of_that_size_is_proven_in_four_of_five_simulated_holdouts():
    rng = np.random.default_rng(5)
    gain = smallest_provable_gain(0.3, 140)
    samples = rng.normal(gain, 0.3, (4000, 140))
    proven = np.mean(stats.ttest_1samp(samples, 0, axis=1).confidence_interval().low > 0)
    assert proven == pytest.approx(0.8, abs=0.025)


@pytest.mark.parametrize(("sd", "n", "power"), [(-0.1, 10, 0.8), (0.1, 0, 0.8), (0.1, 10, 1.0)])
def test_impossible_questions_are_refused(sd, n, power):
    with pytest.raises(ValueError, match="must"):
        smallest_provable_gain(sd, n, power)
    with pytest.raises(ValueError, match="must"):
        tasks_needed(0.1, 0.0)
