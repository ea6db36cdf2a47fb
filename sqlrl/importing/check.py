"""Whether an imported query runs on PostgreSQL: by its grammar, and by a server where the database is there."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from sqlrl.authoring.instances import Instances, QueryError, open_instances
from sqlrl.authoring.statement import Statement
from sqlrl.database.files import MAIN
from sqlrl.importing.dialect import Problem, meaning_notes, server_problem, written_problems
from sqlrl.importing.names import Names, read_names
from sqlrl.verifier.guard import RefusedError

# What keeps the grammar from reading a query.
UNREADABLE = frozenset({"backticks", "brackets", "limit_comma"})
# Without a server this is a suspicion: what stands in the quotes may be a name.
SUSPECTED = frozenset({"double_quoted_string"})


@dataclass(frozen=True)
class Checked:
    """A query's parse, None where it has none, and its problems; where it is refused the first says why."""

    statement: Statement | None
    problems: tuple[Problem, ...]
    is_refused: bool


class Checker:
    """Checks queries, on a server where there is one.

    Args:
        instances: with main; None checks by the grammar alone.
        names: of main; None likewise.
        of_another_dialect: whether queries may come from SQLite or MySQL, so that what runs may mean otherwise.
    """

    def __init__(self, instances: Instances | None, names: Names | None, of_another_dialect: bool) -> None:
        self._instances, self._names = instances, names
        self._foreign = of_another_dialect

    def check(self, sql: str) -> Checked:
        """Parse and run one query."""
        written = written_problems(sql)
        try:
            statement = Statement.parse(sql)
        except RefusedError as error:
            return Checked(None, _unparsed(error, written), True)
        notes = meaning_notes(statement) if self._foreign else []
        if self._instances is None or self._names is None:
            certain = any(problem.kind not in SUSPECTED for problem in written)
            return Checked(statement, (*written, *notes), certain)
        failure = self._run(sql, self._instances, self._names)
        # What runs has no other dialect's problem: a function of that name is the database's own.
        found = _first_of_each(failure, written) if failure else ()
        return Checked(statement, (*found, *notes), failure is not None)

    def _run(self, sql: str, instances: Instances, names: Names) -> Problem | None:
        try:
            instances.ask(MAIN, sql)
        except QueryError as error:
            cause = error.__cause__
            state = cause.sqlstate if isinstance(cause, psycopg.Error) else None
            return server_problem(sql, state or "", str(error), names)
        return None


@contextmanager
def open_checker(dump: Path | None, timeout_seconds: float, of_another_dialect: bool) -> Iterator[Checker]:
    """A checker on a server of its own that has the dump; without a dump, by the grammar alone."""
    if dump is None:
        yield Checker(None, None, of_another_dialect)
        return
    with open_instances({MAIN: dump}, timeout_seconds) as instances:
        yield Checker(instances, read_names(instances), of_another_dialect)


def _unparsed(error: RefusedError, written: Sequence[Problem]) -> tuple[Problem, ...]:
    syntax = error.refusal.reason == "syntax_error"
    own = Problem("syntax" if syntax else "not_a_query", error.refusal.message)
    explained = [problem for problem in written if problem.kind in UNREADABLE]
    others = [problem for problem in written if problem.kind not in UNREADABLE]
    return (*explained, *others) if syntax and explained else (own, *written)


def _first_of_each(first: Problem, others: Sequence[Problem]) -> tuple[Problem, ...]:
    return (first, *(other for other in others if other.kind != first.kind))
