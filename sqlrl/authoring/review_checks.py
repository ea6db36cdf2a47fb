"""What can be found wrong with kept tasks without asking anybody.

Screening and probing refuse most of this already; the review looks again at what they kept, with every rule
in one place, so that tasks that were written or edited by hand have passed it too.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from sqlrl.authoring.gradable import Row, cuts_a_tie
from sqlrl.authoring.instances import Instances, QueryError
from sqlrl.authoring.judged import as_reply, judge_each, matches
from sqlrl.authoring.review import (
    CONFLICT,
    CONSTANT,
    EMPTY,
    REFERENCE_FAILS,
    SURVIVOR,
    TIE_CUT,
    Finding,
)
from sqlrl.authoring.screen import Rejection
from sqlrl.authoring.similar import similar_pairs
from sqlrl.authoring.statement import Statement
from sqlrl.authoring.task import Task, task_id
from sqlrl.database.files import MAIN
from sqlrl.files import digest_text
from sqlrl.verifier.guard import RefusedError
from sqlrl.verifier.reward import Submission
from sqlrl.verifier.verifier import Verifier

BATCH = 128

Findings = dict[str, list[Finding]]


def check_answers(
    instances: Instances, tasks: Sequence[Task], advance: Callable[[int], None]
) -> tuple[dict[str, str], Findings]:
    """Run every reference on main and all twins.

    Returns:
        By task: a digest of all its rows, where it runs everywhere; what was found.
    """
    answers: dict[str, str] = {}
    findings: Findings = defaultdict(list)
    for task in tasks:
        try:
            rows = {name: instances.ask(name, task.reference_sql) for name in (MAIN, *instances.twins)}
            texts = {name: _text(found) for name, found in rows.items()}
            findings[task.id] += _shape(texts) + _ties(instances, task)
            answers[task.id] = digest_text("\n".join(texts.values()))[:16]
        except (QueryError, RefusedError) as error:
            findings[task.id].append(Finding(REFERENCE_FAILS, str(error)))
        advance(1)
    return answers, findings


def check_references(
    verifier: Verifier, tasks: Sequence[Task], advance: Callable[[int], None]
) -> dict[str, Finding]:
    """References that the verifier cannot judge by, or that it calls wrong where they answer themselves."""
    found: dict[str, Finding] = {}
    for start in range(0, len(tasks), BATCH):
        batch = tasks[start : start + BATCH]
        asked = [_ask(task, task) for task in batch]
        for task, judged in zip(batch, judge_each(verifier, asked), strict=True):
            if judged is None:
                found[task.id] = Finding(REFERENCE_FAILS, "the verifier cannot judge by it")
            elif not matches(judged):
                wrong = [name for name, outcome in judged[1].items() if outcome.verdict != "match"]
                found[task.id] = Finding(REFERENCE_FAILS, f"it is not its own answer on {', '.join(wrong)}")
        advance(len(batch))
    return found


def check_conflicts(verifier: Verifier, tasks: Sequence[Task], similarity: float) -> Findings:
    """Tasks that ask the same in nearly the same words, and whose references give other rows.

    Two questions count as the same where this share of their words is common and their SQL has the same
    constants. One of the two must be wrong; which, nobody knows, so both are named, each with the other's id.
    """
    pairs = similar_pairs([task.question for task in tasks], similarity)
    alike = [
        (tasks[pair.one], tasks[pair.other])
        for pair in pairs
        if _literals(tasks[pair.one]) == _literals(tasks[pair.other])
    ]
    found: Findings = defaultdict(list)
    judged = judge_each(verifier, [_ask(one, other) for one, other in alike])
    for (one, other), result in zip(alike, judged, strict=True):
        if result is not None and not matches(result):
            found[one.id].append(Finding(CONFLICT, other.id))
            found[other.id].append(Finding(CONFLICT, one.id))
    return found


def check_survivors(tasks: Sequence[Task], exposed: Sequence[Rejection]) -> dict[str, Finding]:
    """Tasks among those that probing refused: a query that means something else passes for them."""
    known = {task_id(one.candidate.question): one.detail for one in exposed}
    return {task.id: Finding(SURVIVOR, known[task.id]) for task in tasks if task.id in known}


def same_answers(answers: Mapping[str, str]) -> dict[str, list[str]]:
    """Digest to the tasks that have it, where there is more than one."""
    groups: dict[str, list[str]] = defaultdict(list)
    for task, answer in answers.items():
        groups[answer].append(task)
    return {answer: found for answer, found in groups.items() if len(found) > 1}


def _shape(texts: Mapping[str, str]) -> list[Finding]:
    """Answers by which data do not tell a right query from a wrong one."""
    found = []
    empty = [name for name, answer in texts.items() if not answer]
    if empty:
        found.append(Finding(EMPTY, f"on {', '.join(empty)}"))
    if len(texts) > 1 and len(set(texts.values())) == 1:
        found.append(Finding(CONSTANT, texts[MAIN][:200]))
    return found


def _ties(instances: Instances, task: Task) -> list[Finding]:
    """Where a LIMIT leaves out what ties with the last row that it keeps."""
    past_limit = Statement.parse(task.reference_sql).past_limit()
    if past_limit is None:
        return []
    sql, keys, limit = past_limit
    cut = [
        name
        for name in (MAIN, *instances.twins)
        if cuts_a_tie(instances.ask(name, sql, limit + 1), keys, limit)
    ]
    return [Finding(TIE_CUT, f"on {', '.join(cut)}")] if cut else []


def _literals(task: Task) -> frozenset[str]:
    return Statement.parse(task.reference_sql).literals


def _ask(asked: Task, answering: Task) -> Submission:
    """A task's reference as the answer to another task, or to itself."""
    return Submission(asked.database, as_reply(answering.reference_sql), asked.reference_sql)


def _text(rows: Sequence[Row]) -> str:
    """The rows as one text, in any order, numbers to two decimals."""
    return "\n".join(sorted("\t".join(map(_cell, row)) for row in rows))


def _cell(cell: Any) -> str:
    if isinstance(cell, float | Decimal):
        number = Decimal(str(cell))
        return str(number.quantize(Decimal("0.01")).normalize()) if number.is_finite() else str(number)
    return str(Decimal(cell).normalize()) if type(cell) is int else repr(cell)
