"""What every step cost, read from the timing files; the one part of a report that differs between builds."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sqlrl.records import read_json
from sqlrl.report.files import stage_folder
from sqlrl.timing import Timing


def summarise(paths: Iterable[Path]) -> dict[str, Any]:
    """Wall seconds, tokens and samples by checkpoint and kind of step, and their sums.

    Args:
        paths: timing files, ``.../<checkpoint>/timings/<step>.json``; the step's kind is the name up
            to its first dash: ``rollouts-shop-holdout-1`` is of kind ``rollouts``.
    """
    steps: dict[tuple[str, str], list[Timing]] = {}
    for path in sorted(paths):
        steps.setdefault((stage_folder(path, 2), path.stem.split("-")[0]), []).append(read_json(path, Timing))
    everything = [one for found in steps.values() for one in found]
    return {
        "steps": [
            {"checkpoint": checkpoint, "step": step, **_sums(found)}
            for (checkpoint, step), found in steps.items()
        ],
        "total": _sums(everything),
        "machines": sorted({one.machine for one in everything}),
    }


def _sums(found: list[Timing]) -> dict[str, Any]:
    return {
        "jobs": len(found),
        "seconds": round(sum(one.seconds for one in found), 3),
        "tokens": sum(one.tokens for one in found),
        "samples": sum(one.samples for one in found),
    }
