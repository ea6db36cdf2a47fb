"""Intervals over tasks, clusters of tasks and schemas, of a mean and of a paired difference."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

Values = NDArray[np.float64]

ROUNDING_NOISE = 1e-12
# Of two schemas, Student's t has one degree of freedom and says nothing: 95% reach 12.7 standard errors.
FEWEST_SCHEMAS = 3


@dataclass(frozen=True)
class BootstrapSettings:
    """resamples: B; confidence: share of intervals that cover, such as 0.95; seed: of the resampling."""

    resamples: int
    confidence: float
    seed: int


@dataclass(frozen=True)
class Interval:
    """A confidence interval, both ends included."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """Upper minus lower end, 0 where every task gave the same value."""
        return self.high - self.low


@dataclass(frozen=True)
class Estimate:
    """A mean over tasks with its intervals.

    value: the mean; sd: sample standard deviation of the tasks' values (0 for one task);
    by_task: tasks resampled; by_cluster: whole clusters resampled, None where no clusters were given;
    by_schema: see ``interval``, None where there are not two schemas; tasks, clusters, schemas: how many
    stood behind each.
    """

    value: float
    sd: float
    by_task: Interval
    by_cluster: Interval | None
    tasks: int
    clusters: int | None
    by_schema: Interval | None = None
    schemas: int | None = None

    @property
    def headline(self) -> Interval:
        """The widest of the intervals: tasks of one template, and of one schema, rise and fall together."""
        known = (one for one in (self.by_task, self.by_cluster, self.by_schema) if one is not None)
        return max(known, key=lambda one: one.width)

    @property
    def design_effect(self) -> float:
        """How many times the tasks would be needed because they come in clusters, at least 1."""
        if self.by_task.width == 0:
            return 1.0
        return max(1.0, (self.headline.width / self.by_task.width) ** 2)


@dataclass(frozen=True)
class PairedDifference:
    """After minus before on the tasks that both have.

    before, after: the means on those tasks; lost: how many tasks only one side has.
    """

    estimate: Estimate
    before: float
    after: float
    lost: int


def interval(
    values: ArrayLike,
    settings: BootstrapSettings,
    clusters: Sequence[str] | None = None,
    schemas: Sequence[str] | None = None,
) -> Estimate:
    """The mean of a value per task with percentile-bootstrap intervals over tasks and over clusters.

    The clustered one draws whole clusters with replacement and takes the mean over the tasks in
    them, so a large cluster weighs as much as its tasks do. Fewer than two tasks or clusters, or
    tasks that are all equal, give an interval of zero width: resampling cannot show what was not
    seen. The verdict treats such an interval by unseen_bound.

    A report has few schemas, and few units cannot be resampled: of two, half of all draws are twice the
    same one. From three schemas on, the interval over schemas is Student's t with one degree of freedom less than
    schemas, of the mean over tasks with its cluster-robust error (Cameron and Miller 2015, section VI): it
    says what other schemas would give. Two schemas say next to nothing about a third; they are taken as
    given, and clusters are drawn again within each, which says what other tasks on these two would give.

    Args:
        values: shape (tasks,), one number a task.
        settings: resamples, confidence and seed.
        clusters: shape (tasks,), the cluster (template) of each task.
        schemas: shape (tasks,), the schema of each task; one schema alone gives no interval over schemas.

    Raises:
        ValueError: no task, a value that is not finite, or another number of clusters or schemas than of tasks.
    """
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.ndim != 1 or numbers.size == 0:
        raise ValueError("an interval needs at least one task.")
    if not np.all(np.isfinite(numbers)):
        raise ValueError("a task's value is not a finite number.")
    sums, counts = _by_cluster(numbers, clusters) if clusters is not None else (None, None)
    known = None if schemas is None else len(set(schemas))
    return Estimate(
        value=float(numbers.mean()),
        sd=float(numbers.std(ddof=1)) if numbers.size > 1 else 0.0,
        by_task=_resample(numbers, np.ones_like(numbers), settings),
        by_cluster=None if sums is None or counts is None else _resample(sums, counts, settings),
        tasks=int(numbers.size),
        clusters=None if sums is None else int(sums.size),
        by_schema=None if schemas is None else _over_schemas(numbers, clusters, schemas, settings),
        schemas=known,
    )


def paired_difference(
    before: Mapping[str, float],
    after: Mapping[str, float],
    settings: BootstrapSettings,
    clusters: Mapping[str, str] | None = None,
    schemas: Mapping[str, str] | None = None,
) -> PairedDifference:
    """After minus before, paired by task, with the intervals of ``interval``.

    Args:
        before, after: task id to the task's value, such as the share of its samples that passed.
        settings: resamples, confidence and seed.
        clusters, schemas: task id to its cluster and to its schema, for every task that both sides have.

    Raises:
        ValueError: the sides share no task; see also ``interval``.
    """
    shared = sorted(before.keys() & after.keys())
    if not shared:
        raise ValueError("the two sides of a paired difference share no task.")
    old = np.array([before[task] for task in shared], dtype=np.float64)
    new = np.array([after[task] for task in shared], dtype=np.float64)
    groups = None if clusters is None else [clusters[task] for task in shared]
    places = None if schemas is None else [schemas[task] for task in shared]
    return PairedDifference(
        estimate=interval(new - old, settings, groups, places),
        before=float(old.mean()),
        after=float(new.mean()),
        lost=len(before.keys() ^ after.keys()),
    )


def unseen_bound(estimate: Estimate, lowest: float, highest: float, confidence: float) -> Interval:
    """The interval that a zero-width one stands for, values being bounded by lowest and highest.

    When n tasks all gave v, at most 1 - ((1 - confidence) / 2)^(1/n) of all tasks give something
    else (Clopper and Pearson 1934, n of n), and each of these is at worst at an end of the range.
    """
    share = 1.0 - ((1.0 - confidence) / 2.0) ** (1.0 / estimate.tasks)
    return Interval(
        low=estimate.value - share * (estimate.value - lowest),
        high=estimate.value + share * (highest - estimate.value),
    )


def _by_cluster(values: Values, clusters: Sequence[str]) -> tuple[Values, Values]:
    if len(clusters) != values.size:
        raise ValueError(f"{values.size} tasks have {len(clusters)} clusters; each task needs one.")
    _, index = np.unique(np.asarray(clusters), return_inverse=True)
    sums = np.bincount(index, weights=values).astype(np.float64)
    return sums, np.bincount(index).astype(np.float64)


def _over_schemas(
    values: Values, clusters: Sequence[str] | None, schemas: Sequence[str], settings: BootstrapSettings
) -> Interval | None:
    sums, counts = _by_cluster(values, schemas)
    if sums.size < 2:
        return None
    if sums.size < FEWEST_SCHEMAS:
        units = clusters if clusters is not None else [str(place) for place in range(values.size)]
        return _within_schemas(values, units, schemas, settings)
    mean = float(values.mean())
    residuals = sums - counts * mean
    error = float(np.sqrt(sums.size / (sums.size - 1) * (residuals**2).sum())) / values.size
    reach = float(stats.t.ppf(0.5 + settings.confidence / 2.0, sums.size - 1)) * error
    return Interval(mean - reach, mean + reach)


def _within_schemas(
    values: Values, clusters: Sequence[str], schemas: Sequence[str], settings: BootstrapSettings
) -> Interval:
    """Percentile bootstrap that draws the clusters of each schema again, so that each schema stays."""
    rng = np.random.default_rng(settings.seed)
    totals, sizes = np.zeros(settings.resamples), np.zeros(settings.resamples)
    for schema in sorted(set(schemas)):
        within = [place for place, name in enumerate(schemas) if name == schema]
        sums, counts = _by_cluster(values[within], [clusters[place] for place in within])
        drawn = rng.multinomial(sums.size, np.full(sums.size, 1.0 / sums.size), size=settings.resamples)
        totals += drawn @ sums
        sizes += drawn @ counts
    tail = (1.0 - settings.confidence) / 2.0
    low, high = np.quantile(totals / sizes, [tail, 1.0 - tail])
    return Interval(float(low), float(high))


def _mean_over_tasks(sums: Values, counts: Values, axis: int = -1) -> Values:
    ratio: Values = sums.sum(axis=axis) / counts.sum(axis=axis)
    return ratio


def _resample(sums: Values, counts: Values, settings: BootstrapSettings) -> Interval:
    """Percentile bootstrap of a ratio of sums: the mean over tasks when units of any size are drawn."""
    mean = float(sums.sum() / counts.sum())
    if np.ptp(sums / counts) < ROUNDING_NOISE:
        return Interval(mean, mean)
    result = stats.bootstrap(
        (sums, counts),
        _mean_over_tasks,
        paired=True,
        vectorized=True,
        n_resamples=settings.resamples,
        confidence_level=settings.confidence,
        method="percentile",
        rng=np.random.default_rng(settings.seed),
    )
    return Interval(float(result.confidence_interval.low), float(result.confidence_interval.high))
