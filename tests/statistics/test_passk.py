"""pass@k and pass^k against enumeration of every draw of k samples."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlrl.statistics.passk import headroom, mixed_group_share, pass_at_k, pass_hat_k

COUNTS = st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n)))


def share_of_draws(n: int, c: int, k: int, wanted) -> float:
    draws = list(combinations([True] * c + [False] * (n - c), k))
    return sum(wanted(draw) for draw in draws) / len(draws)


@given(COUNTS)
def test_pass_at_k_is_the_share_of_draws_with_a_pass(counts):
    n, c, k = counts
    assert pass_at_k(n, [c], k)[0] == pytest.approx(share_of_draws(n, c, k, any), abs=1e-12)


@given(COUNTS)
def test_pass_hat_k_is_the_share_of_draws_with_nothing_but_passes(counts):
    n, c, k = counts
    assert pass_hat_k(n, [c], k)[0] == pytest.approx(share_of_draws(n, c, k, all), abs=1e-12)


def test_pass_at_k_agrees_with_the_published_product_form_for_many_samples():
    n, k = 2000, 100
    for c in (0, 1, 7, 1500, 1950, 2000):
        expected = 1.0 if n - c < k else 1.0 - float(np.prod(1.0 - k / np.arange(n - c + 1, n + 1)))
        assert pass_at_k(n, [c], k)[0] == pytest.approx(expected, abs=1e-12)


def test_tasks_may_have_different_numbers_of_samples():
    assert pass_at_k([4, 8], [1, 1], 2) == pytest.approx([0.5, 0.25])


def test_headroom_is_zero_where_samples_agree_and_large_where_they_do_not():
    assert headroom(4, [0, 4, 4], 4) == 0
    assert headroom(4, [1, 1], 4) == pytest.approx(0.75)


def test_mixed_groups_are_those_with_passes_and_failures():
    expected = np.mean([0, share_of_draws(12, 3, 8, lambda draw: any(draw) and not all(draw)), 0])
    assert mixed_group_share(12, [0, 3, 12], 8) == pytest.approx(expected)


@pytest.mark.parametrize(("n", "c", "k"), [(4, 5, 1), (4, -1, 1), (4, 2, 5), (4, 2, 0)])
def test_impossible_counts_are_refused(n, c, k):
    with pytest.raises(ValueError, match=r"0\.\.n|outside"):
        pass_at_k(n, [c], k)
