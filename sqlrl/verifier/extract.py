"""Finds the one query in a reply, and repairs nothing.

The rule, as the prompt states it: thinking is dropped, then the last fence tagged as SQL counts;
without one, the last untagged fence that starts like a query; without one, the whole reply if it
starts like a query. Fences are found line by line, so that backticks inside a sentence or a string
open nothing and 4,000 openers cost no more than their length.
"""

import re
from dataclasses import dataclass
from typing import Literal

SQL_TAGS = frozenset({"sql", "postgres", "postgresql", "pgsql", "psql", "plpgsql"})

# What PostgreSQL's scanner takes for white space; a no-break space stays where it is and fails there.
BLANKS = " \t\n\r\f\v"

_FENCE = re.compile(r"[ \t]*(?P<marks>`{3,}|~{3,})(?P<rest>.*)", re.DOTALL)
_THINKING = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/|[ \t\n\r\f\v]+", re.DOTALL)
_QUERY = re.compile(
    r"""select\b
    | values\s*\(
    | table\s+[\w."]+\s*(?:;|\Z|order\b|limit\b|offset\b|union\b|except\b|intersect\b)
    | with\s+(?:recursive\s+)?(?:"[^"]+"|\w+)\s*(?:\([^)]*\)\s*)?as\b
    | \([(\s]*(?:select|with|values|table)\b""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True)
class Extraction:
    """The query of a reply, or the reason why there is none.

    Attributes:
        sql: the text to run, trimmed; None where there is none.
        reason: ``found``, ``no_sql`` or ``thinking_not_closed``.
    """

    sql: str | None
    reason: Literal["found", "no_sql", "thinking_not_closed"]


@dataclass(frozen=True)
class _Fence:
    tag: str
    content: str


def extract_sql(reply: str) -> Extraction:
    """Find the query of a reply by the rule above. Time is linear in the reply's length."""
    answer = _after_thinking(reply)
    if answer is None:
        return Extraction(None, "thinking_not_closed")
    fences = _fences(answer)
    tagged = [fence for fence in fences if fence.tag in SQL_TAGS]
    if tagged:
        return _found(tagged[-1].content)
    untagged = [fence for fence in fences if not fence.tag and starts_like_query(fence.content)]
    if untagged:
        return _found(untagged[-1].content)
    if not fences and starts_like_query(answer):
        return _found(answer)
    return Extraction(None, "no_sql")


def starts_like_query(text: str) -> bool:
    """Whether a text begins as a query does, comments and blanks left out.

    Stricter than the first word: "With pleasure" and "Table customers has ..." are prose.
    """
    position = 0
    while blank := _COMMENT.match(text, position):
        position = blank.end()
    return _QUERY.match(text, position) is not None


def _found(content: str) -> Extraction:
    sql = content.strip(BLANKS)
    return Extraction(sql, "found") if sql else Extraction(None, "no_sql")


def _after_thinking(reply: str) -> str | None:
    """The reply after its last closing tag, or None if a thinking block is still open.

    The opening tag may stand in the prompt, so a closing tag alone ends the thinking as well.
    """
    tags = list(_THINKING.finditer(reply))
    closed = [tag.end() for tag in tags if tag.group(1)]
    start = closed[-1] if closed else 0
    if any(tag.start() >= start for tag in tags if not tag.group(1)):
        return None
    return reply[start:]


def _fences(text: str) -> list[_Fence]:
    """Fenced blocks in order; a block that is never closed reaches to the end of the text."""
    found: list[_Fence] = []
    opener, tag, lines = "", "", list[str]()
    for line in text.split("\n"):
        fence = _FENCE.fullmatch(line.rstrip(BLANKS))
        if opener:
            if fence and not fence["rest"] and _closes(fence["marks"], opener):
                found.append(_Fence(tag, "\n".join(lines)))
                opener = ""
            else:
                lines.append(line)
        elif fence and (one_line := _one_line_fence(fence["marks"], fence["rest"])):
            found.append(one_line)
        elif fence and "`" not in fence["rest"]:
            opener, tag, lines = fence["marks"], _tag(fence["rest"]), []
    if opener:
        found.append(_Fence(tag, "\n".join(lines)))
    return found


def _closes(marks: str, opener: str) -> bool:
    return marks[0] == opener[0] and len(marks) >= len(opener)


def _one_line_fence(marks: str, rest: str) -> _Fence | None:
    """A fence that opens and closes on one line, such as ```` ```sql SELECT 1``` ````."""
    if not rest.endswith(marks) or marks[0] in rest.removesuffix(marks):
        return None
    inside = rest.removesuffix(marks).strip(BLANKS)
    word, _, remainder = inside.partition(" ")
    if word.lower() in SQL_TAGS:
        return _Fence(word.lower(), remainder)
    return _Fence("", inside)


def _tag(rest: str) -> str:
    words = rest.split()
    return words[0].lower() if words else ""
