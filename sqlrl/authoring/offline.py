"""The offline teacher: drives a schema's grammar with seeds, cell by cell. No key, no network."""

import importlib.util
import logging
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

# What grammars share is part of the code of a script that loads them.
import sqlrl.authoring.grammar.library  # noqa: F401
from sqlrl.authoring.cells import Cell
from sqlrl.authoring.draw import Draw, EmptyDrawError, Stream
from sqlrl.authoring.phrasing import sentence
from sqlrl.authoring.task import normalise_question
from sqlrl.authoring.teacher import Ask, Candidate, Draft, Grammar
from sqlrl.errors import UserError
from sqlrl.progress import ProgressReport

logger = logging.getLogger(__name__)

# Drafts that repeat a question or an SQL or don't fit the data are drawn again, up to so many times the quota.
TRIES_PER_CANDIDATE = 6
ENTRY = "grammar.py"


@dataclass(frozen=True)
class AuthoringSettings:
    """How tasks are authored.

    Attributes:
        teacher: ``offline``.
        seed: another seed, other tasks.
        candidates_per_cell: candidates asked for in each of the 120 cells.
        structures: shapes of SQL drawn for each archetype and difficulty; its four styles share them, so
            that some templates occur several times and some once.
    """

    teacher: str
    seed: int
    candidates_per_cell: int
    structures: int


class OfflineTeacher:
    """Candidates from a grammar; a pure function of the grammar, the data, the seed and the cell."""

    def __init__(self, grammar: Grammar, settings: AuthoringSettings) -> None:
        self._grammar = grammar
        self._settings = settings

    def author(self, cells: Sequence[Cell], candidates_per_cell: int) -> Iterator[Candidate]:
        """Candidates of each cell in turn, no question and no SQL twice."""
        with ProgressReport(len(cells) * candidates_per_cell, "authoring") as progress:
            seen: set[str] = set()
            for cell in cells:
                found = 0
                for candidate in self._fill(cell, candidates_per_cell, seen):
                    found += 1
                    progress.advance(1, str(cell))
                    yield candidate
                if found < candidates_per_cell:
                    logger.info("%s: the grammar gave only %d candidates", cell, found)

    def _fill(self, cell: Cell, count: int, seen: set[str]) -> Iterator[Candidate]:
        found = 0
        for attempt in range(count * TRIES_PER_CANDIDATE):
            if found == count:
                return
            draft = self._write(cell, attempt)
            if draft is None:
                continue
            candidate = finish(cell, draft)
            keys = {normalise_question(candidate.question), candidate.reference_sql}
            if not keys & seen:
                seen |= keys
                found += 1
                yield candidate

    def _write(self, cell: Cell, attempt: int) -> Draft | None:
        try:
            return self._grammar.write(cell, self._draw(cell, attempt))
        except EmptyDrawError:
            return None

    def _draw(self, cell: Cell, attempt: int) -> Draw:
        seed = f"{self._settings.seed}/{cell.archetype}/{cell.difficulty}"
        detail = f"{seed}/{cell.style}/{attempt}"
        # The square favours low numbers: some shapes come in every style, most only here or there.
        shape = int(Stream(f"{detail}/shape").fraction() ** 2 * self._settings.structures)
        return Draw(f"{seed}/shape {shape}", f"{detail}/words")


def finish(cell: Cell, draft: Draft) -> Candidate:
    """A draft as the candidate of a cell; all but terse questions are proper sentences."""
    question = " ".join(draft.question.split()) if cell.style == "terse" else sentence(draft.question)
    return Candidate(cell.archetype, cell.difficulty, cell.style, question, draft.sql())


def load_grammar(files: Sequence[Path], ask: Ask) -> Grammar:
    """Load a grammar from the files of its folder.

    Args:
        files: all Python files of one folder, grammar.py among them.
        ask: runs a query on the main database.

    Raises:
        UserError: the files are not one complete grammar.
    """
    folders = sorted({file.absolute().parent for file in files})
    if len(folders) != 1:
        raise UserError(f"--grammar: expected the files of one folder, found {len(folders)} folders.")
    folder = folders[0]
    missing = sorted({path.name for path in folder.glob("*.py")} - {file.name for file in files})
    if missing:
        raise UserError(f"--grammar: {folder / missing[0]} is part of the grammar but was not named.")
    module = _import_package(folder)
    opener = getattr(module, "open_grammar", None)
    if opener is None:
        raise UserError(f"{folder / ENTRY}: a grammar needs the function open_grammar(ask).")
    grammar: Grammar = opener(ask)
    return grammar


def _import_package(folder: Path) -> ModuleType:
    """Import grammar.py of a folder as part of a package, so that its files can import each other."""
    if not (folder / ENTRY).is_file():
        raise UserError(f"{folder}: a grammar needs the file {ENTRY}.")
    package = f"grammar_of_{folder.parent.name}"
    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        del sys.modules[name]
    _execute(package, folder / "__init__.py", [str(folder)])
    return _execute(f"{package}.{Path(ENTRY).stem}", folder / ENTRY, None)


def _execute(name: str, file: Path, locations: list[str] | None) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=locations)
    if spec is None or spec.loader is None:
        raise UserError(f"{file}: not a Python file.")
    module: Any = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (SyntaxError, ImportError, OSError) as error:
        raise UserError(f"{file}: the grammar can't be loaded: {error}.") from error
    return module  # type: ignore[no-any-return]
