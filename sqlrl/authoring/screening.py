"""What screening found, in figures, and whether it is enough."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlrl.authoring.cells import all_cells
from sqlrl.authoring.screen import Rejection, ScreeningSettings
from sqlrl.authoring.task import Task
from sqlrl.errors import UserError


@dataclass(frozen=True)
class CellCount:
    """Tasks kept of a cell, and the candidates that were not, by reason."""

    kept: int
    rejected: Mapping[str, int]


@dataclass(frozen=True)
class LargestTemplate:
    """The template with the most tasks."""

    template: str
    tasks: int
    share: float


@dataclass(frozen=True)
class ScreeningSummary:
    """screening.json: figures of one database's tasks.

    Attributes:
        reasons: rejected candidates by reason code.
        reasons_of: what the codes mean.
        cells: by cell, every cell named.
        features: tasks that use a feature of SQL.
        rows: tasks by the number of rows of their answer; the same for columns.
        databases: digests of the dumps by instance.
    """

    database: str
    candidates: int
    kept: int
    templates: int
    single_templates: int
    largest_template: LargestTemplate
    reasons: Mapping[str, int]
    cells: Mapping[str, CellCount]
    features: Mapping[str, int]
    rows: Mapping[str, int]
    columns: Mapping[str, int]
    databases: Mapping[str, str]
    settings: ScreeningSettings


def summarise(
    database: str,
    tasks: Sequence[Task],
    rejections: Sequence[Rejection],
    databases: Mapping[str, str],
    settings: ScreeningSettings,
) -> ScreeningSummary:
    """Count what was kept and what was not.

    Raises:
        UserError: a cell is empty where none may be, or the totals of the settings are not met.
    """
    require_enough(database, tasks, rejections, settings)
    templates = Counter(task.template for task in tasks)
    return ScreeningSummary(
        database=database,
        candidates=len(tasks) + len(rejections),
        kept=len(tasks),
        templates=len(templates),
        single_templates=sum(1 for count in templates.values() if count == 1),
        largest_template=_largest(templates, len(tasks)),
        reasons=dict(sorted(Counter(one.reason for one in rejections).items())),
        cells=_cells(tasks, rejections),
        features=dict(sorted(Counter(name for task in tasks for name in task.features).items())),
        rows=_by_number(task.rows for task in tasks),
        columns=_by_number(task.columns for task in tasks),
        databases=databases,
        settings=settings,
    )


def _cells(tasks: Sequence[Task], rejections: Sequence[Rejection]) -> dict[str, CellCount]:
    kept = Counter(f"{task.archetype}, {task.difficulty}, {task.style}" for task in tasks)
    rejected: dict[str, Counter[str]] = {}
    for one in rejections:
        rejected.setdefault(str(one.candidate.cell), Counter())[one.reason] += 1
    return {
        str(cell): CellCount(kept[str(cell)], dict(sorted(rejected.get(str(cell), Counter()).items())))
        for cell in all_cells()
    }


def _by_number(values: Iterable[int]) -> dict[str, int]:
    counts = Counter(values)
    return {str(number): counts[number] for number in sorted(counts)}


def _counts(rejections: Sequence[Rejection]) -> str:
    common = Counter(one.reason for one in rejections).most_common(3)
    return ", ".join(f"{count} {reason}" for reason, count in common)


def require_enough(
    database: str, tasks: Sequence[Task], rejections: Sequence[Rejection], settings: ScreeningSettings
) -> None:
    """Refuse tasks that leave a cell empty or miss the totals of the settings. Raises UserError."""
    if not tasks:
        raise UserError(f"{database}: none of {len(rejections)} candidates was kept: {_counts(rejections)}.")
    cells = _cells(tasks, rejections)
    empty = [name for name, cell in cells.items() if not cell.kept]
    if empty and settings.every_cell:
        reasons = cells[empty[0]].rejected
        raise UserError(
            f"{database}: {len(empty)} of {len(cells)} cells have no task, the first is {empty[0]!r} (rejected:"
            f" {dict(reasons) or 'no candidate at all'}). Raise authoring.candidates_per_cell (of teacher llm: quota), "
            "mend the grammar, or set screening.every_cell: false, as imported tasks need it."
        )
    templates = Counter(task.template for task in tasks)
    largest = _largest(templates, len(tasks))
    if len(tasks) < settings.minimum_tasks:
        short = f"{len(tasks)} tasks were kept, fewer than minimum_tasks = {settings.minimum_tasks}"
    elif len(templates) < settings.minimum_templates:
        short = f"they have {len(templates)} templates, fewer than minimum_templates = {settings.minimum_templates}"
    elif largest.share > settings.maximum_template_share:
        short = (
            f"template {largest.template} has {largest.share:.1%} of the tasks, over maximum_template_share"
        )
    else:
        return
    raise UserError(f"{database}: {short}. Author more candidates, or change these settings.")


def _largest(templates: Counter[str], tasks: int) -> LargestTemplate:
    template, most = min(templates.items(), key=lambda pair: (-pair[1], pair[0]))
    return LargestTemplate(template, most, round(most / tasks, 6))
