"""The base alone, before training: what it can do, what there is to amplify, what the holdout could prove."""

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from sqlrl.report.comparisons import difference_by_pass
from sqlrl.report.document import GAINS, asked, checkpoint_figures, rounded
from sqlrl.report.evidence import Evidence
from sqlrl.report.files import BASE
from sqlrl.report.rates import Passes, task_values
from sqlrl.report.settings import ReportSettings
from sqlrl.report.words import count, percent, rate_span
from sqlrl.statistics.bootstrap import BootstrapSettings, interval
from sqlrl.statistics.passk import mixed_group_share
from sqlrl.statistics.power import smallest_provable_gain, tasks_needed

# With less between pass@k and pass@1, published runs did not move in 300 steps.
LITTLE_HEADROOM = 0.06
GROUP_SIZES = (4, 8, 16)
# Standard deviation of results that are 0 or 1, half of each: the largest that shares can have.
ALL_OR_NOTHING = 0.5


def build_benchmark(evidence: Evidence, settings: ReportSettings) -> dict[str, Any]:
    """The base's figures and a forecast, as the JSON of base_benchmark."""
    figures = checkpoint_figures(evidence, BASE, settings)
    document: dict[str, Any] = rounded(
        {
            "run": settings.run,
            "headline_databases": settings.headline_databases,
            "headline": _headline(evidence, figures),
            "asked": asked(evidence),
            "base": figures,
            "forecast": {
                "headroom": figures["all"]["headroom"],
                "little_to_amplify": figures["all"]["headroom"] < LITTLE_HEADROOM,
                "mixed_groups": mixed_groups(evidence.passes[BASE]),
                "smallest_provable_gain": provable_range(evidence, settings.bootstrap),
            },
        }
    )
    return document


def mixed_groups(passes: Passes) -> dict[str, float]:
    """Expected share of groups with passes and failures among random held-out tasks, by group size.

    From the samples of all passes together; sizes that they are too few for are left out.
    """
    drawn: dict[str, int] = {}
    passed: dict[str, int] = {}
    for one in passes.values():
        for task, number in zip(one.tasks, one.right.sum(axis=1).tolist(), strict=True):
            drawn[task] = drawn.get(task, 0) + one.k
            passed[task] = passed.get(task, 0) + number
    n, c = list(drawn.values()), list(passed.values())
    return {str(size): mixed_group_share(n, c, size) for size in GROUP_SIZES if size <= min(n)}


def provable_range(evidence: Evidence, settings: BootstrapSettings) -> dict[str, Any]:
    """The gain that this holdout would prove with power 0.8, between two guesses of the spread.

    ``lowest``: training lifts all tasks alike, so that only sampling noise spreads their differences,
    as between two passes of the base (None with one pass). ``highest``: training leaves half of the
    tasks always right and half always wrong, whatever they were before.
    """
    passes = evidence.passes[BASE]
    first = task_values(passes[min(passes)], "pass@1")
    whole = interval(list(first.values()), settings, [evidence.tasks[task].template for task in first])
    noise = [
        one.estimate.sd
        for before, after in pairwise(sorted(passes))
        for one in difference_by_pass({1: passes[before]}, {1: passes[after]}, evidence.tasks, settings)
    ]
    spreads: Mapping[str, float | None] = {
        "lowest": float(np.mean(noise)) if noise else None,
        "highest": math.hypot(whole.sd, ALL_OR_NOTHING),
    }
    return {name: _provable(sd, whole.tasks, whole.design_effect, settings) for name, sd in spreads.items()}


def _provable(
    sd: float | None, tasks: int, design_effect: float, settings: BootstrapSettings
) -> dict[str, Any] | None:
    if not sd:
        return None
    needed = {
        f"{gain:g}": tasks_needed(sd * design_effect**0.5, gain, confidence=settings.confidence)
        for gain in GAINS
    }
    gain = smallest_provable_gain(sd, tasks / design_effect, confidence=settings.confidence)
    return {"gain": gain, "sd": sd, "design_effect": design_effect, "tasks_needed": needed}


def _headline(evidence: Evidence, figures: Mapping[str, Any]) -> str:
    rate, headroom = figures["all"]["pass@1"], figures["all"]["headroom"]
    able = "little" if headroom < LITTLE_HEADROOM else "room"
    return (
        f"The base model answers {percent(rate['value'])} of {count(rate['tasks'], 'held-out question')} right "
        f"({rate_span(rate)}), and {percent(figures['all']['pass@k']['value'])} with "
        f"{evidence.k} tries: {able} for reinforcement learning to amplify (headroom {headroom:.2f})."
    )
