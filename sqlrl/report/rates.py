"""Figures of one checkpoint: rates with intervals, kinds of error, luck."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sqlrl.authoring.task import Task
from sqlrl.database.files import MAIN
from sqlrl.report.passes import DOES_NOT_RUN, KINDS, NO_SQL, ScoringPass
from sqlrl.statistics.bootstrap import BootstrapSettings, Estimate, Interval, interval, unseen_bound
from sqlrl.statistics.passk import pass_at_k, pass_hat_k

Values = NDArray[np.float64]
Passes = Mapping[int, ScoringPass]


def _share(flags: NDArray[np.bool_]) -> Values:
    mean: Values = flags.mean(axis=1)
    return mean


RATES: Mapping[str, Callable[[ScoringPass], Values]] = {
    "pass@1": lambda one: _share(one.right),
    "pass@k": lambda one: pass_at_k(one.k, one.right.sum(axis=1), one.k),
    "pass^k": lambda one: pass_hat_k(one.k, one.right.sum(axis=1), one.k),
    "executes": lambda one: _share(
        (one.kinds != KINDS.index(NO_SQL)) & (one.kinds != KINDS.index(DOES_NOT_RUN))
    ),
    "no_query": lambda one: _share(one.kinds == KINDS.index(NO_SQL)),
    "truncated": lambda one: _share(one.truncated),
    "pass@1_main": lambda one: _share(one.on_main),
    "pass@1_everywhere": lambda one: _share(one.everywhere),
}


def task_values(one: ScoringPass, rate: str) -> dict[str, float]:
    """A rate of RATES for every task of a pass."""
    return dict(zip(one.tasks, RATES[rate](one).tolist(), strict=True))


def mean_values(passes: Passes, rate: str, chosen: Mapping[str, Task]) -> dict[str, float]:
    """A rate for every chosen task, the mean over the passes that have the task."""
    found: dict[str, list[float]] = {}
    for number in sorted(passes):
        for task, value in task_values(passes[number], rate).items():
            if task in chosen:
                found.setdefault(task, []).append(value)
    return {task: float(np.mean(found[task])) for task in sorted(found)}


def rate_figures(
    passes: Passes, rate: str, chosen: Mapping[str, Task], settings: BootstrapSettings
) -> dict[str, Any] | None:
    """One rate over the chosen tasks: value, intervals, each pass and the spread between passes.

    None where no chosen task was scored. An interval of zero width comes with ``bound``, the interval
    that this many equal tasks allow (unseen_bound).
    """
    values = mean_values(passes, rate, chosen)
    if not values:
        return None
    each = [_mean_of(task_values(passes[number], rate), values) for number in sorted(passes)]
    templates, schemas = (
        [getattr(chosen[task], kind) for task in values] for kind in ("template", "database")
    )
    estimate = interval(list(values.values()), settings, templates, schemas)
    bound = unseen_bound(estimate, 0.0, 1.0, settings.confidence) if estimate.headline.width == 0 else None
    return {
        **describe(estimate),
        "bound": ends(bound) if bound else None,
        "passes": each,
        "spread": max(each) - min(each),
    }


def describe(estimate: Estimate) -> dict[str, Any]:
    """An estimate as the report's JSON has it; intervals are [low, high]."""
    return {
        "value": estimate.value,
        "interval": ends(estimate.headline),
        "by_task": ends(estimate.by_task),
        "by_template": ends(estimate.by_cluster) if estimate.by_cluster else None,
        "by_schema": ends(estimate.by_schema) if estimate.by_schema else None,
        "zero_width": estimate.headline.width == 0,
        "tasks": estimate.tasks,
        "templates": estimate.clusters,
    }


def ends(one: Interval) -> list[float]:
    """An interval as the report's JSON has it."""
    return [one.low, one.high]


def error_kinds(passes: Passes) -> dict[str, Any]:
    """Shares of all samples by kind, and how often each reason code of main occurs."""
    kinds = np.concatenate([one.kinds.ravel() for one in passes.values()])
    reasons = Counter(
        verdict.outcomes[MAIN].reason
        for one in passes.values()
        for verdicts in one.verdicts.values()
        for verdict in verdicts
    )
    return {
        "samples": int(kinds.size),
        "shares": {kind: float(np.mean(kinds == index)) for index, kind in enumerate(KINDS)},
        "reasons": dict(sorted(reasons.items(), key=lambda one: (-one[1], one[0]))),
    }


def luck(passes: Passes) -> dict[str, Any]:
    """How many samples that are right on main a twin refutes; share is None where none is right."""
    right = sum(int(one.on_main.sum()) for one in passes.values())
    confirmed = sum(int(one.everywhere.sum()) for one in passes.values())
    return {
        "right_on_main": right,
        "refuted_by_a_twin": right - confirmed,
        "share": (right - confirmed) / right if right else None,
    }


def _mean_of(values: Mapping[str, float], chosen: Mapping[str, float]) -> float:
    found: Sequence[float] = [value for task, value in sorted(values.items()) if task in chosen]
    return float(np.mean(found)) if found else 0.0
