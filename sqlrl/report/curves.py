"""The training curve of each stage beside its score on dev, and a warning when only the first rises."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sqlrl.errors import UserError
from sqlrl.records import read_text
from sqlrl.report.comparisons import difference_by_pass
from sqlrl.report.evidence import Evidence
from sqlrl.report.files import stage_folder, stage_of
from sqlrl.report.rates import rate_figures
from sqlrl.report.words import count, points, span
from sqlrl.statistics.bootstrap import BootstrapSettings
from sqlrl.statistics.verdict import BETTER

# What a stage's training log is read for: the first of these that its lines have.
SIGNALS = ("reward", "loss")


def read_training_log(path: Path) -> tuple[str, dict[str, Any]]:
    """The stage of a training log, and its curve: ``signal``, ``steps`` and ``values``.

    Raises:
        UserError: a line is no JSON object with a step and a reward or a loss, or one that is not finite.
    """
    lines = [(number, line) for number, line in enumerate(read_text(path).split("\n"), 1) if line.strip()]
    steps, values, signals = [], [], []
    for number, line in lines:
        try:
            entry = json.loads(line)
            signal = next(name for name in SIGNALS if entry.get(name) is not None)
            steps.append(int(entry["step"]))
            values.append(float(entry[signal]))
            signals.append(signal)
        except (ValueError, KeyError, StopIteration, AttributeError) as error:
            raise UserError(f"{path}:{number}: expected an object with step and reward or loss.") from error
        if not math.isfinite(values[-1]):
            raise UserError(
                f"{path}:{number}: the {signals[-1]} of step {steps[-1]} is {values[-1]}, no number: training broke "
                "down there. Lower the learning rate and train the stage again."
            )
    if len(set(signals)) > 1:
        raise UserError(f"{path}: some lines have a reward and some a loss.")
    return stage_folder(path, 1), {
        "signal": signals[0] if signals else None,
        "steps": steps,
        "values": values,
    }


def stage_curve(
    stage: str,
    curve: Mapping[str, Any],
    evidence: Evidence,
    settings: BootstrapSettings,
    verdict: str | None = None,
) -> dict[str, Any]:
    """One stage's training curve, its dev scores by step, and the warning, None where there is none.

    ``verdict`` is that of the holdout on the stage against its start, None where there is none.

    Dev scores stand at step 0 (the checkpoint that the stage started from), at the steps kept, and
    at the stage's end.
    """
    last = max(curve["steps"], default=0)
    places = {evidence.parent(stage): 0} | {
        name: (last if stage_of(name)[1] is None else stage_of(name)[1])
        for name in evidence.dev
        if stage_of(name)[0] == stage
    }
    dev = []
    for checkpoint, step in sorted(places.items(), key=lambda one: (one[1] or 0, one[0])):
        if checkpoint in evidence.dev:
            tasks = evidence.dev_tasks
            rate = rate_figures(evidence.dev[checkpoint], "pass@1", tasks, settings)
            if rate:
                dev.append({"step": step, "checkpoint": checkpoint, **rate})
    return {
        "stage": stage,
        "training": dict(curve),
        "dev": dev,
        "warning": _warning(curve, dev, evidence, settings, verdict),
    }


def rises(values: Sequence[float]) -> bool:
    """Whether the last third of a curve lies above the first by more than two standard errors."""
    third = len(values) // 3
    if third < 2:
        return False
    first, last = np.array(values[:third]), np.array(values[-third:])
    error = float(np.hypot(first.std(ddof=1), last.std(ddof=1)) / np.sqrt(third))
    return bool(last.mean() - first.mean() > 2 * error)


def _warning(
    curve: Mapping[str, Any],
    dev: Sequence[Mapping[str, Any]],
    evidence: Evidence,
    settings: BootstrapSettings,
    verdict: str | None,
) -> str | None:
    if curve["signal"] != "reward" or len(dev) < 2 or not rises(curve["values"]):
        return None
    first, last = (evidence.dev[dev[place]["checkpoint"]] for place in (0, -1))
    found = [one.estimate for one in difference_by_pass(first, last, evidence.dev_tasks, settings)]
    if all(one.headline.low > 0 for one in found):
        return None
    change = float(np.mean([one.value for one in found]))
    seen = "did not rise" if change <= 0 else "was not shown to rise"
    widest = min(one.headline.low for one in found), max(one.headline.high for one in found)
    tasks = count(min(one.tasks for one in found), "question")
    meaning = (
        "dev has too few questions to show the gain that the holdout proves."
        if verdict == BETTER and widest[1] >= 0
        else "the policy may have learned its training questions rather than SQL."
    )
    return (
        f"the reward in training rose, but the score on dev {seen} ({points(change)} points, {span(widest)}, "
        f"on {tasks}): {meaning}"
    )
