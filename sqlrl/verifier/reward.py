"""What a reply earned and why: the one place where rows, errors and limits become a verdict.

Training and scoring call the same code with the same limits. Every outcome has a reason code:

- ``match``: match
- ``wrong``: column_count, too_many_rows, row_count, rows_differ, order_differs, undecided
- ``error``: no_sql, thinking_not_closed (extract.py); no_statement, several_statements, not_a_query,
  writes, select_into, locks_rows, parameter, syntax_error, too_long, too_deep, bad_character (guard.py);
  sql_error, permission_denied, timeout, memory_limit, disk_limit, result_too_large, value_too_deep (sandbox.py);
  crash (suspects.py)
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from sqlrl.database.files import MAIN
from sqlrl.verifier.compare import Answer, compare
from sqlrl.verifier.sandbox import Failure, Rows
from sqlrl.verifier.values import ValueTooDeepError

Databases = Literal["main", "all"]
"""Where a reply must be right: on main alone, or on main and on every twin."""

PREVIEW_ROWS = 10
PREVIEW_CHARACTERS = 80
MESSAGE_CHARACTERS = 300


@dataclass(frozen=True)
class Outcome:
    """What one query gave on one database.

    Attributes:
        reason: a code of the list above.
        message: PostgreSQL's own words, shortened; None where it said nothing.
        rows: the reply's first rows, cells as text and cut; None where it gave none to look at.
    """

    verdict: Literal["match", "wrong", "error"]
    reason: str
    message: str | None = None
    rows: tuple[tuple[str | None, ...], ...] | None = None


@dataclass(frozen=True)
class Verdict:
    """The judgement of one reply.

    Attributes:
        sql: the query found in the reply, None where there is none.
        outcomes: by instance of the database: ``main``, ``twin-1``, ...
        reward: what training pays for it.
    """

    sql: str | None
    outcomes: dict[str, Outcome]
    reward: float


@dataclass(frozen=True)
class Submission:
    """A reply to judge: the database's name, the reply as the model wrote it, the reference SQL."""

    database: str
    reply: str
    reference_sql: str


@dataclass(frozen=True)
class Score:
    """One line of a score file: the verdict on one sample of one task."""

    task_id: str
    sample: int
    verdict: Verdict


@dataclass(frozen=True)
class VerifierSettings:
    """How replies are judged; section ``verifier`` of the configuration.

    Attributes:
        match_reward: for the reference's rows.
        wrong_reward: for a query that runs and gives other rows.
        error_reward: for no query, or one that does not run.
        reward_databases: ``main``, or ``all`` to pay for a match only where it holds on every twin.
        statement_timeout_seconds: how long a reply's query may run.
        workers: processes that judge side by side.
    """

    match_reward: float
    wrong_reward: float
    error_reward: float
    reward_databases: Databases
    statement_timeout_seconds: float
    workers: int


def judge_rows(answer: Answer, found: Rows | Failure) -> Outcome:
    """What rows, or the lack of them, are worth against a prepared reference."""
    if isinstance(found, Failure):
        return error_outcome(found.reason, found.message)
    if len(found.types) != len(answer.table.types):
        return Outcome("wrong", "column_count", rows=preview(found))
    if found.count > answer.rows:
        return Outcome("wrong", "too_many_rows")
    try:
        comparison = compare(answer, found.table())
    except ValueTooDeepError as error:
        return error_outcome("value_too_deep", str(error))
    except MemoryError:
        return error_outcome("memory_limit", "comparing the rows needs more memory than a reply may use")
    return Outcome("match" if comparison == "match" else "wrong", comparison, rows=preview(found))


def error_outcome(reason: str, message: str | None = None) -> Outcome:
    """An outcome without rows."""
    return Outcome("error", reason, message[:MESSAGE_CHARACTERS] if message else None)


def give_verdict(sql: str | None, outcomes: Mapping[str, Outcome], settings: VerifierSettings) -> Verdict:
    """Put the outcomes of one reply together.

    With ``reward_databases: all`` the worst outcome counts: a match that a twin refutes was luck.
    """
    rewards = {
        "error": settings.error_reward,
        "wrong": settings.wrong_reward,
        "match": settings.match_reward,
    }
    if sql is not None:
        sql = sql.encode(errors="replace").decode()  # half a surrogate pair has no place in a file
    return Verdict(sql, dict(outcomes), rewards[worst_verdict(outcomes, settings.reward_databases)])


def worst_verdict(outcomes: Mapping[str, Outcome], databases: Databases) -> str:
    """The worst of a reply's outcomes on some databases: error, then wrong, then match."""
    asked = outcomes.values() if databases == "all" else [outcomes[MAIN]]
    return worst_of(outcome.verdict for outcome in asked)


def worst_of(verdicts: Iterable[str]) -> str:
    """The worst of some verdicts; ``match`` where there are none."""
    found = set(verdicts)
    return next((verdict for verdict in ("error", "wrong") if verdict in found), "match")


def preview(found: Rows) -> tuple[tuple[str | None, ...], ...] | None:
    """The first rows, for a person to read; None where the rows were not fetched."""
    if found.count and not found.columns:
        return None
    shown = min(found.count, PREVIEW_ROWS)
    return tuple(
        tuple(
            None if (cell := column[row]) is None else cell[:PREVIEW_CHARACTERS] for column in found.columns
        )
        for row in range(shown)
    )
