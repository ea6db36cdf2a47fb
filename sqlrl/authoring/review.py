"""What a review of the kept tasks says of each: faults of its reference, and what others answered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlrl.authoring.task import Task
from sqlrl.errors import UserError

Preview = tuple[tuple[str | None, ...], ...]

AGREES, OTHER_ANSWER, SCATTERED, DOES_NOT_RUN = "agrees", "other_answer", "scattered", "does_not_run"
# What a solver's replies say of a task.
AGREEMENTS: Mapping[str, str] = {
    AGREES: "most replies give the reference's rows",
    OTHER_ANSWER: "most replies give one same other answer: the reference is suspect",
    SCATTERED: "no answer has most of the replies: the question is ambiguous, or hard",
    DOES_NOT_RUN: "most replies do not run: nothing can be said",
}

CONFLICT, REFERENCE_FAILS, TIE_CUT = "conflict", "reference_fails", "tie_cut"
CONSTANT, EMPTY, SURVIVOR = "constant", "empty", "mutation_survivor"
# What is found without asking anybody.
FINDINGS: Mapping[str, str] = {
    REFERENCE_FAILS: "the reference does not run, or does not give its own rows again, on main or a twin",
    CONFLICT: "a question in nearly the same words, with the same constants, has a reference that gives other rows",
    TIE_CUT: "LIMIT cuts through rows with equal sort keys, on main or a twin",
    CONSTANT: "main and all twins give the same rows: a constant would do",
    EMPTY: "the reference gives no rows on main or a twin, where any query without rows passes",
    SURVIVOR: "probing knows a query of another meaning that passes for it on main and all twins",
}
# Findings by which a perfect model may be called wrong.
REFUTING = (REFERENCE_FAILS, CONFLICT)
CLASSES = (*AGREEMENTS, *FINDINGS)


@dataclass(frozen=True)
class ReviewSettings:
    """How tasks are reviewed.

    Attributes:
        drop: classes (see AGREEMENTS and FINDINGS) whose tasks do not go on.
        question_similarity: share of common words from which two questions with the same constants are one.
        statement_timeout_seconds: how long one query may run.
    """

    drop: tuple[str, ...]
    question_similarity: float
    statement_timeout_seconds: float

    def check(self) -> None:
        """Raises UserError where a class is unknown."""
        unknown = [name for name in self.drop if name not in CLASSES]
        if unknown:
            raise UserError(f"review.drop has {unknown[0]!r}. There are: {', '.join(CLASSES)}.")


@dataclass(frozen=True)
class Finding:
    """One of FINDINGS, and what exactly was found."""

    kind: str
    detail: str


@dataclass(frozen=True)
class Tally:
    """What became of the replies to one question.

    Attributes:
        replies: how many there are.
        ran: how many ran on main and on all twins.
        matching: how many of these gave the reference's rows everywhere.
        common: how many gave the most frequent other answer, the same rows everywhere.
    """

    replies: int
    ran: int
    matching: int
    common: int

    @property
    def agreement(self) -> str:
        """The class of AGREEMENTS: what more than half of all replies say, SCATTERED where nothing does."""
        for name, number in (
            (AGREES, self.matching),
            (OTHER_ANSWER, self.common),
            (DOES_NOT_RUN, self.replies - self.ran),
        ):
            if 2 * number > self.replies:
                return name
        return SCATTERED


@dataclass(frozen=True)
class OtherAnswer:
    """The most frequent answer that is not the reference's.

    Attributes:
        sql: the query that most of these replies have.
        replies: how many give it.
        instance: the first database on which it differs from the reference: ``main``, ``twin-1``, ...
        rows, reference_rows: the first rows of both there; None where there are too many to look at.
    """

    sql: str
    replies: int
    instance: str
    rows: Preview | None
    reference_rows: Preview | None


@dataclass(frozen=True)
class TaskReview:
    """One line of review.jsonl.

    Attributes:
        answer: 16 hex digits, digest of the reference's rows on main and all twins; tasks with the same
            one ask for the same rows. None where it does not run everywhere.
        findings: what was found without asking anybody.
        tally: what became of a solver's replies; None where nobody was asked.
        agreement: the class that the tally says; None likewise.
        other: the other answer, where the agreement is ``other_answer``.
        dropped: the class for which the task does not go on; None where it does.
    """

    task_id: str
    answer: str | None
    findings: tuple[Finding, ...]
    tally: Tally | None = None
    agreement: str | None = None
    other: OtherAnswer | None = None
    dropped: str | None = None

    @property
    def classes(self) -> tuple[str, ...]:
        """All that the review says of the task."""
        said = (self.agreement,) if self.agreement else ()
        return (*said, *(finding.kind for finding in self.findings))

    @property
    def is_refuted(self) -> bool:
        """Whether a perfect model may be called wrong: a solver's other answer, or a finding that says so."""
        return self.agreement == OTHER_ANSWER or any(one.kind in REFUTING for one in self.findings)


@dataclass(frozen=True)
class SolverUsed:
    """Who solved the questions: name in config.yaml, digest of the model, replies a question, questions."""

    model: str
    digest: str
    k: int
    tasks: int


@dataclass(frozen=True)
class ReviewSummary:
    """review.json: the review of one database's tasks in figures.

    Attributes:
        tasks, kept: how many were reviewed, and how many go on.
        dropped: those that do not, by class.
        findings: tasks by finding, every one of FINDINGS named.
        agreement: asked tasks by class, every one of AGREEMENTS named; None where nobody was asked.
        same_answers: tasks whose reference gives the same rows everywhere as another task's.
        databases: digests of the dumps by instance.
    """

    database: str
    tasks: int
    kept: int
    dropped: Mapping[str, int]
    findings: Mapping[str, int]
    agreement: Mapping[str, int] | None
    same_answers: int
    solver: SolverUsed | None
    databases: Mapping[str, str]
    settings: ReviewSettings


def keep_reviewed(tasks: Sequence[Task], reviews: Sequence[TaskReview]) -> list[Task]:
    """The tasks that go on, in their order."""
    return [task for task, review in zip(tasks, reviews, strict=True) if review.dropped is None]
