"""Tasks that are kept as they are, in the database's own folder, and authored by nobody again."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlrl.authoring.authored import Authored, AuthoringSummary, FrozenFrom, count_cells
from sqlrl.authoring.cells import all_cells
from sqlrl.authoring.instances import Instances, QueryError, open_instances
from sqlrl.authoring.statement import Statement
from sqlrl.authoring.task import Task, normalise_question
from sqlrl.authoring.teacher import Candidate
from sqlrl.database.files import MAIN
from sqlrl.errors import UserError
from sqlrl.files import digest_file, digest_text, write_json, write_text
from sqlrl.records import from_json, read_json, read_text, to_dict, to_line
from sqlrl.verifier.guard import RefusedError

logger = logging.getLogger(__name__)

TASKS, ORIGIN = "tasks.jsonl", "tasks.origin.json"


@dataclass(frozen=True)
class FrozenSettings:
    """How long a frozen task's query may take."""

    statement_timeout_seconds: float


def author_frozen(dump: Path, files: Sequence[Path], timeout_seconds: float) -> Authored:
    """Take the frozen tasks of a database, which a person may have edited.

    Args:
        dump: of main.
        files: TASKS, and ORIGIN where it is there.
        timeout_seconds: how long a query may take.

    Raises:
        UserError: names the file and the line that is no task, asks what another asks, or has an SQL that does not run.
    """
    named = {file.name: file for file in files}
    if TASKS not in named:
        raise UserError(f"--frozen: expected a file {TASKS}, found {', '.join(named) or 'none'}.")
    with open_instances({MAIN: dump}, timeout_seconds) as instances:
        candidates = tuple(read_frozen(named[TASKS], instances))
    origin = read_json(named[ORIGIN], FrozenFrom) if ORIGIN in named else None
    if origin and origin.digest != digest_file(named[TASKS]):
        logger.info("%s was edited since it was frozen", named[TASKS])
    summary = AuthoringSummary("frozen", len(candidates), count_cells(candidates, all_cells()), None, origin)
    return Authored(candidates, summary)


def read_frozen(file: Path, instances: Instances) -> Iterator[Candidate]:
    """The tasks of a file, one a line, each checked.

    Raises:
        UserError: see author_frozen.
    """
    lines: dict[str, int] = {}
    cells = {str(cell) for cell in all_cells()}
    for number, line in enumerate(read_text(file).split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{file}:{number}"
        candidate = from_json(Candidate, line, where)
        if str(candidate.cell) not in cells:
            raise UserError(
                f'{where}: there is no cell "{candidate.cell}"; sqlrl/authoring/cells.py has the names.'
            )
        first = lines.setdefault(normalise_question(candidate.question), number)
        if first != number:
            raise UserError(f"{where}: asks what line {first} asks.")
        _require_query(candidate.reference_sql, where, instances)
        yield candidate


def _require_query(sql: str, where: str, instances: Instances) -> None:
    try:
        Statement.parse(sql)
        instances.ask(MAIN, sql)
    except RefusedError as error:
        raise UserError(f"{where}: reference_sql is not one plain query: {error}.") from error
    except QueryError as error:
        raise UserError(f"{where}: reference_sql does not run: {error}.") from error


def freeze_tasks(tasks: Sequence[Task], authoring: AuthoringSummary, folder: Path) -> None:
    """Write tasks into their database's folder: what a person may edit; the rest follows from it.

    Args:
        tasks: those that screening and probing kept.
        authoring: who wrote them.
        folder: of the database's sources.

    Raises:
        UserError: others are frozen there already.
    """
    # Frozen anew from what was frozen, they are still of the teacher that wrote them.
    first = authoring.frozen.authoring if authoring.frozen else authoring
    keep_candidates([_candidate(task) for task in tasks], first, folder)


def keep_candidates(candidates: Sequence[Candidate], authoring: AuthoringSummary, folder: Path) -> None:
    """Write candidates into their database's folder. See freeze_tasks; authoring is who wrote them first."""
    text = "".join(map(to_line, candidates))
    file = folder / TASKS
    if file.exists() and read_text(file) != text:
        raise UserError(
            f"{file} is there already, with other tasks. To keep these in its place, remove it first; it may have "
            "been edited by hand."
        )
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder; a database's sources lie there.")
    write_json(folder / ORIGIN, to_dict(FrozenFrom(digest_text(text), len(candidates), authoring)))
    write_text(file, text)
    logger.info(
        "%s: %d tasks. With authoring.teacher: frozen (or databases.%s.teacher), nobody is asked for them again.",
        file,
        len(candidates),
        folder.name,
    )


def _candidate(task: Task) -> Candidate:
    return Candidate(task.archetype, task.difficulty, task.style, task.question, task.reference_sql)
