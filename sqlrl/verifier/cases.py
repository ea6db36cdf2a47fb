"""The format of a case file: one JSON object a line, a reply and the verdict that it must get."""

from dataclasses import dataclass
from typing import Any, Literal

Judgement = Literal["match", "wrong", "error"]

# Stands for "any" where a case says nothing about the extracted query; None says that there is none.
ANY_SQL = "\0any"


@dataclass(frozen=True)
class Expected:
    """What the verifier must say.

    Attributes:
        score: the reward at 1 / 0.1 / 0.
        note: what the case is about.
        extracted_sql: the query that extraction must find.
        policy: present where the verdict is a choice; the other choice is named.
        accept_scores: all scores that are right, where there are several.
        reference_ok: False where the reference should not have been admitted.
        reference_why: what is wrong with it.
        blocked_by: the protections that stand in the way.
    """

    verdict: Judgement
    score: float
    note: str
    extracted_sql: str | None = ANY_SQL
    policy: str | None = None
    accept_scores: tuple[float, ...] | None = None
    reference_ok: bool = True
    reference_why: str | None = None
    blocked_by: str | None = None

    def accepts(self, judgement: Judgement, score: float) -> bool:
        """Whether a verdict is right."""
        if self.accept_scores is not None:
            return score in self.accept_scores
        return judgement == self.verdict


@dataclass(frozen=True)
class Limits:
    """Seconds that judging may take, and resident memory of the judging process in MB."""

    seconds: float
    client_mb: float | None = None


@dataclass(frozen=True)
class Then:
    """A reply that comes after and must not have been harmed."""

    reply: str
    reference_sql: str
    verdict: Judgement


@dataclass(frozen=True)
class Case:
    """One case.

    Attributes:
        id: its name.
        kind: what it is about, such as ``rows.order`` or ``safety.dos``.
        setup_sql: makes the database.
        candidate_sql: the query itself, for cases that are not about extraction; else reply or reply_parts.
        reply: the reply as a model writes it.
        reply_parts: the reply as (text, times) to repeat and join.
        invariants_sql: queries whose rows are the same before and after.
        files_must_not_exist: paths on this machine.
        then: a reply that is judged afterwards.
        alt_setup_sql: makes a second database; a match must hold on both.
        min_pg: the PostgreSQL major from which on the case makes sense.
        source, checked: where it comes from and how it was checked.
    """

    id: str
    kind: str
    setup_sql: str
    reference_sql: str
    expected: Expected
    source: str = ""
    candidate_sql: str | None = None
    reply: str | None = None
    reply_parts: tuple[tuple[str, int], ...] | None = None
    limits: Limits | None = None
    invariants_sql: tuple[str, ...] = ()
    files_must_not_exist: tuple[str, ...] = ()
    then: Then | None = None
    alt_setup_sql: str | None = None
    min_pg: int | None = None
    checked: Any = None

    @property
    def full_reply(self) -> str:
        """The reply to judge; a bare query comes in a fence."""
        if self.candidate_sql is not None:
            return f"```sql\n{self.candidate_sql}\n```"
        if self.reply_parts is not None:
            return "".join(text * times for text, times in self.reply_parts)
        return self.reply or ""
