"""Where it got better and worse: the holdout by difficulty, archetype, style and database."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from sqlrl.authoring.task import Task
from sqlrl.report.comparisons import difference_by_pass
from sqlrl.report.evidence import Evidence
from sqlrl.report.rates import mean_values
from sqlrl.statistics.bootstrap import BootstrapSettings

DIFFICULTIES = ("easy", "medium", "hard")
DIMENSIONS: Mapping[str, Callable[[Task], str]] = {
    "difficulty": lambda task: task.difficulty,
    "archetype": lambda task: task.archetype,
    "style": lambda task: task.style,
    "database": lambda task: task.database,
}


def break_down(
    evidence: Evidence, dimension: str, headline: tuple[str, str], settings: BootstrapSettings
) -> list[dict[str, Any]]:
    """pass@1 of every checkpoint in each group of tasks, and the difference of one pair of checkpoints.

    Args:
        evidence: what was scored.
        dimension: a key of DIMENSIONS.
        headline: (after, before), the comparison whose difference is given.
        settings: of the bootstrap.

    Returns:
        One entry a group, difficulties in their order, others by name. ``difference`` and its
        ``interval``, the envelope over scoring passes, are None where a side has no such task.
    """
    groups: dict[str, dict[str, Task]] = {}
    for name, task in evidence.tasks.items():
        groups.setdefault(DIMENSIONS[dimension](task), {})[name] = task
    return [
        {"group": group, **_describe(evidence, groups[group], headline, settings)}
        for group in sorted(groups, key=_place)
    ]


def _describe(
    evidence: Evidence, chosen: Mapping[str, Task], headline: tuple[str, str], settings: BootstrapSettings
) -> dict[str, Any]:
    rates = {}
    for checkpoint in evidence.checkpoints:
        values = mean_values(evidence.passes[checkpoint], "pass@1", chosen)
        rates[checkpoint] = float(np.mean(list(values.values()))) if values else None
    return {
        "tasks": len(chosen),
        "templates": len({task.template for task in chosen.values()}),
        "pass@1": rates,
        **_difference(evidence, chosen, headline, settings),
    }


def _difference(
    evidence: Evidence, chosen: Mapping[str, Task], headline: tuple[str, str], settings: BootstrapSettings
) -> dict[str, Any]:
    after, before = (evidence.passes[checkpoint] for checkpoint in headline)
    shared = all(set(chosen) & set(before[one].tasks) & set(after[one].tasks) for one in before)
    if after is before or not shared:
        return {"difference": None, "interval": None}
    found = [one.estimate for one in difference_by_pass(before, after, chosen, settings)]
    return {
        "difference": float(np.mean([one.value for one in found])),
        "interval": [min(one.headline.low for one in found), max(one.headline.high for one in found)],
    }


def _place(group: str) -> tuple[int, str]:
    return (DIFFICULTIES.index(group) if group in DIFFICULTIES else len(DIFFICULTIES), group)
