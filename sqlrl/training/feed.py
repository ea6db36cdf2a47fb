"""Which tasks an optimizer step trains on: a function of the seed and the step, nothing is remembered."""

from collections.abc import Sequence

from sqlrl.authoring.task import Task
from sqlrl.errors import UserError
from sqlrl.files import digest_text


class Feed:
    """Goes through the tasks again and again, each pass in an order of its own.

    A pass leaves out the few tasks that do not fill a step, other ones each time, so that a step
    never holds a task twice.
    """

    def __init__(self, tasks: Sequence[Task], per_step: int, seed: int, setting: str) -> None:
        """
        Args:
            tasks: distinct tasks, in any order.
            per_step: how many a step takes.
            seed: of the orders.
            setting: the name of the setting that says per_step, for the message.

        Raises:
            UserError: fewer tasks than one step takes.
        """
        if len(tasks) < per_step:
            raise UserError(
                f"{len(tasks)} training tasks are left, but {setting} is {per_step}: "
                f"select more tasks, widen the band or lower {setting}."
            )
        self._tasks = sorted(tasks, key=lambda task: task.id)
        self._per_step, self._seed = per_step, seed

    def tasks(self, step: int) -> list[Task]:
        """The tasks of a step, counted from 0."""
        steps_a_pass = len(self._tasks) // self._per_step
        number, place = divmod(step, steps_a_pass)
        order = sorted(self._tasks, key=lambda task: digest_text(f"{self._seed}/{number}/{task.id}"))
        return order[place * self._per_step : (place + 1) * self._per_step]
