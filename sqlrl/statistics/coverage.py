"""How often intervals cover on holdouts like the one at hand, by simulation from rates fitted to its results.

A percentile bootstrap of few or skewed tasks is a little short. How much depends on the number of tasks and
templates, on the samples a task and on the pass rates; so each report has it simulated for its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special, stats

from sqlrl.statistics.bootstrap import ROUNDING_NOISE

Values = NDArray[np.float64]
Draws = NDArray[np.float32]

# Simulated holdouts: as many as give a share to half a point, fewer where tasks are many and intervals good.
RUNS = 2_000
SIMULATED_TASKS = 2_000_000
RESAMPLES = 1_000
# Points at which the quantile function of the rates is tabled: its inverse is too slow to call a million times.
GRID = (np.arange(4096) + 0.5) / 4096


@dataclass(frozen=True)
class Coverage:
    """share: of simulated holdouts whose interval held the truth; standard_error: of that share; runs: how many."""

    share: float
    standard_error: float
    runs: int


@dataclass(frozen=True)
class FittedRates:
    """True pass rates of tasks, as counts of passed samples suggest them.

    quantiles: of the beta distribution, at GRID; spread: its variance; alike: correlation of two tasks of one
    template, in [0, 1).
    """

    quantiles: Values
    spread: float
    alike: float

    @property
    def mean(self) -> float:
        """The mean rate: the truth that a simulated interval has to hold."""
        return float(self.quantiles.mean())


def fit_rates(passed: ArrayLike, drawn: int, clusters: Sequence[str]) -> FittedRates:
    """A beta distribution of true rates by the method of moments, with the correlation within templates.

    The variance of the shares is that of the rates and that of sampling, of which share * (1 - share) / (drawn - 1)
    is an unbiased estimate and is taken off (beta-binomial; Skellam 1948). One sample a task cannot tell the two
    apart: then every rate is next to 0 or 1.

    Args:
        passed: shape (tasks,), how many of ``drawn`` samples of each task passed.
        drawn: samples a task.
        clusters: shape (tasks,), the template of each task.
    """
    shares = np.asarray(passed, dtype=np.float64) / drawn
    mean = float(shares.mean())
    widest = mean * (1.0 - mean)
    if widest < ROUNDING_NOISE or shares.size < 2:
        return FittedRates(np.full(GRID.size, mean), 0.0, 0.0)
    noise = float((shares * (1.0 - shares)).mean()) / (drawn - 1) if drawn > 1 else 0.0
    spread = float(np.clip(shares.var(ddof=1) - noise, 1e-3 * widest, 0.98 * widest))
    total = widest / spread - 1.0
    quantiles = stats.beta.ppf(GRID, mean * total, (1.0 - mean) * total)
    return FittedRates(quantiles, spread, _alike(shares - mean, clusters, spread))


def mean_coverage(
    passed: ArrayLike, drawn: int, clusters: Sequence[str], confidence: float, seed: int
) -> Coverage | None:
    """How often the interval of a mean pass rate covers on holdouts of this shape.

    Rates are drawn from fit_rates, tasks of one template together (a Gaussian copula), then samples; the
    interval is the wider of the bootstraps over tasks and over templates, as ``bootstrap.interval`` makes it.

    Args:
        passed, drawn, clusters: see fit_rates.
        confidence: nominal, of the interval.
        seed: of the simulation.

    Returns:
        None where all samples passed or none did: there is nothing to simulate from.
    """
    rates = fit_rates(passed, drawn, clusters)
    if rates.spread == 0:
        return None
    rng, index = np.random.default_rng(seed), _index(clusters)
    uniform = special.ndtr(_latent(rng, index, rates.alike))
    values = rng.binomial(drawn, np.interp(uniform, GRID, rates.quantiles)) / drawn
    return _covered(rng, values, index, rates.mean, (0.0, 1.0), confidence)


def difference_coverage(
    before: ArrayLike,
    after: ArrayLike,
    drawn: int,
    samples: int,
    clusters: Sequence[str],
    confidence: float,
    seed: int,
) -> Coverage | None:
    """How often the interval of a paired difference covers on holdouts of this shape.

    As mean_coverage; the rates of a task before and after hang together as they do in the results.

    Args:
        before, after: shape (tasks,), how many of ``drawn`` samples of each task passed.
        drawn: samples a task on each side, that the rates are fitted to.
        samples: samples a task on each side that one interval is made from, those of one scoring pass.
        clusters, confidence, seed: as in mean_coverage.

    Returns:
        None where both sides are all right or all wrong.
    """
    old, new = (fit_rates(side, drawn, clusters) for side in (before, after))
    if max(old.spread, new.spread) == 0:
        return None
    rng, index = np.random.default_rng(seed), _index(clusters)
    together = _together(before, after, drawn, old, new)
    alike = (old.alike + new.alike) / 2.0
    first, second = _latent(rng, index, alike), _latent(rng, index, alike)
    second = together * first + np.sqrt(1.0 - together**2) * second
    values = [
        rng.binomial(samples, np.interp(special.ndtr(latent), GRID, rates.quantiles)) / samples
        for latent, rates in ((first, old), (second, new))
    ]
    return _covered(rng, values[1] - values[0], index, new.mean - old.mean, (-1.0, 1.0), confidence)


def _alike(residuals: Values, clusters: Sequence[str], spread: float) -> float:
    """Correlation of the rates of two tasks of one template: the mean product of their residuals over the spread."""
    index = _index(clusters)
    pairs = float((np.bincount(index) * (np.bincount(index) - 1)).sum())
    if pairs == 0:
        return 0.0
    products = float((np.bincount(index, weights=residuals) ** 2).sum() - (residuals**2).sum())
    return float(np.clip(products / pairs / spread, 0.0, 0.99))


def _together(before: ArrayLike, after: ArrayLike, drawn: int, old: FittedRates, new: FittedRates) -> float:
    """Correlation of a task's rates before and after; sampling noise of the two sides does not hang together."""
    if min(old.spread, new.spread) == 0:
        return 0.0
    shares = np.stack([np.asarray(before), np.asarray(after)]) / drawn
    return float(np.clip(np.cov(shares)[0, 1] / np.sqrt(old.spread * new.spread), -0.99, 0.99))


def _index(clusters: Sequence[str]) -> NDArray[np.intp]:
    found: NDArray[np.intp] = np.unique(np.asarray(clusters), return_inverse=True)[1]
    return found


def _latent(rng: np.random.Generator, index: NDArray[np.intp], alike: float) -> Values:
    """Standard normal values, correlated within templates; shape (tasks, runs)."""
    runs = min(RUNS, max(1, SIMULATED_TASKS // index.size))
    shared = rng.standard_normal((int(index.max()) + 1, runs))[index]
    mixed: Values = np.sqrt(alike) * shared + np.sqrt(1.0 - alike) * rng.standard_normal(shared.shape)
    return mixed


def _covered(
    rng: np.random.Generator,
    values: Values,
    index: NDArray[np.intp],
    truth: float,
    ends: tuple[float, float],
    confidence: float,
) -> Coverage:
    """The share of runs whose interval holds the truth; ``values`` has the shape (tasks, runs).

    One set of resamples serves all runs, which is what makes it quick.
    """
    sums: Values = np.stack([np.bincount(index, weights=run) for run in values.T], axis=1).astype(np.float64)
    counts: Values = np.bincount(index).astype(np.float64)
    by_task = _percentiles(rng, values, np.ones(len(values), dtype=np.float64), confidence)
    by_cluster = _percentiles(rng, sums, counts, confidence)
    wider = by_cluster[1] - by_cluster[0] > by_task[1] - by_task[0]
    low, high = np.where(wider, by_cluster, by_task)
    hidden = 1.0 - ((1.0 - confidence) / 2.0) ** (1.0 / len(values))  # bootstrap.unseen_bound
    means, flat = values.mean(axis=0), high - low < 1e-6
    low = np.where(flat, means - hidden * (means - ends[0]), low)
    high = np.where(flat, means + hidden * (ends[1] - means), high)
    share = float(np.mean((low <= truth) & (truth <= high)))
    return Coverage(share, float(np.sqrt(share * (1.0 - share) / means.size)), means.size)


def _percentiles(rng: np.random.Generator, sums: Values, counts: Values, confidence: float) -> Draws:
    """Lower and upper ends of the bootstrap over units of any size, for each run; shape (2, runs)."""
    units = counts.size
    drawn = rng.multinomial(units, np.full(units, 1.0 / units), size=RESAMPLES).astype(np.float32)
    means = (drawn @ sums.astype(np.float32)) / (drawn @ counts.astype(np.float32))[:, None]
    tail = (1.0 - confidence) / 2.0
    found: Draws = np.quantile(means, [tail, 1.0 - tail], axis=0)
    return found
