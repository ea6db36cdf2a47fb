"""Files of questions with SQL, in the forms that benchmarks have: BIRD's, Spider's, or plain columns."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sqlrl.errors import UserError

BIRD, SPIDER, PLAIN = "bird", "spider", "plain"
FORMATS: Final = (BIRD, SPIDER, PLAIN)


@dataclass(frozen=True)
class Keys:
    """Under which key an entry has what; database is None where entries name none."""

    question: str
    sql: str
    database: str | None


@dataclass(frozen=True)
class Entry:
    """A question with its SQL as a file has it.

    Attributes:
        where: file and line, or file and index from 0, for messages.
        question, sql: without the spaces around them.
        database: the file's own name of the database; None where it names none.
        evidence: what a reader of the question must know besides, such as a formula; empty where there is none.
        difficulty, archetype, style: as the file says; None where it does not.
    """

    where: str
    question: str
    sql: str
    database: str | None = None
    evidence: str = ""
    difficulty: str | None = None
    archetype: str | None = None
    style: str | None = None


def keys_of(form: str, question: str = "question", sql: str = "sql", database: str | None = None) -> Keys:
    """The keys of a form; of ``plain`` they can be chosen."""
    if form == BIRD:
        return Keys("question", "SQL", "db_id")
    if form == SPIDER:
        return Keys("question", "query", "db_id")
    return Keys(question, sql, database)


def read_entries(path: Path, keys: Keys) -> list[Entry]:
    """Read a file: a JSON list, one JSON object a line where its name ends in .jsonl, or a CSV in .csv.

    Raises:
        UserError: names the file, the line or the index from 0, and the key that is wrong.
    """
    text = _read(path)
    readers = {".csv": _csv_values, ".jsonl": _line_values}
    values = readers.get(path.suffix.lower(), _list_values)(path, text)
    entries = [_entry(value, keys, where) for value, where in values]
    if not entries:
        raise UserError(f"{path}: no question in it; expected {_example(keys)} at least once.")
    return entries


def _read(path: Path) -> str:
    if not path.is_file():
        raise UserError(f"{path}: no such file.")
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UserError(
            f"{path}:{line}: not UTF-8: byte 0x{data[error.start]:02x}. Convert the file first, such as with "
            "iconv -f latin1 -t utf-8."
        ) from error
    if not text.strip():
        raise UserError(f"{path}: the file is empty.")
    return text


def _list_values(path: Path, text: str) -> Iterator[tuple[dict[str, Any], str]]:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        hint = " One object a line? Then its name must end in .jsonl." if error.msg == "Extra data" else ""
        raise UserError(
            f"{path}:{error.lineno}: not JSON: {error.msg}, column {error.colno}.{hint}"
        ) from error
    if not isinstance(found, list):
        shown = (
            f"an object with {', '.join(map(repr, found))}" if isinstance(found, dict) else repr(found)[:80]
        )
        raise UserError(f"{path}: expected a list of objects, found {shown}.")
    for index, value in enumerate(found):
        yield _require_object(value, f"{path}[{index}]"), f"{path}[{index}]"


def _line_values(path: Path, text: str) -> Iterator[tuple[dict[str, Any], str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            raise UserError(f"{where}: not JSON: {error.msg}, column {error.colno}.") from error
        yield _require_object(value, where), where


def _csv_values(path: Path, text: str) -> Iterator[tuple[dict[str, Any], str]]:
    rows = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in rows:
            where = f"{path}:{rows.line_num}"
            if None in row or None in row.values():
                raise UserError(f"{where}: has another number of columns than the header.")
            yield {key: cell for key, cell in row.items() if cell.strip()}, where
    except csv.Error as error:
        raise UserError(f"{path}:{rows.line_num}: not CSV: {error}.") from error


def _require_object(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UserError(f"{where}: expected an object, found {json.dumps(value, ensure_ascii=False)[:80]}.")
    return value


def _entry(value: Mapping[str, Any], keys: Keys, where: str) -> Entry:
    texts = {key: _text(value, key, where) for key in ("evidence", "difficulty", "archetype", "style")}
    named = (keys.question, keys.sql, *([keys.database] if keys.database else []))
    for key in named:
        if not _text(value, key, where):
            raise UserError(
                f"{where}: {key} is {_absence(value, key)}; expected {_example(keys)}.{_hint(value, keys)}"
            )
    return Entry(
        where,
        _text(value, keys.question, where) or "",
        _text(value, keys.sql, where) or "",
        _text(value, keys.database, where) if keys.database else None,
        texts["evidence"] or "",
        texts["difficulty"],
        texts["archetype"],
        texts["style"],
    )


def _text(value: Mapping[str, Any], key: str, where: str) -> str | None:
    """A text without the spaces around it; None where there is none."""
    found = value.get(key)
    if found is None:
        return None
    if not isinstance(found, str):
        raise UserError(f"{where}: {key} is {json.dumps(found, ensure_ascii=False)[:80]}; expected a text.")
    return found.strip() or None


def _absence(value: Mapping[str, Any], key: str) -> str:
    return "empty" if key in value else "missing"


def _example(keys: Keys) -> str:
    example = {keys.question: "How many?", keys.sql: "SELECT ..."}
    if keys.database:
        example[keys.database] = "name"
    return json.dumps(example)


def _hint(value: Mapping[str, Any], keys: Keys) -> str:
    """Which form an entry looks like, if it is another one."""
    for form in (BIRD, SPIDER):
        other = keys_of(form)
        if other != keys and {other.question, other.sql, other.database} <= value.keys():
            return f" It looks like --format {form}."
    return f" Its keys: {', '.join(map(str, value)) or 'none'}."
