"""What every step cost, read from the timing files; the one part of a report that differs between builds."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from sqlrl.records import read_json
from sqlrl.report.files import stage_folder, stage_of
from sqlrl.timing import Timing

# Kinds of steps in the order in which a stage takes them.
STEPS = ("band", "replies", "train", "rollouts", "scores")


def summarise(paths: Iterable[Path], stages: Sequence[str]) -> dict[str, Any]:
    """Wall seconds, tokens, samples and money by checkpoint and kind of step, and their sums.

    Money is the sum of what is known, None where nothing is.

    Args:
        paths: timing files, ``.../<checkpoint>/timings/<step>.json``; the step's kind is the name up
            to its first dash: ``rollouts-shop-holdout-1`` is of kind ``rollouts``.
        stages: the run's stages in their order; what is of none of them, the base, comes first.
    """
    steps: dict[tuple[str, str], list[Timing]] = {}
    for path in sorted(paths):
        steps.setdefault((stage_folder(path, 2), path.stem.split("-")[0]), []).append(read_json(path, Timing))
    everything = [one for found in steps.values() for one in found]
    return {
        "steps": [
            {"checkpoint": checkpoint, "step": step, **_sums(found)}
            for (checkpoint, step), found in sorted(
                steps.items(), key=lambda one: _place(one[0][0], one[0][1], stages)
            )
        ],
        "total": _sums(everything),
        "machines": sorted({one.machine for one in everything}),
    }


def _place(checkpoint: str, step: str, stages: Sequence[str]) -> tuple[int, str, int, str]:
    stage, _ = stage_of(checkpoint)
    place = stages.index(stage) if stage in stages else -1
    return (place, checkpoint, STEPS.index(step) if step in STEPS else len(STEPS), step)


def _sums(found: list[Timing]) -> dict[str, Any]:
    paid = [one.money for one in found if one.money is not None]
    return {
        "jobs": len(found),
        "seconds": round(sum(one.seconds for one in found), 3),
        "tokens": sum(one.tokens for one in found),
        "samples": sum(one.samples for one in found),
        "prompt_tokens": sum(one.prompt_tokens for one in found),
        "money": round(sum(paid), 6) if paid else None,
    }
