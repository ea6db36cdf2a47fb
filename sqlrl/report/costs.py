"""What every step cost, read from the timing files; the one part of a report that differs between builds."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlrl.records import read_json
from sqlrl.report.files import stage_folder, stage_of
from sqlrl.timing import Timing

# Kinds of steps in the order in which a stage takes them.
STEPS = ("band", "replies", "train", "parity", "rollouts", "scores")


def summarise(
    paths: Iterable[Path],
    stages: Sequence[str],
    gpu_hour_price: float | None = None,
    groups: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Wall seconds, GPU-hours, tokens, samples and money by checkpoint and kind of step, and their sums.

    Money is the sum of what is known, of tokens and of GPU-hours; None where nothing is.

    Args:
        paths: timing files, ``.../<checkpoint>/timings/<step>.json``; the step's kind is the name up
            to its first dash: ``rollouts-shop-holdout-1`` is of kind ``rollouts``.
        stages: the run's stages in their order; what is of none of them, the base, comes first.
        gpu_hour_price: US dollars that an hour of one GPU costs; None where it is not known.
        groups: stage to the name under which it is added up with others, as the seeds of one arm are.
    """
    named = groups or {}
    order = [named.get(stage, stage) for stage in stages]
    steps: dict[tuple[str, str], list[Timing]] = {}
    for path in sorted(paths):
        checkpoint, step = stage_folder(path, 2), path.stem.split("-")[0]
        steps.setdefault((named.get(checkpoint, checkpoint), step), []).append(read_json(path, Timing))
    everything = [one for found in steps.values() for one in found]
    return {
        "steps": [
            {"checkpoint": checkpoint, "step": step, **_sums(found, gpu_hour_price)}
            for (checkpoint, step), found in sorted(
                steps.items(), key=lambda one: _place(one[0][0], one[0][1], order)
            )
        ],
        "total": _sums(everything, gpu_hour_price),
        "machines": sorted({one.machine for one in everything}),
    }


def _place(checkpoint: str, step: str, stages: Sequence[str]) -> tuple[int, str, int, str]:
    stage, _ = stage_of(checkpoint)
    place = stages.index(stage) if stage in stages else -1
    return (place, checkpoint, STEPS.index(step) if step in STEPS else len(STEPS), step)


def _sums(found: list[Timing], gpu_hour_price: float | None) -> dict[str, Any]:
    hours = sum(one.seconds * one.gpus for one in found) / 3600
    paid = [one.money for one in found if one.money is not None]
    paid += [hours * gpu_hour_price] if gpu_hour_price is not None and hours else []
    return {
        "jobs": len(found),
        "seconds": round(sum(one.seconds for one in found), 3),
        "gpu_hours": round(hours, 6),
        "tokens": sum(one.tokens for one in found),
        "samples": sum(one.samples for one in found),
        "prompt_tokens": sum(one.prompt_tokens for one in found),
        "money": round(sum(paid), 6) if paid else None,
    }
