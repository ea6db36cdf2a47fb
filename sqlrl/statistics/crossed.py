"""The mean of a difference that was measured for every seed on every task, with intervals over both."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from sqlrl.statistics.bootstrap import ROUNDING_NOISE, BootstrapSettings, Interval, interval, unseen_bound

Values = NDArray[np.float64]


@dataclass(frozen=True)
class CrossedEstimate:
    """A mean over seeds and tasks with its two intervals.

    value: the mean; by_seed: each seed's mean over the tasks; crossed: seeds and clusters of tasks
    resampled, both at once; over_seeds: Student's t over the means in by_seed; tasks, clusters: how many.
    """

    value: float
    by_seed: tuple[float, ...]
    crossed: Interval
    over_seeds: Interval
    tasks: int
    clusters: int

    @property
    def headline(self) -> Interval:
        """The wider of the two. Three seeds are too few to resample: where seeds differ more than tasks do, the
        crossed interval of three covers the truth only three times of four.
        """
        return max(self.crossed, self.over_seeds, key=lambda one: one.width)


def crossed_interval(
    values: ArrayLike, clusters: Sequence[str], settings: BootstrapSettings
) -> CrossedEstimate:
    """The mean of values of seeds by tasks, with a percentile interval of the crossed bootstrap.

    The pigeonhole bootstrap (Owen 2007, Annals of Applied Statistics 1(2)): each resample draws seeds
    with replacement and, apart from them, clusters of tasks, and takes the mean over the tasks of the drawn
    clusters under the drawn seeds. It overstates the noise of single cells, up to three times its variance, and
    so errs to the side of a wide interval.

    Args:
        values: shape (seeds, tasks), such as differences of pass@1 of an arm and the control.
        clusters: shape (tasks,), the cluster (template) of each task.
        settings: resamples, confidence and seed.

    Raises:
        ValueError: fewer than two seeds, no task, a value that is not finite, or another number of clusters.
    """
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.ndim != 2 or numbers.shape[0] < 2 or numbers.shape[1] == 0:
        raise ValueError("a crossed interval needs two seeds and a task at least.")
    if not np.all(np.isfinite(numbers)):
        raise ValueError("a value is not a finite number.")
    if len(clusters) != numbers.shape[1]:
        raise ValueError(f"{numbers.shape[1]} tasks have {len(clusters)} clusters; each task needs one.")
    means = numbers.mean(axis=1)
    return CrossedEstimate(
        value=float(numbers.mean()),
        by_seed=tuple(means.tolist()),
        crossed=_pigeonhole(numbers, clusters, settings),
        over_seeds=_student(means, settings.confidence),
        tasks=numbers.shape[1],
        clusters=len(set(clusters)),
    )


def honest_crossed(estimate: CrossedEstimate, settings: BootstrapSettings) -> Interval:
    """The headline interval of a difference in [-1, 1], or what so many equal tasks could hide where its width is 0."""
    if estimate.headline.width > 0:
        return estimate.headline
    alike = interval([estimate.value] * estimate.tasks, settings)
    return unseen_bound(alike, -1.0, 1.0, settings.confidence)


def _pigeonhole(numbers: Values, clusters: Sequence[str], settings: BootstrapSettings) -> Interval:
    mean = float(numbers.mean())
    if np.ptp(numbers) < ROUNDING_NOISE:
        return Interval(mean, mean)
    _, index = np.unique(np.asarray(clusters), return_inverse=True)
    sizes = np.bincount(index).astype(np.float64)
    sums = np.stack([np.bincount(index, weights=row) for row in numbers])
    rng = np.random.default_rng(settings.seed)
    seeds = _draws(rng, len(numbers), settings.resamples)
    chosen = _draws(rng, sizes.size, settings.resamples)
    totals = ((seeds @ sums) * chosen).sum(axis=1)
    tail = (1.0 - settings.confidence) / 2.0
    low, high = np.quantile(totals / (len(numbers) * (chosen @ sizes)), [tail, 1.0 - tail])
    return Interval(float(low), float(high))


def _draws(rng: np.random.Generator, units: int, resamples: int) -> Values:
    """How often each unit is drawn in each resample, shape (resamples, units)."""
    return rng.multinomial(units, np.full(units, 1.0 / units), size=resamples).astype(np.float64)


def _student(means: Values, confidence: float) -> Interval:
    """Student's t interval of a mean over seeds; they are few, and the t distribution knows it."""
    error = float(means.std(ddof=1)) / np.sqrt(means.size)
    reach = float(stats.t.ppf(0.5 + confidence / 2.0, means.size - 1)) * float(error)
    return Interval(float(means.mean()) - reach, float(means.mean()) + reach)
