"""Several seeds of one stage: one verdict from all of them, seeds and tasks at once."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sqlrl.errors import UserError
from sqlrl.report.evidence import Evidence
from sqlrl.report.files import BASE
from sqlrl.report.rates import ends, mean_values
from sqlrl.report.settings import ReportSettings
from sqlrl.statistics.crossed import crossed_interval, honest_crossed
from sqlrl.statistics.verdict import judge_intervals

RATE = "pass@1"


def name_of(stages: Sequence[str]) -> str:
    """What stages that differ in their seed are called together: what their names begin with."""
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*stages, strict=False))
    shared = "".join(letters[0] for letters in alike)
    return shared.rstrip("-._0123456789").removesuffix("seed").rstrip("-._") or stages[0]


def describe_seeds(
    evidence: Evidence,
    groups: Sequence[Sequence[str]],
    seeds: Mapping[str, int | None],
    settings: ReportSettings,
) -> list[dict[str, Any]]:
    """Each group of stages that differ in their seed, against its start and against the base.

    Args:
        evidence: what was scored.
        groups: the stages of each group, in the order of the run.
        seeds: of each stage.
        settings: of the report.

    Raises:
        UserError: the seeds of a group and what they are compared with share no task.
    """
    return [
        {
            "name": name_of(stages),
            "stages": list(stages),
            "seeds": [seeds.get(stage) for stage in stages],
            "against": [
                _compare(evidence, stages, before, settings)
                for before in dict.fromkeys((evidence.parent(stages[0]), BASE))
                if before in evidence.passes
            ],
        }
        for stages in groups
    ]


def _compare(
    evidence: Evidence, stages: Sequence[str], before: str, settings: ReportSettings
) -> dict[str, Any]:
    rates = {name: mean_values(evidence.passes[name], RATE, evidence.tasks) for name in (before, *stages)}
    shared = sorted(set.intersection(*(set(one) for one in rates.values())))
    if not shared:
        raise UserError(
            f"{before} and the seeds {', '.join(stages)} share no held-out task; score them again."
        )
    values: NDArray[np.float64] = np.array([[rates[name][task] for task in shared] for name in rates])
    templates = [evidence.tasks[task].template for task in shared]
    found = crossed_interval(values[1:] - values[0], templates, settings.bootstrap)
    decides = honest_crossed(found, settings.bootstrap)
    verdict = judge_intervals([decides], settings.equivalence_margin)
    return {
        "before": before,
        "holdout_tasks": len(shared),
        "before_value": float(values[0].mean()),
        "after_value": float(values[1:].mean()),
        "after_by_seed": values[1:].mean(axis=1).tolist(),
        "difference": found.value,
        "difference_by_seed": list(found.by_seed),
        "interval": ends(decides),
        "crossed": ends(found.crossed),
        "over_seeds": ends(found.over_seeds),
        "verdict": verdict,
        "verdict_sentence": verdict,
    }
