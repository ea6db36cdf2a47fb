"""The form that a model's questions come in, and how what it really sent is read."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlrl.sampling.client import Form

_FIELDS = {
    "cell": {"type": "integer", "description": "Number of the cell that the question is for."},
    "question": {"type": "string"},
    "sql": {"type": "string", "description": "One PostgreSQL query whose rows are the answer."},
}
_ITEM = {
    "type": "object",
    "properties": _FIELDS,
    "required": list(_FIELDS),
    "additionalProperties": False,
}
FORM = Form(
    name="write_questions",
    description="Hand in the questions with their SQL.",
    schema={
        "type": "object",
        "properties": {"questions": {"type": "array", "items": _ITEM}},
        "required": ["questions"],
        "additionalProperties": False,
    },
)

# Why a reply, or a part of it, was no question; the teacher reads these words.
FAULTS: Mapping[str, str] = {
    "empty_reply": "the reply was empty",
    "cut_off": "the reply ran into its limit of tokens before this was complete; write shorter",
    "not_the_form": "the reply was not the JSON that was asked for",
    "missing_cell": "the reply had no question for this cell",
}


@dataclass(frozen=True)
class Written:
    """One question as a reply has it; the cell is a number in the prompt, from 1."""

    cell: int
    question: str
    sql: str


@dataclass(frozen=True)
class Reading:
    """What a reply held: questions, and what ails cells that got none (a key of FAULTS)."""

    written: tuple[Written, ...]
    fault: str


def read_reply(text: str, ran_out: bool) -> Reading:
    """Read a reply in JSON, in JSON with words around it, or cut off in the middle.

    Args:
        text: the reply.
        ran_out: whether it ended at its limit of tokens.
    """
    objects = list(_objects(text))
    written = tuple(one for found in objects for one in _questions(found))
    if ran_out:
        return Reading(written, "cut_off")
    if not text.strip():
        return Reading(written, "empty_reply")
    formed = bool(written) or any(isinstance(one.get("questions"), list) for one in objects)
    return Reading(written, "missing_cell" if formed else "not_the_form")


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """JSON objects in a text: the largest that are whole, in their order."""
    decoder = json.JSONDecoder(strict=False)
    place = text.find("{")
    while place >= 0:
        try:
            found, end = decoder.raw_decode(text, place)
        except (json.JSONDecodeError, RecursionError):
            end = place + 1
        else:
            yield found
        place = text.find("{", end)


def _questions(found: Mapping[str, Any]) -> Iterator[Written]:
    inner = found.get("questions")
    for one in inner if isinstance(inner, list) else [found]:
        written = _written(one) if isinstance(one, dict) else None
        if written:
            yield written


def _written(one: Mapping[str, Any]) -> Written | None:
    question, sql = one.get("question"), one.get("sql")
    cell = re.search(r"\d{1,6}", str(one.get("cell")))
    if not (isinstance(question, str) and isinstance(sql, str) and cell):
        return None
    question, sql = " ".join(question.split()), sql.strip().rstrip("; \n")
    if not question or not sql or _is_unwritable(question + sql):
        return None
    return Written(int(cell[0]), question, sql)


def _is_unwritable(text: str) -> bool:
    """Half a surrogate pair or a NUL, which neither UTF-8 nor PostgreSQL takes."""
    return "\0" in text or any("\ud800" <= character <= "\udfff" for character in text)
