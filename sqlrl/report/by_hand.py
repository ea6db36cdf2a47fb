"""Two sides of score files compared by hand: the numbers of a delta report's comparison, from the scores alone."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sqlrl.errors import UserError
from sqlrl.report.document import rounded
from sqlrl.report.forecast import GAINS
from sqlrl.report.score_lines import ScoreLine
from sqlrl.report.sides import Groups, Side
from sqlrl.statistics.bootstrap import BootstrapSettings, Estimate, Interval, interval, unseen_bound
from sqlrl.statistics.paired_tests import sign_test
from sqlrl.statistics.passk import pass_at_k, pass_hat_k
from sqlrl.statistics.power import smallest_provable_gain, tasks_needed
from sqlrl.statistics.verdict import judge_difference

POWER = 0.8
NO_TEMPLATES = (
    "No templates are known, so every task counts as independent of the others. Tasks of one query shape rise and "
    "fall together: the intervals may be too narrow."
)

Values = NDArray[np.float64]
Rate = Callable[[Sequence[ScoreLine], int], float]

# A rate of one task from its samples; k is that of the comparison.
RATES: Mapping[str, Rate] = {
    "pass@1": lambda samples, _: _right(samples) / len(samples),
    "pass@k": lambda samples, k: float(pass_at_k(len(samples), _right(samples), k)),
    "pass^k": lambda samples, k: float(pass_hat_k(len(samples), _right(samples), k)),
    "executes": lambda samples, _: sum(bool(line.ran) for line in samples) / len(samples),
}


@dataclass(frozen=True)
class HandSettings:
    """resamples, confidence, seed: of the bootstrap; margin: a difference too small to matter, as a share."""

    resamples: int
    confidence: float
    seed: int
    margin: float

    @property
    def bootstrap(self) -> BootstrapSettings:
        """What the intervals are made with. Raises UserError where it cannot be."""
        if not (0.5 < self.confidence < 1 and self.resamples >= 100 and 0 < self.margin < 1):
            raise UserError(
                f"confidence {self.confidence:g}, resamples {self.resamples}, margin {self.margin:g}: expected a "
                "confidence between 0.5 and 1, at least 100 resamples and a margin between 0 and 1."
            )
        return BootstrapSettings(self.resamples, self.confidence, self.seed)


def compare_sides(before: Side, after: Side, groups: Groups, settings: HandSettings) -> dict[str, Any]:
    """Compare two sides on the tasks that every pass of both has.

    Returns:
        The document that ``--json`` writes; docs/comparing.md says what is in it.

    Raises:
        UserError: the sides share no task, or have different numbers of scoring passes.
    """
    if len(before.passes) != len(after.passes):
        raise UserError(
            f"before has {len(before.passes)} scoring passes and after {len(after.passes)}: give equally many files of "
            "the same tasks on both sides."
        )
    shared = sorted(before.tasks & after.tasks)
    if not shared:
        raise UserError(
            f"before and after share no task: before has tasks such as {min(before.all_tasks)}, after such as "
            f"{min(after.all_tasks)}. They must be scored on the same questions."
        )
    grouped, k = _Grouped(shared, groups, settings.bootstrap), min(before.k, after.k)
    document: dict[str, Any] = rounded(
        {
            "before": _describe_side(before),
            "after": _describe_side(after),
            "tasks": len(shared),
            "lost_tasks": len((before.all_tasks | after.all_tasks) - set(shared)),
            "k": k,
            "templates": grouped.count(groups.templates),
            "databases": grouped.count(groups.databases),
            "rates": _rates(before, after, k, grouped),
            "difference": _difference(before, after, k, grouped, settings),
            "statistics": {
                "resamples": settings.resamples,
                "confidence": settings.confidence,
                "seed": settings.seed,
                "equivalence_margin": settings.margin,
            },
            "warnings": _warnings(before, after, shared, groups),
        }
    )
    return document


class _Grouped:
    """Intervals over the shared tasks, and over the groups that they come in."""

    def __init__(self, tasks: Sequence[str], groups: Groups, settings: BootstrapSettings) -> None:
        self.tasks, self.settings = tasks, settings
        self._templates = self._clusters(groups.templates, least=1)
        self._databases = self._clusters(groups.databases, least=2)

    def measure(self, values: Values) -> Estimate:
        """The mean of a value per task, in the order of ``tasks``, with an interval for each way to resample."""
        return interval(values, self.settings, self._templates, self._databases)

    def values(self, side: Side, rate: Rate, k: int) -> list[Values]:
        """A rate for every task, an array a scoring pass."""
        return [np.array([rate(one[task], k) for task in self.tasks]) for one in side.passes]

    def count(self, groups: Mapping[str, str]) -> int | None:
        """How many groups the tasks come in; None where some task has none."""
        found = self._clusters(groups, least=1)
        return len(set(found)) if found else None

    def _clusters(self, groups: Mapping[str, str], least: int) -> list[str] | None:
        if any(task not in groups for task in self.tasks):
            return None
        found = [groups[task] for task in self.tasks]
        return found if len(set(found)) >= least else None


def _describe_side(side: Side) -> dict[str, Any]:
    return {
        "files": [str(path) for path in side.files],
        "passes": len(side.passes),
        "k": side.k,
        "tasks": len(side.all_tasks),
    }


def _rates(before: Side, after: Side, k: int, grouped: _Grouped) -> dict[str, Any]:
    """Every rate of both sides; none of what executes where some verdict does not say it."""
    silent = any(line.ran is None for side in (before, after) for line in _lines(side))
    return {
        name: {key: _rate(side, rate, k, grouped) for key, side in (("before", before), ("after", after))}
        for name, rate in RATES.items()
        if not (silent and name == "executes")
    }


def _rate(side: Side, rate: Rate, k: int, grouped: _Grouped) -> dict[str, Any]:
    each = grouped.values(side, rate, k)
    found = grouped.measure(np.mean(each, axis=0))
    means = [float(one.mean()) for one in each]
    return {
        **_intervals(found, 0.0, grouped.settings.confidence),
        "passes": means,
        "spread": max(means) - min(means),
    }


def _difference(
    before: Side, after: Side, k: int, grouped: _Grouped, settings: HandSettings
) -> dict[str, Any]:
    old, new = (grouped.values(side, RATES["pass@1"], k) for side in (before, after))
    changes = np.array(new) - np.array(old)
    found = [grouped.measure(one) for one in changes]
    signs = sign_test(changes.mean(axis=0))
    verdict = judge_difference(found, settings.margin, settings.confidence)
    headline = [one.headline for one in found]
    return {
        "value": float(changes.mean()),
        "interval": [min(one.low for one in headline), max(one.high for one in headline)],
        "passes": [_intervals(one, -1.0, settings.confidence) for one in found],
        "spread": float(np.ptp([one.value for one in found])),
        "verdict": verdict.words,
        "verdict_sentence": verdict.sentence,
        "needed_tasks": verdict.needed_tasks,
        "moved": {"up": signs.up, "down": signs.down, "same": len(grouped.tasks) - signs.up - signs.down},
        "sign_test": signs.p,
        **_power(max(found, key=_spread), settings.confidence),
    }


def _spread(estimate: Estimate) -> float:
    """The standard deviation of a task's value, as if the tasks were independent."""
    return estimate.sd * math.sqrt(estimate.design_effect)


def _power(noisiest: Estimate, confidence: float) -> dict[str, Any]:
    """What the tasks could prove at the spread that they had; None where no task moved."""
    spread = _spread(noisiest)
    found: dict[str, Any] = {"sd": noisiest.sd, "design_effect": noisiest.design_effect, "power": POWER}
    if spread == 0:
        return {**found, "smallest_provable_gain": None, "tasks_needed": None}
    return {
        **found,
        "smallest_provable_gain": smallest_provable_gain(spread, noisiest.tasks, POWER, confidence),
        "tasks_needed": {f"{gain:g}": tasks_needed(spread, gain, POWER, confidence) for gain in GAINS},
    }


def _intervals(estimate: Estimate, lowest: float, confidence: float) -> dict[str, Any]:
    """An estimate as JSON has it; ``bound`` is what stands for an interval of zero width."""
    headline = estimate.headline
    alike = headline.width == 0
    return {
        "value": estimate.value,
        "interval": _ends(headline),
        "by_task": _ends(estimate.by_task),
        "by_template": _ends(estimate.by_cluster),
        "by_database": _ends(estimate.by_schema),
        "zero_width": alike,
        "bound": _ends(unseen_bound(estimate, lowest, 1.0, confidence)) if alike else None,
    }


def _ends(one: Interval | None) -> list[float] | None:
    return None if one is None else [one.low, one.high]


def _right(samples: Sequence[ScoreLine]) -> int:
    return sum(line.right for line in samples)


def _lines(side: Side) -> Iterator[ScoreLine]:
    return (line for one in side.passes for samples in one.values() for line in samples)


def _warnings(before: Side, after: Side, shared: Sequence[str], groups: Groups) -> list[str]:
    found = []
    for name, side in (("before", before), ("after", after)):
        lost = len(side.all_tasks - set(shared))
        if lost:
            found.append(
                f"{lost} of {len(side.all_tasks)} tasks of {name} are left out: not every file of both sides has them."
            )
    if before.k != after.k:
        least, most = sorted((before.k, after.k))
        found.append(
            f"Before has {before.k} samples a task and after {after.k}. pass@{least} and pass^{least} of the side with "
            f"{most} are estimated from all of them."
        )
    known = sum(task in groups.templates for task in shared)
    if not known:
        found.append(NO_TEMPLATES)
    elif known < len(shared):
        found.append(
            f"{len(shared) - known} of {len(shared)} tasks have no template, so no interval is over templates."
        )
    return found
