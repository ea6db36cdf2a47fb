"""Takes a benchmark's questions into our task format, and says of each that is not taken why."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlrl.authoring.cells import ARCHETYPES, DIFFICULTIES, STYLES
from sqlrl.authoring.statement import Statement
from sqlrl.authoring.task import normalise_question, task_id
from sqlrl.authoring.teacher import Candidate
from sqlrl.errors import UserError
from sqlrl.importing.check import Checker
from sqlrl.importing.classify import DIFFICULTY_WORDS, archetype_of, difficulty_of, style_of
from sqlrl.importing.dialect import Problem
from sqlrl.importing.entries import Entry
from sqlrl.importing.rewrite import rewrite

DUPLICATE = "duplicate_question"


@dataclass(frozen=True)
class ImportSettings:
    """How entries become tasks.

    Attributes:
        evidence: ``append`` puts an entry's evidence behind its question, ``drop`` leaves it out.
        style: of tasks whose file says none; None reads it off the question.
        rewrites: of rewrite.REWRITES, in order.
    """

    evidence: str
    style: str | None
    rewrites: tuple[str, ...]


@dataclass(frozen=True)
class Taken:
    """An entry that is a task now.

    Attributes:
        id: that the task will have.
        rewritten: whether its SQL is not the file's.
        problems: that do not keep it from running.
        same_sql_as: where the first task with this SQL stands; screening keeps one of them.
    """

    where: str
    id: str
    candidate: Candidate
    rewritten: bool
    problems: tuple[Problem, ...]
    same_sql_as: str | None


@dataclass(frozen=True)
class Refused:
    """An entry that is no task: the reason, one of dialect.KINDS or DUPLICATE, what was found, and all problems."""

    where: str
    id: str
    question: str
    reference_sql: str
    reason: str
    detail: str
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class Imported:
    """All entries of one database, in their order."""

    taken: tuple[Taken, ...]
    refused: tuple[Refused, ...]

    @property
    def candidates(self) -> list[Candidate]:
        """What becomes tasks."""
        return [one.candidate for one in self.taken]

    def problems(self) -> Mapping[str, tuple[int, int]]:
        """By kind, of how many refused and of how many taken entries it is a problem; the most frequent first."""
        refused = Counter(kind for one in self.refused for kind in {problem.kind for problem in one.problems})
        taken = Counter(kind for one in self.taken for kind in {problem.kind for problem in one.problems})
        refused[DUPLICATE] = sum(one.reason == DUPLICATE for one in self.refused)
        kinds = sorted((refused + taken), key=lambda kind: (-refused[kind], -taken[kind], kind))
        return {kind: (refused[kind], taken[kind]) for kind in kinds}


class Importer:
    """Turns entries into tasks, in their order: of two that ask the same the first is taken."""

    def __init__(self, checker: Checker, settings: ImportSettings) -> None:
        self._checker, self._settings = checker, settings
        self._questions: dict[str, str] = {}
        self._statements: dict[str, str] = {}

    def import_entry(self, entry: Entry) -> Taken | Refused:
        """A task, or why there is none."""
        question = _question(entry, self._settings.evidence)
        sql = rewrite(entry.sql, self._settings.rewrites)
        checked = self._checker.check(sql)
        if checked.statement is None or checked.is_refused:
            first = checked.problems[0]
            return Refused(
                entry.where,
                task_id(question),
                question,
                entry.sql,
                first.kind,
                first.detail,
                checked.problems,
            )
        asked_at = self._questions.setdefault(normalise_question(question), entry.where)
        if asked_at != entry.where:
            return Refused(
                entry.where,
                task_id(question),
                question,
                entry.sql,
                DUPLICATE,
                f"asks what {asked_at} asks",
                (),
            )
        candidate = _candidate(entry, question, sql, checked.statement, self._settings.style)
        first_sql = self._statements.setdefault(checked.statement.canonical, entry.where)
        same = first_sql if first_sql != entry.where else None
        return Taken(entry.where, task_id(question), candidate, sql != entry.sql, checked.problems, same)


def collect(results: Sequence[Taken | Refused]) -> Imported:
    """What was taken and what was not."""
    return Imported(
        tuple(one for one in results if isinstance(one, Taken)),
        tuple(one for one in results if isinstance(one, Refused)),
    )


def require_known_cells(entries: Sequence[Entry]) -> list[Entry]:
    """The entries with their difficulty in our words.

    Raises:
        UserError: names the place of a difficulty, archetype or style that there is not.
    """
    return [_known(entry) for entry in entries]


def _known(entry: Entry) -> Entry:
    difficulty = entry.difficulty
    if difficulty is not None:
        difficulty = DIFFICULTY_WORDS.get(difficulty.casefold(), difficulty)
    for key, value, allowed in (
        ("difficulty", difficulty, DIFFICULTIES),
        ("archetype", entry.archetype, ARCHETYPES),
        ("style", entry.style, STYLES),
    ):
        if value is not None and value not in allowed:
            more = ", simple, moderate, challenging, extra" if key == "difficulty" else ""
            raise UserError(f"{entry.where}: {key} is {value!r}; allowed: {', '.join(allowed)}{more}.")
    return replace(entry, difficulty=difficulty)


def _question(entry: Entry, evidence: str) -> str:
    if evidence == "drop" or not entry.evidence:
        return entry.question
    return f"{entry.question} ({entry.evidence})"


def _candidate(entry: Entry, question: str, sql: str, statement: Statement, style: str | None) -> Candidate:
    return Candidate(
        entry.archetype or archetype_of(statement),
        entry.difficulty or difficulty_of(statement),
        entry.style or style or style_of(entry.question),
        question,
        sql,
    )
