"""Holm's adjustment against the closed test that it stands for, and against what it promises."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlrl.statistics.multiple import holm


def closed_test(p_values: list[float]) -> list[float]:
    """Each p adjusted as the largest Bonferroni p of all sets of hypotheses that hold it (Marcus et al. 1976)."""
    places = range(len(p_values))
    sets = [one for size in range(1, len(p_values) + 1) for one in combinations(places, size)]
    bonferroni = {one: min(1.0, len(one) * min(p_values[place] for place in one)) for one in sets}
    return [max(bonferroni[one] for one in sets if place in one) for place in places]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_it_is_the_closed_test_of_bonferronis_bounds(p_values):
    assert holm(p_values) == pytest.approx(closed_test(p_values))


def test_a_worked_example_stays_in_the_order_given():
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([]) == []


def test_a_family_in_which_nothing_differs_is_rarely_called_significant():
    rng = np.random.default_rng(1)
    alarms = np.mean([min(holm(rng.random(20).tolist())) < 0.05 for _ in range(2000)])
    assert 0.035 <= alarms <= 0.065


@pytest.mark.parametrize("value", [-0.1, 1.5, float("nan")])
def test_what_is_no_probability_is_refused(value):
    with pytest.raises(ValueError, match=r"0\.\.1"):
        holm([0.5, value])
