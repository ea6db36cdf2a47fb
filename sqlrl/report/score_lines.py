"""Lines of score files, our own and other people's, JSONL or CSV: a task, a sample, a verdict."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlrl.database.files import MAIN
from sqlrl.errors import UserError
from sqlrl.records import from_dict, read_text
from sqlrl.verifier.reward import Databases, Verdict, worst_verdict

FORMAT = '{"task_id": "a", "sample": 0, "verdict": "match"}'
ALLOWED = "match, wrong, error, true, false, 1 or 0"

# Word to whether the reply is right, and whether its query ran; None where the word does not say.
MEANINGS: Mapping[str, tuple[bool, bool | None]] = {
    "match": (True, True),
    "wrong": (False, True),
    "error": (False, False),
    "true": (True, None),
    "false": (False, None),
    "1": (True, None),
    "0": (False, None),
}


@dataclass(frozen=True)
class ScoreLine:
    """One judged sample.

    Attributes:
        task_id: of its task.
        sample: its number among the task's samples.
        right: whether the reply is right.
        ran: whether its query ran, whatever it gave; None where the verdict does not say.
        template: the task's query shape, or any other cluster of tasks that rise and fall together.
        database: that the task asks about.
    """

    task_id: str
    sample: int
    right: bool
    ran: bool | None = None
    template: str | None = None
    database: str | None = None


def read_lines(path: Path, databases: Databases = "main") -> list[ScoreLine]:
    """Read one score file: CSV where its name ends in .csv, else one JSON object a line.

    Args:
        path: with the keys or columns task_id, sample and verdict, and maybe template (or cluster) and
            database; others are passed over. A verdict is a word or a number, or an object as our own
            score files have it.
        databases: where a reply of our own files must be right.

    Raises:
        UserError: names the file and the line that is none of these, or says that the file has none.
    """
    values = _csv_values(path) if path.suffix == ".csv" else _json_values(path)
    lines = [_line(value, where, databases) for value, where in values]
    if not lines:
        raise UserError(f"{path}: no scores in it; expected one line a sample, such as {FORMAT}.")
    return lines


def read_groups(path: Path) -> dict[str, tuple[str | None, str | None]]:
    """Template and database of each task of a task file, by task id.

    Raises:
        UserError: names the file and the line that has no id.
    """
    found = {}
    for value, where in _csv_values(path) if path.suffix == ".csv" else _json_values(path):
        task = _name(value, "id" if "id" in value else "task_id", where)
        if task is None:
            raise UserError(f"{where}: a task needs an id.")
        found[task] = _groups(value, where)
    return found


def _json_values(path: Path) -> Iterator[tuple[dict[str, Any], str]]:
    for number, line in enumerate(_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            raise UserError(f"{where}: not JSON: {error}. Expected one object a line.") from error
        if not isinstance(value, dict):
            raise UserError(f"{where}: expected an object such as {FORMAT}, found {line.strip()[:80]}.")
        yield value, where


def _csv_values(path: Path) -> Iterator[tuple[dict[str, Any], str]]:
    rows = csv.DictReader(io.StringIO(_text(path), newline=""))
    for row in rows:
        where = f"{path}:{rows.line_num}"
        if None in row or None in row.values():
            raise UserError(f"{where}: has another number of columns than the header.")
        yield {key: cell for key, cell in row.items() if cell.strip()}, where


def _text(path: Path) -> str:
    if path.is_dir():
        raise UserError(f"{path}: a folder; name the score files in it, such as {path}/*.jsonl.")
    return read_text(path).removeprefix("\ufeff")


def _line(value: Mapping[str, Any], where: str, databases: Databases) -> ScoreLine:
    task = _name(value, "task_id", where)
    missing = [key for key in ("task_id", "sample", "verdict") if value.get(key) is None]
    if task is None or missing:
        raise UserError(f"{where}: {missing[0]} is missing; expected a line such as {FORMAT}.")
    right, ran = _verdict(value["verdict"], where, databases)
    template, database = _groups(value, where)
    return ScoreLine(task, _sample(value["sample"], where), right, ran, template, database)


def _groups(value: Mapping[str, Any], where: str) -> tuple[str | None, str | None]:
    template = "cluster" if "cluster" in value else "template"
    return _name(value, template, where), _name(value, "database", where)


def _name(value: Mapping[str, Any], key: str, where: str) -> str | None:
    """A name, which may be a whole number; None where there is none."""
    name = value.get(key)
    if name is None or (isinstance(name, str) and name):
        return name
    if isinstance(name, int) and not isinstance(name, bool):
        return str(name)
    raise UserError(f"{where}: {key} is {name!r}; expected a text or a whole number.")


def _sample(number: Any, where: str) -> int:
    text = str(number)
    if isinstance(number, bool) or not (text.isascii() and text.isdigit()):
        raise UserError(f"{where}: sample is {number!r}; expected a whole number, such as 0.")
    return int(text)


def _verdict(value: Any, where: str, databases: Databases) -> tuple[bool, bool | None]:
    if isinstance(value, dict):
        verdict = from_dict(Verdict, value, f"{where}: verdict")
        if MAIN not in verdict.outcomes:
            raise UserError(f"{where}: not judged on {MAIN}.")
        return MEANINGS[worst_verdict(verdict.outcomes, databases)]
    word = str(value).strip().lower()
    if word in ("1.0", "0.0"):
        word = word[0]
    if word not in MEANINGS:
        raise UserError(f"{where}: verdict is {value!r}; expected {ALLOWED}.")
    return MEANINGS[word]
