"""The tasks of one run: some cells, one or more databases, perhaps not all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlrl.authoring.cells import ARCHETYPES, DIFFICULTIES, STYLES
from sqlrl.authoring.split import HOLDOUT, PARTS, TRAIN, position
from sqlrl.authoring.task import Task
from sqlrl.errors import UserError
from sqlrl.records import iterate_unique


@dataclass(frozen=True)
class SelectionSettings:
    """What a run trains on and is scored on.

    Attributes:
        archetypes, difficulties, styles: the cells.
        limit: tasks at most by part; None, or a part left out, for all of them.
        trained: whether the run trains on the database; where not, only its holdout is of the run.
    """

    archetypes: tuple[str, ...]
    difficulties: tuple[str, ...]
    styles: tuple[str, ...]
    limit: Mapping[str, int] | None
    trained: bool = True

    def check(self) -> None:
        """Raises UserError where a name is unknown or a list is empty."""
        for key, known in (
            ("archetypes", ARCHETYPES),
            ("difficulties", DIFFICULTIES),
            ("styles", STYLES),
        ):
            names = getattr(self, key)
            unknown = [name for name in names if name not in known]
            if unknown or not names:
                found = f"has {unknown[0]!r}" if unknown else "is empty"
                raise UserError(f"tasks.select.{key} {found}. There are: {', '.join(known)}.")
        for part, count in (self.limit or {}).items():
            if part not in PARTS or count < 1:
                raise UserError(
                    f"tasks.select.limit.{part} is {count}: expected {', '.join(PARTS)}, each at least 1."
                )


def select_tasks(
    parts: Mapping[str, Sequence[Sequence[Task]]], settings: SelectionSettings
) -> dict[str, list[Task]]:
    """Choose the tasks of a run and say for each whether its template is trained on.

    Args:
        parts: for each part the tasks of each database.

    Returns:
        For each part the chosen tasks, sorted by database and id; none but the holdout's where nothing is trained.

    Raises:
        UserError: a setting is unknown, a task lies in the wrong part or occurs twice, or a part that
            a run can't do without is empty.
    """
    settings.check()
    used = PARTS if settings.trained else (HOLDOUT,)
    chosen = {part: _choose(part, parts[part], settings) if part in used else [] for part in PARTS}
    _require_disjoint(chosen)
    trained = {(task.database, task.template) for task in chosen[TRAIN]}
    return {
        part: [
            replace(task, template_in_training=(task.database, task.template) in trained) for task in tasks
        ]
        for part, tasks in chosen.items()
    }


def _choose(part: str, databases: Sequence[Sequence[Task]], settings: SelectionSettings) -> list[Task]:
    everything = [task for tasks in databases for task in tasks]
    misplaced = next((task for task in everything if task.part != part), None)
    if misplaced:
        raise UserError(
            f"task {misplaced.id} of {misplaced.database} is in part {misplaced.part}, given as {part}."
        )
    fitting = [task for task in everything if _is_selected(task, settings)]
    if not fitting and part in (TRAIN, HOLDOUT):
        raise UserError(f"tasks.select leaves no task in part {part} of {len(everything)}.")
    limit = (settings.limit or {}).get(part)
    # By hash and not by place in the file, so that the choice stays when tasks are added.
    ordered = sorted(fitting, key=lambda task: (position(f"selection of {task.id}"), task.database))
    return sorted(ordered[:limit], key=lambda task: (task.database, task.id))


def _is_selected(task: Task, settings: SelectionSettings) -> bool:
    return (
        task.archetype in settings.archetypes
        and task.difficulty in settings.difficulties
        and task.style in settings.styles
    )


def _require_disjoint(chosen: Mapping[str, Sequence[Task]]) -> None:
    everything = [task for part in PARTS for task in chosen[part]]
    for _ in iterate_unique(everything, "id", "the selected tasks of all databases"):
        pass
