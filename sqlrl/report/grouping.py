"""Records of samples by the task that they answer."""

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol, TypeVar

from sqlrl.errors import UserError


class Sampled(Protocol):
    """What a record of one sample has at least."""

    @property
    def task_id(self) -> str:
        """The task that it answers."""
        ...

    @property
    def sample(self) -> int:
        """Its number among the samples of the task."""
        ...


Record = TypeVar("Record", bound=Sampled)


def by_task(records: Iterable[Record], path: Path) -> dict[str, list[Record]]:
    """Records by task, in the order of their samples.

    Args:
        records: of one file.
        path: the file, which an error names.

    Raises:
        UserError: a sample occurs twice.
    """
    groups: dict[str, dict[int, Record]] = {}
    for record in records:
        samples = groups.setdefault(record.task_id, {})
        if record.sample in samples:
            raise UserError(f"{path}: sample {record.sample} of task {record.task_id} occurs twice.")
        samples[record.sample] = record
    return {task: [samples[number] for number in sorted(samples)] for task, samples in groups.items()}
