"""The statements that make a schema, one by one: which table each is about, and without its comments."""

from dataclasses import dataclass
from typing import Any

import postgast

from sqlrl.errors import UserError


@dataclass(frozen=True)
class Piece:
    """A part of a schema's text; the table that it is about, None where it is about none or several."""

    table: str | None
    text: str


def split_statements(ddl: str) -> list[Piece]:
    """The statements of a schema in their order, each with the comments before it.

    Raises:
        UserError: PostgreSQL's grammar does not read it.
    """
    data, tree = ddl.encode(), _parse(ddl)
    pieces, start = [], 0
    for raw in tree.stmts:
        end = raw.stmt_location + raw.stmt_len if raw.stmt_len else len(data)
        text = data[start:end].decode().lstrip().removeprefix(";").strip()
        pieces.append(Piece(_table(raw.stmt), f"{text};"))
        start = end
    return pieces


def without_comments(ddl: str) -> str:
    """A schema's statements without COMMENT ON and without what stands behind ``--`` or in ``/* */``."""
    data = ddl.encode()
    for token in reversed(postgast.scan(ddl).tokens):
        if token.DESCRIPTOR.fields_by_name["token"].enum_type.values_by_number[token.token].name in (
            "SQL_COMMENT",
            "C_COMMENT",
        ):
            data = data[: token.start] + data[token.end :]
    kinds = [raw.stmt.WhichOneof("node") for raw in _parse(data.decode()).stmts]
    pieces = split_statements(data.decode())
    texts = [piece.text for piece, kind in zip(pieces, kinds, strict=True) if kind != "comment_stmt"]
    return "\n\n".join(
        "\n".join(line.rstrip() for line in text.splitlines() if line.strip()) for text in texts
    )


def _parse(ddl: str) -> Any:
    try:
        return postgast.parse(ddl)
    except postgast.PgQueryError as error:
        raise UserError(f"the schema's statements can't be told apart: {error.message}.") from error


def _table(statement: Any) -> str | None:
    """The table that a statement makes, changes, indexes or comments on."""
    kind = statement.WhichOneof("node")
    node = getattr(statement, kind)
    if kind in ("create_stmt", "alter_table_stmt", "index_stmt"):
        return str(node.relation.relname)
    if kind == "comment_stmt" and node.object.WhichOneof("node") == "list":
        names = [item.string.sval for item in node.object.list.items]
        of_column = node.DESCRIPTOR.fields_by_name["objtype"].enum_type.values_by_number[node.objtype].name
        return str(names[-2] if of_column == "OBJECT_COLUMN" and len(names) > 1 else names[-1])
    return None
