"""Tests of a paired difference beside its interval: the exact sign test and the sign-flip permutation test."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from sqlrl.statistics.bootstrap import ROUNDING_NOISE

Values = NDArray[np.float64]

# Enough that the smallest p, 1 in 20,001, survives the adjustment for a whole report of comparisons.
FLIPS = 20_000
BATCH = 2_000
# With fewer clusters all patterns are counted, and the smallest p that they allow is too large for a family.
FEWEST_FLIPPED = 15


@dataclass(frozen=True)
class SignTest:
    """up, down: tasks that rose and fell; p: two-sided, 1 where no task moved."""

    up: int
    down: int
    p: float


def sign_test(differences: ArrayLike) -> SignTest:
    """The exact sign test: are as many tasks better as worse?

    Tasks without a difference say nothing and are left out (Dixon and Mood 1946); of the others the number
    that rose is binomial with a half. It asks less than the permutation test: how much a task moved does not
    count, and tasks of one template count as if they were apart.

    Args:
        differences: shape (tasks,), after less before.

    Raises:
        ValueError: a difference that is not finite.
    """
    values = _moved(differences)
    up = int((values > 0).sum())
    p = float(stats.binomtest(up, values.size, 0.5).pvalue) if values.size else 1.0
    return SignTest(up, int(values.size) - up, p)


def permutation_test(
    differences: ArrayLike, seed: int, clusters: Sequence[str] | None = None, flips: int = FLIPS
) -> float:
    """Two-sided p of a mean difference, by flipping signs (Fisher 1935, section 21).

    Where training changed nothing, before and after could be swapped: each task's difference is as likely
    positive as negative. p is the share of flips whose mean is at least as far from zero as the one that was seen.
    With clusters all tasks of one flip together, because they rise and fall together. Where there are no more
    patterns than ``flips`` all are counted and p is exact; else drawn ones, with the seen one among them, so
    that p is never 0 (Phipson and Smyth 2010).

    Args:
        differences: shape (tasks,), after less before.
        seed: of the drawn flips.
        clusters: shape (tasks,), the cluster (template) of each task; None to flip each task alone.
        flips: how many patterns are drawn.

    Raises:
        ValueError: a difference that is not finite, or another number of clusters than of tasks.
    """
    units = _moved(_units(differences, clusters))
    seen = abs(float(units.sum())) - ROUNDING_NOISE * max(1.0, float(np.abs(units).sum()))
    if units.size == 0 or seen <= 0:
        return 1.0
    if 2**units.size <= flips:
        patterns = (np.arange(2**units.size)[:, None] >> np.arange(units.size)) & 1
        return float(np.mean(np.abs((2.0 * patterns - 1.0) @ units) >= seen))
    rng = np.random.default_rng(seed)
    hits = 0
    for start in range(0, flips, BATCH):
        signs = 2.0 * rng.integers(0, 2, (min(BATCH, flips - start), units.size), dtype=np.int8) - 1.0
        hits += int((np.abs(signs @ units) >= seen).sum())
    return (hits + 1) / (flips + 1)


def cluster_t_test(differences: ArrayLike, clusters: Sequence[str]) -> float:
    """Two-sided p of a mean difference by Student's t with its cluster-robust error, for few clusters.

    Seven templates have 128 sign patterns, so that no flip gives a p below 1/64, however large the difference.
    Student's t with one degree of freedom less than clusters (Cameron and Miller 2015, section VI) has no such floor;
    it takes the clusters' sums for about normal. 1 where there is one cluster; where all clusters agree to the last
    digit there is no error to divide by, and the flips say what can be said.

    Args:
        differences: shape (tasks,), after less before.
        clusters: shape (tasks,), the cluster (template) of each task.

    Raises:
        ValueError: as permutation_test.
    """
    sums = _units(differences, clusters)
    counts = _units(np.ones(len(clusters)), clusters)
    if sums.size < 2:
        return 1.0
    mean = float(sums.sum() / counts.sum())
    residuals = sums - counts * mean
    error = float(np.sqrt(sums.size / (sums.size - 1) * (residuals**2).sum()) / counts.sum())
    if error < ROUNDING_NOISE:
        return permutation_test(differences, 0, clusters)
    return float(2.0 * stats.t.sf(abs(mean) / error, sums.size - 1))


def _units(differences: ArrayLike, clusters: Sequence[str] | None) -> Values:
    """What flips as one: each task's difference, or the sum over each cluster."""
    values = np.asarray(differences, dtype=np.float64)
    if clusters is None:
        return values
    if len(clusters) != values.size:
        raise ValueError(f"{values.size} tasks have {len(clusters)} clusters; each task needs one.")
    _, index = np.unique(np.asarray(clusters), return_inverse=True)
    return np.bincount(index, weights=values).astype(np.float64)


def _moved(differences: ArrayLike) -> Values:
    values = np.asarray(differences, dtype=np.float64)
    if not np.all(np.isfinite(values)):
        raise ValueError("a task's difference is not a finite number.")
    moved: Values = values[np.abs(values) > ROUNDING_NOISE]
    return moved
