"""What the model learned: where replies of each kind went, and which questions it came to answer reliably."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sqlrl.report.evidence import Evidence
from sqlrl.report.passes import KINDS
from sqlrl.report.rates import Passes

# Of all samples of a task: none right, some, or all. Able is not never; reliable is always.
NEVER, SOMETIMES, ALWAYS = STATES = ("never", "sometimes", "always")

Shares = NDArray[np.float64]


def describe_learned(evidence: Evidence, headline: tuple[str, str]) -> dict[str, Any] | None:
    """Movement between kinds of replies and between states of tasks, of one pair of checkpoints.

    None where the pair is one checkpoint or shares no task.

    Args:
        evidence: what was scored.
        headline: (after, before).
    """
    after, before = headline
    old, new = (kinds_by_task(evidence.passes[checkpoint]) for checkpoint in (before, after))
    shared = sorted(old.keys() & new.keys())
    if after == before or not shared:
        return None
    states = {name: task_states(evidence.passes[name]) for name in evidence.checkpoints}
    first, last = states[before], states[after]
    return {
        "after": after,
        "before": before,
        "tasks": len(shared),
        "movement": movement(old, new),
        "states": {name: _count(found) for name, found in states.items()},
        "state_movement": {
            start: _count({task: last[task] for task in shared if first[task] == start}) for start in STATES
        },
        "became_reliable": [task for task in shared if (first[task], last[task]) == (SOMETIMES, ALWAYS)],
        "reliable_from_never": [task for task in shared if (first[task], last[task]) == (NEVER, ALWAYS)],
        "became_able": [task for task in shared if first[task] == NEVER != last[task]],
        "lost_reliability": [task for task in shared if first[task] == ALWAYS != last[task]],
        "lost_ability": [task for task in shared if last[task] == NEVER != first[task]],
        "questions": {task: evidence.tasks[task].question for task in shared if first[task] != last[task]},
    }


def movement(old: Mapping[str, Shares], new: Mapping[str, Shares]) -> dict[str, dict[str, float]]:
    """The share of pairs of replies that went from each kind to each kind; all of them add up to 1.

    Samples of two checkpoints are not made in pairs: sample 3 before has no more to do with sample 3 after
    than with any other. So every reply before is paired with every reply after to the same question, and each
    question weighs the same. Rows and columns add up to the shares of the kinds before and after. A model that
    did not change moves too, because its replies are drawn: what it gains by that it loses as often.
    """
    shared = sorted(old.keys() & new.keys())
    total = np.mean([np.outer(old[task], new[task]) for task in shared], axis=0)
    return {
        start: {end: float(total[row, column]) for column, end in enumerate(KINDS)}
        for row, start in enumerate(KINDS)
    }


def kinds_by_task(passes: Passes) -> dict[str, Shares]:
    """Of each task the shares of its replies by kind, in the order of KINDS, over all passes."""
    found: dict[str, list[int]] = {}
    for one in passes.values():
        for task, kinds in zip(one.tasks, one.kinds.tolist(), strict=True):
            found.setdefault(task, []).extend(kinds)
    return {
        task: np.bincount(kinds, minlength=len(KINDS)) / len(kinds) for task, kinds in sorted(found.items())
    }


def task_states(passes: Passes) -> dict[str, str]:
    """Of each task whether none, some or all of its samples are right, over all passes."""
    found: dict[str, list[bool]] = {}
    for one in passes.values():
        for task, right in zip(one.tasks, one.right.tolist(), strict=True):
            found.setdefault(task, []).extend(right)
    return {
        task: ALWAYS if all(right) else SOMETIMES if any(right) else NEVER
        for task, right in sorted(found.items())
    }


def _count(states: Mapping[str, str]) -> dict[str, int]:
    found = list(states.values())
    return {state: found.count(state) for state in STATES}
