"""Lets exactly one plain SELECT through, judged by PostgreSQL's own grammar.

The tree is libpg_query's (PostgreSQL 18, through postgast), so what the guard reads is what the
server will read. Only nodes of a query are allowed, instead of listing the ones that write: a node
that a later PostgreSQL adds is refused until someone has looked at it.

Limits, each a verdict ``error`` and not a crash:

- ``too_long``: over MAXIMUM_CHARACTERS. The grammar's C code needs stack per level of nesting
  and a level takes at least two characters; five times as many overflow an 8 MiB stack.
- ``too_deep``: over 100 nested nodes, where protobuf stops reading the tree. That is about 45
  chained operators or nested calls, 45 joins, 24 nested sub-queries or CASEs, 95 UNIONs; AND, OR,
  IN lists and parentheses don't nest.
"""

from dataclasses import dataclass
from typing import Any

import postgast
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]

MAXIMUM_CHARACTERS = 20_000

# bison's own stack limit, the same in the server.
_PARSER_STACK_FULL = "memory exhausted"

_REFUSED_NODES = {
    "IntoClause": ("select_into", "SELECT INTO makes a table"),
    "LockingClause": ("locks_rows", "a locking clause writes to the rows"),
    # The server would call the missing value a protocol violation, as if the connection were at fault.
    "ParamRef": ("parameter", "there is no value for a parameter such as $1"),
}


@dataclass(frozen=True)
class Refusal:
    """Why a text is not run: a reason code and, where there is one, PostgreSQL's own message."""

    reason: str
    message: str


class RefusedError(Exception):
    """The text is not one plain query; carries the Refusal."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.refusal = Refusal(reason, message)


def check_query(sql: str) -> Refusal | None:
    """Why a text must not be run, or None for exactly one SELECT, VALUES, TABLE or WITH ... SELECT."""
    try:
        parse_query(sql)
    except RefusedError as error:
        return error.refusal
    return None


def parse_query(sql: str) -> Any:
    """Parse a text that must be exactly one plain query.

    Returns:
        A postgast ``ParseResult`` with one ``SelectStmt``.

    Raises:
        RefusedError: it is anything else, or over a limit of this module.
    """
    tree = _parse(sql)
    if not tree.stmts:
        raise RefusedError("no_statement", "there is no statement in it")
    if len(tree.stmts) > 1:
        raise RefusedError("several_statements", f"{len(tree.stmts)} statements where one is allowed")
    statement = tree.stmts[0].stmt
    kind = statement.WhichOneof("node")
    if kind != "select_stmt":
        raise RefusedError("not_a_query", f"a {kind}, not a query")
    _refuse_writing_nodes(statement)
    return tree


def _parse(sql: str) -> Any:
    if len(sql) > MAXIMUM_CHARACTERS:
        raise RefusedError("too_long", f"{len(sql)} characters; at most {MAXIMUM_CHARACTERS} are run")
    if "\0" in sql or any("\ud800" <= character <= "\udfff" for character in sql):
        # A NUL would end the text for the C parser only; half a surrogate pair has no UTF-8.
        raise RefusedError("bad_character", "a character that PostgreSQL's text can't hold")
    try:
        return postgast.parse(sql)
    except postgast.PgQueryError as error:
        deep = _PARSER_STACK_FULL in error.message
        raise RefusedError("too_deep" if deep else "syntax_error", error.message) from error
    except DecodeError as error:
        raise RefusedError("too_deep", "nested deeper than the 100 levels that are read") from error


def _refuse_writing_nodes(statement: Any) -> None:
    """Walk the whole tree without recursion."""
    waiting = [statement]
    while waiting:
        message = waiting.pop()
        name = message.DESCRIPTOR.name
        if name in _REFUSED_NODES:
            raise RefusedError(*_REFUSED_NODES[name])
        if name.endswith("Stmt") and name != "SelectStmt":
            raise RefusedError("writes", f"a {name} inside the query")
        for field, value in message.ListFields():
            if field.message_type is None:
                continue
            if field.is_repeated:
                waiting.extend(value)
            else:
                waiting.append(value)


def select_of(tree: Any) -> Any:
    """The top-level SelectStmt of a tree that parse_query gave."""
    return tree.stmts[0].stmt.select_stmt
