"""SQL files as people and pg_dump write them, split into statements and COPY blocks."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import postgast

from sqlrl.errors import UserError

# Words of psql that pg_dump or a careful hand writes, and that mean nothing to the server.
IDLE_WORDS = ("restrict", "unrestrict", "connect", "c", "echo", "set", "encoding", "pset", "timing", "q")
COPY = re.compile(r"COPY\s.*\sFROM\s+STDIN\b.*;\s*$", re.IGNORECASE | re.DOTALL)
# Headings of pg_dump, three lines each; what they say stands in the statement below.
HEADINGS = re.compile(
    r"--\n-- (?:Name|Data for Name|TOC entry|PostgreSQL database|Dependencies)[^\n]*\n--\n*"
)
VERSIONS = re.compile(
    r"-- (?:Dumped (?:from|by)|Started on|Completed on|TOC entry|Name:|Dependencies:)[^\n]*\n*"
)


@dataclass(frozen=True)
class Part:
    """One statement, or one COPY block.

    Attributes:
        sql: the statement without its semicolon.
        comment: what stands before it, comments of pg_dump left out.
        rows: the lines of a COPY block, line ends included; None for a statement.
    """

    sql: str
    comment: str = ""
    rows: tuple[str, ...] | None = None


def read_script(lines: Iterable[str], where: str) -> Iterator[Part]:
    """Split a file.

    Args:
        lines: with their line ends.
        where: the file, for messages.

    Raises:
        UserError: a statement that PostgreSQL's grammar refuses, a command of psql that reads other files, or
            a COPY block that does not end.
    """
    pending: list[str] = []
    numbered = enumerate(lines, start=1)
    for number, line in numbered:
        between = not pending or _is_finished(pending)
        if between and line.startswith("\\"):
            _check_word(line, f"{where}:{number}")
        elif between and COPY.match(line):
            yield from _statements("".join(pending), where)
            pending = []
            yield Part(line.strip().removesuffix(";"), rows=tuple(_block(numbered, f"{where}:{number}")))
        else:
            pending.append(line)
    yield from _statements("".join(pending), where)


def _is_finished(pending: list[str]) -> bool:
    """Whether the last line that is neither empty nor a comment ends a statement."""
    for line in reversed(pending):
        text = line.strip()
        if text and not text.startswith("--"):
            return text.endswith(";")
    return True


def _check_word(line: str, where: str) -> None:
    word = line[1:].split(maxsplit=1)[0] if line[1:].split() else ""
    if word not in IDLE_WORDS:
        raise UserError(
            f"{where}: \\{word} is a command of psql, and no psql runs here. Write its statements into this file."
        )


def _block(numbered: "Iterator[tuple[int, str]]", where: str) -> Iterator[str]:
    for _, line in numbered:
        if line.rstrip("\r\n") == "\\.":
            return
        yield line
    raise UserError(f"{where}: the rows of this COPY do not end with a line \\. ; the file is cut off.")


def _statements(text: str, where: str) -> Iterator[Part]:
    if not text.strip():
        return
    try:
        found = postgast.split(text)
    except postgast.PgQueryError as error:
        near = " ".join(text[max(0, error.cursorpos - 40) : error.cursorpos + 40].split())
        raise UserError(f"{where}: PostgreSQL's grammar refuses it: {error.message}, near: {near}") from error
    place = 0
    for sql in found:
        start = text.index(sql, place)
        yield Part(sql.strip(), _comment(text[place:start]))
        place = start + len(sql)


def _comment(text: str) -> str:
    """The comment lines before a statement, without those of pg_dump and the rest of the last statement's line."""
    own = text.lstrip(" \t;")
    own = VERSIONS.sub("", HEADINGS.sub("", own))
    return "\n".join(line.rstrip() for line in own.strip().splitlines() if line.strip() not in ("", "--"))
