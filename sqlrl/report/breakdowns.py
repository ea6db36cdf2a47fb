"""Where it got better and worse: the holdout by kind of question, by table and by what the SQL uses."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from sqlrl.authoring.task import Task
from sqlrl.report.adjustment import adjust_groups
from sqlrl.report.comparisons import difference_by_pass, tests_of
from sqlrl.report.evidence import Evidence
from sqlrl.report.rates import mean_values
from sqlrl.statistics.bootstrap import BootstrapSettings

DIFFICULTIES = ("easy", "medium", "hard")
# A task is in one group of each of these ...
DIMENSIONS: Mapping[str, Callable[[Task], str]] = {
    "difficulty": lambda task: task.difficulty,
    "archetype": lambda task: task.archetype,
    "style": lambda task: task.style,
    "database": lambda task: task.database,
}
# ... and in as many of each of these as its SQL has.
SEVERAL: Mapping[str, Callable[[Task], tuple[str, ...]]] = {
    "table": lambda task: task.tables,
    "feature": lambda task: task.features,
}
# With fewer tasks or query shapes a group's interval is a guess.
SMALL_TASKS, SMALL_TEMPLATES = 10, 5


def break_down(
    evidence: Evidence, dimension: str, headline: tuple[str, str], settings: BootstrapSettings
) -> list[dict[str, Any]]:
    """pass@1 of every checkpoint in each group of tasks, and the difference of one pair of checkpoints.

    Args:
        evidence: what was scored.
        dimension: a key of DIMENSIONS or of SEVERAL.
        headline: (after, before), the comparison whose difference is given.
        settings: of the bootstrap.

    Returns:
        One entry a group, difficulties in their order, others by name. ``difference``, its ``interval``, the
        envelope over scoring passes, and ``p`` are None where a side has no such task; of ``p_adjusted``,
        ``alone`` and ``holds`` see adjust_groups, whose family are the groups of this dimension.
    """
    groups: dict[str, dict[str, Task]] = {}
    for name, task in evidence.tasks.items():
        for group in groups_of(task, dimension):
            groups.setdefault(group, {})[name] = task
    found = [
        {"group": group, **_describe(evidence, groups[group], headline, settings)}
        for group in sorted(groups, key=_place)
    ]
    return adjust_groups(found, settings.confidence)


def groups_of(task: Task, dimension: str) -> tuple[str, ...]:
    """The groups of a dimension that a task is in."""
    return SEVERAL[dimension](task) if dimension in SEVERAL else (DIMENSIONS[dimension](task),)


def _describe(
    evidence: Evidence, chosen: Mapping[str, Task], headline: tuple[str, str], settings: BootstrapSettings
) -> dict[str, Any]:
    rates = {}
    for checkpoint in evidence.checkpoints:
        values = mean_values(evidence.passes[checkpoint], "pass@1", chosen)
        rates[checkpoint] = float(np.mean(list(values.values()))) if values else None
    templates = len({task.template for task in chosen.values()})
    return {
        "tasks": len(chosen),
        "templates": templates,
        "small": len(chosen) < SMALL_TASKS or templates < SMALL_TEMPLATES,
        "pass@1": rates,
        **_difference(evidence, chosen, headline, settings),
    }


def _difference(
    evidence: Evidence, chosen: Mapping[str, Task], headline: tuple[str, str], settings: BootstrapSettings
) -> dict[str, Any]:
    after, before = (evidence.passes[checkpoint] for checkpoint in headline)
    shared = all(set(chosen) & set(before[one].tasks) & set(after[one].tasks) for one in before)
    if after is before or not shared:
        return {"difference": None, "interval": None, "p": None}
    found = [one.estimate for one in difference_by_pass(before, after, chosen, settings)]
    return {
        "difference": float(np.mean([one.value for one in found])),
        "interval": [min(one.headline.low for one in found), max(one.headline.high for one in found)],
        "p": tests_of(before, after, chosen, settings.seed)["p"],
    }


def _place(group: str) -> tuple[int, str]:
    return (DIFFICULTIES.index(group) if group in DIFFICULTIES else len(DIFFICULTIES), group)
