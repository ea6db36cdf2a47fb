"""What the base's own replies foresee before anything is trained: what there is to amplify, what could be proven."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from sqlrl.report.comparisons import difference_by_pass
from sqlrl.report.evidence import Evidence
from sqlrl.report.files import BASE
from sqlrl.report.rates import Passes, mean_values, task_values
from sqlrl.statistics.bootstrap import BootstrapSettings, interval
from sqlrl.statistics.passk import mixed_group_share
from sqlrl.statistics.power import smallest_provable_gain, tasks_needed

# With less between pass@k and pass@1, published runs did not move in 300 steps.
LITTLE_HEADROOM = 0.06
GROUP_SIZES = (4, 8, 16)
GAINS = (0.01, 0.02, 0.03, 0.05, 0.10)
# Standard deviation of results that are 0 or 1, half of each: the largest that shares can have.
ALL_OR_NOTHING = 0.5


def forecast(evidence: Evidence, settings: BootstrapSettings, group_sizes: Sequence[int]) -> dict[str, Any]:
    """The forecast from the base's replies on the holdout, as the report's JSON has it."""
    passes = evidence.passes[BASE]
    ability, rate = (
        float(np.mean(list(mean_values(passes, name, evidence.tasks).values())))
        for name in ("pass@k", "pass@1")
    )
    return {
        "headroom": ability - rate,
        "little_to_amplify": ability - rate < LITTLE_HEADROOM,
        "mixed_groups": mixed_groups(passes, group_sizes),
        "smallest_provable_gain": provable_range(evidence, settings),
    }


def chosen_groups(evidence: Evidence, stages: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Of each stage that learns from groups their size and the share expected to be mixed, of random questions.

    From the replies of the checkpoint that the stage starts from, on the holdout: None where they are fewer than
    a group, or where that checkpoint was not scored. A stage that trains on a band of questions will see more.

    Args:
        evidence: what was scored.
        stages: name to the settings that it trained with.
    """
    found = []
    for stage, settings in stages.items():
        size, start = settings.get("group_size"), evidence.parent(stage)
        if size:
            shares = mixed_groups(evidence.passes[start], [size]) if start in evidence.passes else {}
            found.append({"stage": stage, "from": start, "group_size": size, "mixed": shares.get(str(size))})
    return found


def mixed_groups(passes: Passes, sizes: Sequence[int] = GROUP_SIZES) -> dict[str, float]:
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
    return {str(size): mixed_group_share(n, c, size) for size in sizes if size <= min(n)}


def provable_range(evidence: Evidence, settings: BootstrapSettings) -> dict[str, Any]:
    """The gain that this holdout would prove with power 0.8, between two guesses of the spread.

    ``lowest``: training lifts all tasks alike, so that only sampling noise spreads their differences,
    as between two passes of the base (None with one pass). ``highest``: training leaves half of the
    tasks always right and half always wrong, whatever they were before.
    """
    passes = evidence.passes[BASE]
    first = task_values(passes[min(passes)], "pass@1")
    whole = interval(list(first.values()), settings, *_places(evidence, first))
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


def _places(evidence: Evidence, tasks: Iterable[str]) -> tuple[list[str], list[str]]:
    """Templates and schemas of tasks."""
    found = [evidence.tasks[task] for task in tasks]
    return [task.template for task in found], [task.database for task in found]


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
