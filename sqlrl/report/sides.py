"""One side of a comparison by hand: the score files of one model, put together to scoring passes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlrl.errors import UserError
from sqlrl.report.grouping import by_task
from sqlrl.report.score_lines import ScoreLine, read_groups, read_lines
from sqlrl.verifier.reward import Databases

Samples = Mapping[str, Sequence[ScoreLine]]


@dataclass(frozen=True)
class Side:
    """What one model earned.

    Attributes:
        files: that it was read from.
        passes: each pass's samples by task id, k of every task.
        k: samples a task and pass.
    """

    files: tuple[Path, ...]
    passes: tuple[Samples, ...]
    k: int

    @property
    def tasks(self) -> set[str]:
        """The tasks that every pass has."""
        return set.intersection(*(set(one) for one in self.passes))

    @property
    def all_tasks(self) -> set[str]:
        """The tasks that some pass has."""
        return set().union(*self.passes)


@dataclass(frozen=True)
class Groups:
    """Template and database of tasks by task id, as far as they are known."""

    templates: Mapping[str, str]
    databases: Mapping[str, str]


def read_side(paths: Sequence[Path], databases: Databases = "main") -> Side:
    """Read the score files of one model.

    Files that share no task are parts of one scoring pass, such as one a database. Files of the same
    tasks are passes of their own, numbered in the order in which they are given.

    Raises:
        UserError: a file is given twice, is not a score file, has a sample twice, or tasks have different
            numbers of samples.
    """
    passes: list[dict[str, list[ScoreLine]]] = []
    seen: set[Path] = set()
    for path in paths:
        if path.resolve() in seen:
            raise UserError(f"{path}: given twice; each file is one scoring pass or a part of one.")
        seen.add(path.resolve())
        tasks = by_task(read_lines(path, databases), path)
        home = next((one for one in passes if not one.keys() & tasks.keys()), None)
        if home is None:
            passes.append(tasks)
        else:
            home.update(tasks)
    return Side(tuple(paths), tuple(passes), _same_k(passes, ", ".join(map(str, paths))))


def find_groups(sides: Iterable[Side], task_files: Iterable[Path] = ()) -> Groups:
    """What score files, and task files where there are any, say of the tasks' templates and databases.

    Raises:
        UserError: a task has two templates or two databases.
    """
    groups = Groups({}, {})
    for side in sides:
        lines = (line for one in side.passes for samples in one.values() for line in samples)
        where = ", ".join(map(str, side.files))
        groups = _with(groups, ((line.task_id, line.template, line.database) for line in lines), where)
    for path in task_files:
        told = ((task, *names) for task, names in read_groups(path).items())
        groups = _with(groups, told, str(path))
    return groups


def _same_k(passes: Sequence[Samples], where: str) -> int:
    sizes = {len(samples): task for one in passes for task, samples in one.items()}
    if len(sizes) > 1:
        least, most = min(sizes), max(sizes)
        raise UserError(
            f"{where}: tasks have different numbers of samples: {sizes[least]} has {least} and {sizes[most]} "
            f"has {most}. Perhaps a file is not complete; score every task equally often."
        )
    return next(iter(sizes))


def _with(groups: Groups, told: Iterable[tuple[str, str | None, str | None]], where: str) -> Groups:
    templates, databases = dict(groups.templates), dict(groups.databases)
    for task, template, database in told:
        for known, name, what in ((templates, template, "template"), (databases, database, "database")):
            if name is not None and known.setdefault(task, name) != name:
                raise UserError(f"{where}: task {task} has the {what} {name}, and {known[task]} elsewhere.")
    return Groups(templates, databases)
