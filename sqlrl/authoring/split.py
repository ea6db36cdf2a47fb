"""Train, dev and holdout by one hash of the task id, so that adding tasks never moves one."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sqlrl.authoring.task import Task
from sqlrl.errors import UserError
from sqlrl.files import digest_text
from sqlrl.records import iterate_unique

TRAIN, DEV, HOLDOUT = "train", "dev", "holdout"
PARTS = (TRAIN, DEV, HOLDOUT)
HASH_VALUES = 16**15


@dataclass(frozen=True)
class SplitSettings:
    """Shares of the tasks that are set aside, each in [0, 1)."""

    dev: float
    holdout: float

    def check(self) -> None:
        """Raises UserError where a share is impossible or nothing is left to train on."""
        if not (0 <= self.dev < 1 and 0 <= self.holdout < 1 and self.dev + self.holdout < 1):
            raise UserError(
                f"split: dev {self.dev} and holdout {self.holdout} must be at least 0 and below 1 together."
            )


def position(task_id: str) -> float:
    """Where a task stands in [0, 1), by a hash of its id alone."""
    return int(digest_text(f"split of {task_id}")[:15], 16) / HASH_VALUES


def part_of(task_id: str, settings: SplitSettings) -> str:
    """The part of a task. The holdout lies at the low end, dev above it, train takes the rest.

    So a task that is held out stays so whatever the share of dev.
    """
    place = position(task_id)
    if place < settings.holdout:
        return HOLDOUT
    return DEV if place < settings.holdout + settings.dev else TRAIN


def split_tasks(tasks: Iterable[Task], settings: SplitSettings, where: str) -> dict[str, list[Task]]:
    """The tasks by part, each in its order, with its part filled in.

    Raises:
        UserError: an id occurs twice, or the shares are impossible.
    """
    settings.check()
    parts: dict[str, list[Task]] = {part: [] for part in PARTS}
    for task in iterate_unique(tasks, "id", where):
        part = part_of(task.id, settings)
        parts[part].append(replace(task, part=part))
    return parts
