"""Paired differences between checkpoints, one a scoring pass, and their verdict in words."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sqlrl.authoring.task import Task
from sqlrl.errors import UserError
from sqlrl.report.evidence import Evidence
from sqlrl.report.files import BASE
from sqlrl.report.passes import ScoringPass
from sqlrl.report.rates import Passes, ends, mean_values, task_values
from sqlrl.statistics.bootstrap import BootstrapSettings, Estimate, PairedDifference, paired_difference
from sqlrl.statistics.paired_tests import FEWEST_FLIPPED, cluster_t_test, permutation_test, sign_test
from sqlrl.statistics.power import smallest_provable_gain
from sqlrl.statistics.verdict import judge_difference

RATE = "pass@1"


def pairs(evidence: Evidence) -> list[tuple[str, str]]:
    """(after, before): each checkpoint against its start, then against the base, each pair once."""
    found = []
    for after in evidence.checkpoints:
        for before in (evidence.parent(after), BASE):
            known = before in evidence.passes and before != after
            if known and (after, before) not in found:
                found.append((after, before))
    return found


def parts_of(tasks: Mapping[str, Task]) -> dict[str, dict[str, Task]]:
    """The tasks whose template occurs in training, and those whose template does not."""
    return {
        "seen": {name: task for name, task in tasks.items() if task.template_in_training},
        "unseen": {name: task for name, task in tasks.items() if not task.template_in_training},
    }


def compare(
    evidence: Evidence, after: str, before: str, settings: BootstrapSettings, margin: float
) -> dict[str, Any]:
    """One comparison as the report's JSON has it, over all tasks, and over seen and unseen templates.

    Raises:
        UserError: the two checkpoints share no task.
    """
    whole = compare_whole(evidence, after, before, settings, margin)
    old, new = evidence.passes[before], evidence.passes[after]
    parts = {
        name: compare_passes(old, new, chosen, settings, margin)
        for name, chosen in parts_of(evidence.tasks).items()
    }
    return {**whole, **parts}


def compare_whole(
    evidence: Evidence, after: str, before: str, settings: BootstrapSettings, margin: float
) -> dict[str, Any]:
    """The same over all tasks alone. Raises UserError as compare."""
    old, new = evidence.passes[before], evidence.passes[after]
    whole = compare_passes(old, new, evidence.tasks, settings, margin)
    if whole is None:
        raise UserError(
            f"{after} and {before} share no held-out task in some scoring pass; score them again."
        )
    return {"after": after, "before": before, **whole}


def compare_passes(
    old: Passes, new: Passes, chosen: Mapping[str, Task], settings: BootstrapSettings, margin: float
) -> dict[str, Any] | None:
    """The paired difference in pass@1 over the chosen tasks; None where no task has both sides."""
    if any(not _chosen(old[number], chosen).keys() & _chosen(new[number], chosen).keys() for number in old):
        return None
    found = difference_by_pass(old, new, chosen, settings)
    return _describe(found, settings, margin) | tests_of(old, new, chosen, settings.seed)


def difference_by_pass(
    old: Passes, new: Passes, chosen: Mapping[str, Task], settings: BootstrapSettings
) -> list[PairedDifference]:
    """One paired difference in pass@1 a scoring pass."""
    templates = {name: task.template for name, task in chosen.items()}
    schemas = {name: task.database for name, task in chosen.items()}
    return [
        paired_difference(
            _chosen(old[number], chosen), _chosen(new[number], chosen), settings, templates, schemas
        )
        for number in sorted(old)
    ]


def tests_of(old: Passes, new: Passes, chosen: Mapping[str, Task], seed: int) -> dict[str, Any]:
    """Two tests of the differences of the tasks' means over all passes, and how many tasks moved.

    The permutation test flips tasks alone and templates as one; few templates have too few patterns, and Student's t
    over them stands in. ``p`` is the larger of the one over tasks and the one over templates, as the wider of two
    intervals counts. Schemas are too few to test: their interval is for the verdict to heed.
    """
    before, after = mean_values(old, RATE, chosen), mean_values(new, RATE, chosen)
    shared = sorted(before.keys() & after.keys())
    differences = [after[task] - before[task] for task in shared]
    templates = [chosen[task].template for task in shared]
    signs = sign_test(differences)
    by_task = permutation_test(differences, seed)
    by_template = permutation_test(differences, seed, templates)
    few = len(set(templates)) < FEWEST_FLIPPED
    student = cluster_t_test(differences, templates) if few else None
    return {
        "moved": {"up": signs.up, "down": signs.down, "same": len(shared) - signs.up - signs.down},
        "sign_test": signs.p,
        "permutation_test": {"by_task": by_task, "by_template": by_template},
        "t_test_by_template": student,
        "p": max(by_task, by_template if student is None else student),
    }


def _chosen(one: ScoringPass, chosen: Mapping[str, Task]) -> dict[str, float]:
    return {task: value for task, value in task_values(one, RATE).items() if task in chosen}


def _describe(
    found: Sequence[PairedDifference], settings: BootstrapSettings, margin: float
) -> dict[str, Any]:
    estimates = [one.estimate for one in found]
    verdict = judge_difference(estimates, margin, settings.confidence)
    intervals = [ends(one.headline) for one in estimates]
    differences = [one.value for one in estimates]
    noisiest = max(estimates, key=lambda one: one.sd * one.design_effect**0.5)
    return {
        "verdict": verdict.words,
        "verdict_sentence": verdict.sentence,
        "needed_tasks": verdict.needed_tasks,
        "holdout_tasks": estimates[0].tasks,
        "templates": estimates[0].clusters,
        "schemas": estimates[0].schemas,
        "lost_tasks": max(one.lost for one in found),
        "before_value": float(np.mean([one.before for one in found])),
        "after_value": float(np.mean([one.after for one in found])),
        "difference": float(np.mean(differences)),
        "differences": differences,
        "spread": max(differences) - min(differences),
        "interval": [min(low for low, _ in intervals), max(high for _, high in intervals)],
        "intervals": intervals,
        "by_task": [ends(one.by_task) for one in estimates],
        "by_template": [ends(one.by_cluster) for one in estimates if one.by_cluster],
        "by_schema": [ends(one.by_schema) for one in estimates if one.by_schema],
        "zero_width": any(one.headline.width == 0 for one in estimates),
        "sd": noisiest.sd,
        "design_effect": noisiest.design_effect,
        "smallest_provable_gain": _provable(noisiest, settings),
    }


def _provable(estimate: Estimate, settings: BootstrapSettings) -> float | None:
    """None where no task moved: there is no spread to foresee anything from."""
    if estimate.sd == 0:
        return None
    tasks = estimate.tasks / estimate.design_effect
    return smallest_provable_gain(estimate.sd, tasks, confidence=settings.confidence)
