"""Where a stage's figures go besides its own log: experiment trackers, through the trainer's callbacks."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from sqlrl.errors import UserError

TRACKERS = ("tensorboard", "trackio", "wandb")
PROJECT = "sqlrl"


@dataclass(frozen=True)
class Reporting:
    """Names of trackers, and the name of the run in them. Nothing of it decides what is trained."""

    trackers: tuple[str, ...] = ()
    name: str = ""


def open_reporting(trackers: Sequence[str], adapter: Path) -> Reporting:
    """Make ready to report a stage's figures.

    Args:
        trackers: names out of TRACKERS.
        adapter: the folder of the stage's adapter, ``.../<run>/<stage>/adapter``, which names the run.

    Raises:
        UserError: a tracker is unknown or not installed.
    """
    for tracker in trackers:
        if tracker not in TRACKERS:
            raise UserError(f"report_to: {tracker!r} is no tracker; allowed: {', '.join(TRACKERS)}.")
        if find_spec(tracker) is None:
            raise UserError(
                f"report_to: {tracker} is not installed. Install it with `pip install {tracker}`, or leave"
                " report_to empty."
            )
    stage = adapter.absolute().parent
    if "tensorboard" in trackers:
        # The callback takes its folder from here alone.
        os.environ["TENSORBOARD_LOGGING_DIR"] = str(stage / "logs" / "tensorboard")
    return Reporting(tuple(trackers), f"{stage.parent.name}/{stage.name}")
