"""Keeps the candidates that can be asked and graded fairly; the others keep their reason."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sqlrl.authoring.cells import Cell
from sqlrl.authoring.duplicates import Seen
from sqlrl.authoring.gradable import Row, cuts_a_tie, is_empty_like, near_rounding_edge, same_rows
from sqlrl.authoring.instances import SHUFFLED, Instances, QueryError
from sqlrl.authoring.statement import Statement
from sqlrl.authoring.task import Task, task_id
from sqlrl.authoring.teacher import Candidate
from sqlrl.database.files import MAIN
from sqlrl.verifier.guard import RefusedError

# What the reason codes mean; rejected.jsonl and screening.json use them.
REASONS: Mapping[str, str] = {
    "not_a_query": "the SQL is not exactly one plain query",
    "volatile": "the SQL calls a function that depends on time or chance",
    "inner_limit": "a LIMIT inside a subquery, whose ties nobody sees",
    "question_too_long": "the question has too many words",
    "cell_full": "its cell has enough tasks",
    "template_full": "its template has enough tasks",
    "duplicate_question": "a kept task asks this question",
    "duplicate_sql": "a kept task has this SQL",
    "near_duplicate_question": "a kept task asks this in nearly the same words",
    "near_duplicate_of_template": "a kept task of the template asks this, with other values",
    "does_not_run": "the SQL fails, writes or takes too long",
    "no_rows": "it gives no rows",
    "too_many_rows": "it gives too many rows",
    "empty_like": "it gives only NULL, 0 or 1",
    "rounding_edge": "a value is within rounding reach of a half-way edge at two decimals",
    "unstable": "it gives other rows when the tables' rows lie in another order",
    "tie_cut": "its LIMIT cuts through a tie",
    "sort_keys": "whether its LIMIT cuts through a tie cannot be seen",
    "idle_limit": "there are no more rows than its LIMIT, so it might as well be missing",
    "fails_on_twin": "the SQL fails on a twin database",
    "constant": "main and all twins give the same rows: a constant would do",
}


@dataclass(frozen=True)
class ScreeningSettings:
    """What is kept.

    Attributes:
        kept_per_cell: tasks of a cell at most.
        tasks_per_template: tasks of a template at most.
        minimum_tasks, minimum_templates: totals below which screening fails.
        every_cell: whether it fails where a cell has no task; a benchmark's questions leave many empty.
        maximum_template_share: share of the tasks that one template may have.
        maximum_rows: rows of an answer at most.
        maximum_question_words: words of a question at most.
        question_similarity, template_similarity: see duplicates.Seen.
        statement_timeout_seconds: how long the SQL may take.
    """

    kept_per_cell: int
    tasks_per_template: int
    minimum_tasks: int
    minimum_templates: int
    maximum_template_share: float
    maximum_rows: int
    maximum_question_words: int
    question_similarity: float
    template_similarity: float
    statement_timeout_seconds: float
    every_cell: bool = True


@dataclass(frozen=True)
class Rejection:
    """A candidate that was not kept, why, and what exactly was found."""

    candidate: Candidate
    reason: str
    detail: str


class RejectedError(Exception):
    """Carries the reason code and the detail of a rejection."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason, self.detail = reason, detail


class Screen:
    """Screens candidates in their order: what is kept first makes a later twin of it a duplicate."""

    def __init__(self, database: str, digest: str, instances: Instances, settings: ScreeningSettings) -> None:
        self._database, self._digest = database, digest
        self._instances, self._settings = instances, settings
        self._seen = Seen(settings.question_similarity, settings.template_similarity)
        self._cells: Counter[Cell] = Counter()

    def screen(self, candidates: Iterable[Candidate]) -> Iterator[Task | Rejection]:
        """A task or a rejection for each candidate."""
        for candidate in candidates:
            try:
                yield self._judge(candidate)
            except RejectedError as error:
                yield Rejection(candidate, error.reason, error.detail)

    def _judge(self, candidate: Candidate) -> Task:
        statement = self._read(candidate)
        self._refuse_surplus(candidate, statement)
        rows = self._answer(candidate.reference_sql)
        self._refuse_ungradable(statement, rows)
        self._seen.keep(candidate.question, statement)
        self._cells[candidate.cell] += 1
        return Task(
            id=task_id(candidate.question),
            database=self._database,
            question=candidate.question,
            reference_sql=candidate.reference_sql,
            archetype=candidate.archetype,
            difficulty=candidate.difficulty,
            style=candidate.style,
            template=statement.template,
            features=statement.features,
            tables=statement.tables,
            rows=len(rows),
            columns=len(rows[0]),
            database_digest=self._digest,
        )

    def _read(self, candidate: Candidate) -> Statement:
        words = len(candidate.question.split())
        if words > self._settings.maximum_question_words:
            raise RejectedError("question_too_long", f"{words} words")
        try:
            statement = Statement.parse(candidate.reference_sql)
        except RefusedError as error:
            raise RejectedError("not_a_query", error.refusal.message) from error
        if statement.volatile:
            raise RejectedError("volatile", statement.volatile)
        if statement.has_inner_limit:
            raise RejectedError("inner_limit")
        return statement

    def _refuse_surplus(self, candidate: Candidate, statement: Statement) -> None:
        if self._cells[candidate.cell] >= self._settings.kept_per_cell:
            raise RejectedError("cell_full", f"{self._settings.kept_per_cell} tasks")
        if self._seen.tasks_of(statement.template) >= self._settings.tasks_per_template:
            raise RejectedError("template_full", statement.template)
        duplicate = self._seen.find(candidate.question, statement)
        if duplicate:
            raise RejectedError(duplicate.reason, duplicate.question)

    def _answer(self, sql: str) -> list[Row]:
        most = self._settings.maximum_rows
        try:
            rows = self._instances.ask(MAIN, sql, most)
        except QueryError as error:
            raise RejectedError("does_not_run", str(error)) from error
        if not rows:
            raise RejectedError("no_rows")
        if len(rows) > most:
            raise RejectedError("too_many_rows", f"more than {most}")
        return rows

    def _refuse_ungradable(self, statement: Statement, rows: list[Row]) -> None:
        if is_empty_like(rows):
            raise RejectedError("empty_like", repr(rows[:3]))
        answers = {MAIN: rows}
        for twin in self._instances.twins:
            answers[twin] = self._ask(twin, statement.sql, "fails_on_twin")
        for instance, answer in answers.items():
            edge = near_rounding_edge(answer)
            if edge:
                raise RejectedError("rounding_edge", f"{edge} on {instance}")
        self._refuse_limit(statement)
        if not same_rows(rows, self._ask(SHUFFLED, statement.sql, "unstable")):
            raise RejectedError("unstable")
        if len(answers) > 1 and all(same_rows(rows, answer) for answer in answers.values()):
            raise RejectedError("constant", repr(rows[:3]))

    def _refuse_limit(self, statement: Statement) -> None:
        """A LIMIT must leave something out on main, and cut no tie wherever replies are judged."""
        try:
            past_limit = statement.past_limit()
        except RefusedError as error:
            raise RejectedError("sort_keys", error.refusal.message) from error
        if not past_limit:
            return
        sql, keys, limit = past_limit
        for instance in (MAIN, *self._instances.twins):
            longer = self._ask(instance, sql, "does_not_run")
            if instance == MAIN and len(longer) <= limit:
                raise RejectedError("idle_limit", f"{len(longer)} rows, LIMIT {limit}")
            if cuts_a_tie(longer, keys, limit):
                raise RejectedError("tie_cut", f"on {instance}")

    def _ask(self, instance: str, sql: str, reason: str) -> list[Row]:
        try:
            return self._instances.ask(instance, sql)
        except QueryError as error:
            raise RejectedError(reason, f"{instance}: {error}") from error
