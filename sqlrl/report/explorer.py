"""Every held-out task with every checkpoint's replies, as columns small enough to lie in the page."""

import json
import zlib
from base64 import b64encode
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlrl.authoring.task import Task
from sqlrl.database.files import MAIN
from sqlrl.report.evidence import Evidence
from sqlrl.report.failures import Rows, first_pass
from sqlrl.report.files import BASE
from sqlrl.report.passes import KINDS, RIGHT, ReplyText, kind_of
from sqlrl.report.reasons import REASONS
from sqlrl.verifier.reward import PREVIEW_ROWS, Databases, Outcome, Verdict

# The page stays under 2 MB: this much for the data, the rest for tables, pictures and the static list.
PACKED_CHARACTERS = 1_500_000
REPLY_CHARACTERS = 3_000
LUCKY = "right by luck"
FATES = (RIGHT, LUCKY, *KINDS[1:])
NOT_SCORED = -1
NAMED = ("archetype", "difficulty", "style", "database")

Keeps = Callable[[Sequence[str], int], tuple[bool, bool]]
"""Of the fates of a checkpoint's replies to one task and the number of one: whether its text, its rows stay."""

EACH_KIND = "the first reply that is right and the first of each kind of error"
KEPT = {
    "all": "every text and all rows",
    "texts": f"every text, and for each question and checkpoint the rows of {EACH_KIND}",
    "first_of_kind": f"for each question and checkpoint, {EACH_KIND}",
    "ends": f"for each question, of the base and of the last checkpoint, {EACH_KIND}",
    "one": "for each question, one reply of the last checkpoint, a wrong one where there is one",
    "none": "no reply",
}
"""What of the replies the page holds, from all to nothing. Every verdict is there in any case."""


@dataclass(frozen=True)
class Explorer:
    """The data of the page's explorer and the numbers that the page says of it.

    packed: base64 of a zlib stream of JSON, read by templates/failures-data.js. figures: what it
    holds and what was left out, for the report's JSON.
    """

    packed: str
    figures: Mapping[str, Any]


@dataclass(frozen=True)
class Answer:
    """A reply with its verdict, as the page has it; equal answers to a task lie there once.

    fate: index into FATES. twin: the first twin that refutes a match on main, and why. truncated: 1
    where the reply ran out of tokens. The reply is before + sql + after; where after is None the query is
    no part of what is kept of the reply, which is before. All three are None where it was left
    out. cut: characters left out at its end. rows: number of its row set, None where left out.
    """

    fate: int
    reason: int
    message: str | None
    twin: str | None
    truncated: int
    before: str | None = None
    sql: str | None = None
    after: str | None = None
    cut: int = 0
    rows: int | None = None


class Numbers:
    """Numbers values in the order in which they first come."""

    def __init__(self) -> None:
        self._places: dict[Any, int] = {}

    @property
    def values(self) -> list[Any]:
        """The values by number."""
        return list(self._places)

    def __contains__(self, value: Hashable) -> bool:
        return value in self._places

    def of(self, value: Hashable) -> int:
        """The number of a value."""
        return self._places.setdefault(value, len(self._places))


def make_explorer(
    evidence: Evidence,
    last: str,
    references: Mapping[str, Rows],
    databases: Databases,
    limit: int = PACKED_CHARACTERS,
) -> Explorer:
    """Pack the first scoring pass of every checkpoint, leaving out as much as the limit asks for.

    Args:
        evidence: tasks, replies and verdicts.
        last: the checkpoint that the page opens with.
        references: first rows of each task's reference on main, by task id, where they are known.
        databases: where a reply must be right to count as right.
        limit: characters that the packed data may have. Without any reply's text they may still be
            more; then nothing else is left out.
    """
    for kept in KEPT:
        data = explorer_data(evidence, last, references, databases, kept)
        packed = pack(data)
        if len(packed) <= limit:
            break
    return Explorer(packed, describe(data, evidence.scoring[0], kept))


def pack(data: Mapping[str, Any]) -> str:
    """JSON, compressed, as text that HTML leaves alone; the same data give the same text."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return b64encode(zlib.compress(text.encode(errors="replace"), 9)).decode()


def explorer_data(
    evidence: Evidence, last: str, references: Mapping[str, Rows], databases: Databases, kept: str
) -> dict[str, Any]:
    """The columns of the explorer, tasks in the order of their ids.

    ``readings`` has for each task its question, its reference SQL, the number of the reference's
    row set, the row sets, the different answers (fields as in Answer), and for each checkpoint and sample the
    number of its answer, or NOT_SCORED.

    Args:
        kept: a key of KEPT; the others are those of make_explorer.
    """
    tasks = sorted(evidence.tasks.values(), key=lambda task: task.id)
    passes = {name: first_pass(evidence, name) for name in evidence.checkpoints}
    names = {name: Numbers() for name in (*NAMED, "tables")}
    columns = {name: [names[name].of(getattr(task, name)) for task in tasks] for name in NAMED}
    reasons = Numbers()
    readings = []
    for task in tasks:
        reading = Reading(task, references.get(task.id), reasons)
        for checkpoint, one in passes.items():
            keeps = _keeper(kept, checkpoint, last)
            reading.add(one.replies.get(task.id, ()), one.verdicts.get(task.id, ()), one.k, keeps)
        readings.append(reading.fields())
    return {
        "checkpoints": list(passes),
        "last": list(passes).index(last),
        "k": evidence.k,
        "fates": FATES,
        "right": [0, 1] if databases == MAIN else [0],
        "reasons": [[code, REASONS.get(code, "")] for code in reasons.values],
        "preview_rows": PREVIEW_ROWS,
        "columns": {
            **columns,
            "tables": [[names["tables"].of(table) for table in task.tables] for task in tasks],
            "seen": [int(bool(task.template_in_training)) for task in tasks],
            "rows": [task.rows for task in tasks],
        },
        "names": {name: numbers.values for name, numbers in names.items()},
        "ids": [task.id for task in tasks],
        "readings": readings,
    }


def describe(data: Mapping[str, Any], scoring: int, kept: str) -> dict[str, Any]:
    """The numbers that the page says of the explorer: what it holds and what was left out."""
    given = [
        Answer(*answers[place])
        for *_, answers, replies in data["readings"]
        for place in replies
        if place != NOT_SCORED
    ]
    return {
        "scoring_pass": scoring,
        "checkpoints": data["checkpoints"],
        "tasks": len(data["ids"]),
        "replies": len(given),
        "kept": kept,
        "texts_left_out": sum(answer.before is None for answer in given),
        "rows_left_out": sum(answer.rows is None for answer in given),
        "texts_cut": sum(answer.cut > 0 for answer in given),
        "reply_characters": REPLY_CHARACTERS,
    }


def fate_of(verdict: Verdict) -> str:
    """What became of a reply, as one of FATES: its kind on main, and whether a twin refutes it."""
    kind = kind_of(verdict, MAIN)
    return LUCKY if kind == RIGHT and kind_of(verdict, "all") != RIGHT else kind


class Reading:
    """Collects what there is to read of one task; see explorer_data for what comes out."""

    def __init__(self, task: Task, reference: Rows, reasons: Numbers) -> None:
        self._task, self._reasons = task, reasons
        self._rows, self._answers = Numbers(), Numbers()
        self._reference = self._rows.of(_frozen(reference))
        self._replies: list[int] = []

    def add(
        self,
        replies: Sequence[ReplyText],
        verdicts: Sequence[Verdict],
        k: int,
        keeps: Keeps,
    ) -> None:
        """Add one checkpoint's k samples, or as many times NOT_SCORED; keeps says what of each stays."""
        fates = [fate_of(verdict) for verdict in verdicts]
        for sample, (reply, verdict) in enumerate(zip(replies, verdicts, strict=True)):
            answer = self._answer(reply, verdict, *keeps(fates, sample))
            self._replies.append(self._answers.of(answer))
        self._replies += [NOT_SCORED] * (k - len(verdicts))

    def fields(self) -> list[Any]:
        """The task as a line of ``readings``."""
        answers = [list(vars(answer).values()) for answer in self._answers.values]
        question, sql = self._task.question, self._task.reference_sql
        return [question, sql, self._reference, self._rows.values, answers, self._replies]

    def _answer(self, reply: ReplyText, verdict: Verdict, keep_text: bool, keep_rows: bool) -> Answer:
        """The reply with its verdict; whole where another reply is just the same and whole."""
        outcome, rows = verdict.outcomes[MAIN], _frozen(verdict.outcomes[MAIN].rows)
        fate, reason = FATES.index(fate_of(verdict)), self._reasons.of(outcome.reason)
        truncated = int(reply.finish_reason == "length")
        judged = Answer(fate, reason, outcome.message, _refuted(verdict.outcomes), truncated)
        text, sql = reply.text[:REPLY_CHARACTERS], verdict.sql
        before, found, rest = text.rpartition(sql) if sql else ("", "", "")
        start, after = (before, rest) if found else (text, None)
        told = replace(judged, before=start, sql=sql, after=after, cut=len(reply.text) - len(text))
        if rows in self._rows and (whole := replace(told, rows=self._rows.of(rows))) in self._answers:
            return whole
        if keep_rows or (keep_text and rows is None):
            return replace(told, rows=self._rows.of(rows))
        return told if keep_text else judged


def _keeper(kept: str, checkpoint: str, last: str) -> Keeps:
    """What is kept of a checkpoint's replies to one task; see KEPT."""

    def each_kind(fates: Sequence[str], sample: int) -> bool:
        return fates[sample] not in fates[:sample]

    def worst(fates: Sequence[str], sample: int) -> bool:
        return sample == max(range(len(fates)), key=lambda place: (_badness(fates[place]), -place))

    both = {
        "all": lambda fates, sample: (True, True),
        "texts": lambda fates, sample: (True, each_kind(fates, sample)),
        "first_of_kind": lambda fates, sample: (each_kind(fates, sample),) * 2,
        "ends": lambda fates, sample: (checkpoint in (BASE, last) and each_kind(fates, sample),) * 2,
        "one": lambda fates, sample: (checkpoint == last and worst(fates, sample),) * 2,
        "none": lambda fates, sample: (False, False),
    }
    return both[kept]


def _badness(fate: str) -> int:
    return {RIGHT: 0, LUCKY: 1}.get(fate, 2)


def _frozen(rows: Rows) -> tuple[tuple[str | None, ...], ...] | None:
    return None if rows is None else tuple(tuple(row) for row in rows)


def _refuted(outcomes: Mapping[str, Outcome]) -> str | None:
    """The first twin that shows a match on main to be luck, and why."""
    if outcomes[MAIN].verdict != "match":
        return None
    return next((f"{name}: {one.reason}" for name, one in outcomes.items() if one.verdict != "match"), None)
