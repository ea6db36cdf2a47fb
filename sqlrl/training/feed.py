"""Which tasks an optimizer step trains on."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from sqlrl.authoring.task import Task
from sqlrl.errors import UserError
from sqlrl.files import digest_text


class Identified(Protocol):
    """What has an id of its own: a task, or a lesson."""

    @property
    def id(self) -> str: ...


Item = TypeVar("Item", bound=Identified)


class Feed(Protocol):
    """Chooses the tasks of a step, and hears how their groups of samples did."""

    def tasks(self, step: int) -> list[Task]:
        """The tasks of a step, counted from 0."""
        ...

    def more_tasks(self, step: int, count: int, tried: Collection[str]) -> list[Task]:
        """At most so many tasks in place of groups that teach nothing; none where nothing is back-filled.

        Args:
            step: from 0.
            count: how many are wanted.
            tried: ids of the tasks that the step has sampled.
        """
        ...

    def learn(self, step: int, passed: Mapping[str, tuple[int, int]]) -> None:
        """Hear of each sampled task how many of how many samples passed."""
        ...

    def state(self) -> dict[str, Any]:
        """What ``restore`` needs, as JSON values."""
        ...

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a state."""
        ...


class SweepFeed(Generic[Item]):
    """Goes through the tasks, or the lessons, again and again, each pass in an order of its own.

    A function of the seed and the step: nothing is remembered. A pass leaves out the few tasks that do
    not fill a step, other ones each time, so that a step never holds a task twice.
    """

    def __init__(self, tasks: Sequence[Item], per_step: int, seed: int, setting: str) -> None:
        """
        Args:
            tasks: distinct tasks, in any order.
            per_step: how many a step takes.
            seed: of the orders.
            setting: the name of the setting that says per_step, for the message.

        Raises:
            UserError: fewer tasks than one step takes.
        """
        require_tasks(tasks, per_step, setting)
        self._tasks = sorted(tasks, key=lambda task: task.id)
        self._per_step, self._seed = per_step, seed

    def tasks(self, step: int) -> list[Item]:
        """See Feed."""
        steps_a_pass = len(self._tasks) // self._per_step
        number, place = divmod(step, steps_a_pass)
        order = sorted(self._tasks, key=lambda task: digest_text(f"{self._seed}/{number}/{task.id}"))
        return order[place * self._per_step : (place + 1) * self._per_step]

    def more_tasks(self, step: int, count: int, tried: Collection[str]) -> list[Item]:
        """See Feed: none."""
        return []

    def learn(self, step: int, passed: Mapping[str, tuple[int, int]]) -> None:
        """See Feed: nothing is remembered."""

    def state(self) -> dict[str, Any]:
        """See Feed."""
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:
        """See Feed."""


def require_tasks(tasks: Sequence[Identified], per_step: int, setting: str) -> None:
    """Refuse fewer tasks than a step takes. Raises UserError."""
    if len(tasks) < per_step:
        raise UserError(
            f"{len(tasks)} training tasks are left, but {setting} is {per_step}: "
            f"select more tasks, widen the band or lower {setting}."
        )
