"""The system prompt: the schema, what its data mean, and the one-query rule."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from sqlrl.database.catalog import Catalog, Column, Table
from sqlrl.database.files import MAIN
from sqlrl.database.snapshot import read_blocks
from sqlrl.errors import UserError
from sqlrl.records import read_json, read_text

TASK = "Answer the question with one PostgreSQL query over this database."
RULE = "Reply with exactly one read-only query in a ```sql block."
LEGEND = "Tables (PK = primary key, ? = may be NULL, > = references):"

SHORT_TYPES = {
    "integer": "int",
    "character varying": "text",
    "character": "text",
    "double precision": "float",
    "timestamp without time zone": "timestamp",
    "timestamp with time zone": "timestamptz",
    "boolean": "bool",
}


def write_system_prompt(schema: Literal["ddl", "compact"], main: Path, notes: Path) -> str:
    """The system prompt of one database.

    Args:
        schema: ddl - the statements that make the schema, and the notes as they are; compact - a line
            a table, and the notes that a query needs, shortened.
        main: the catalog or the dump of the database's main instance; the other lies beside it.
        notes: what the data mean, one note a line that starts with ``- ``.

    Raises:
        UserError: a file is missing or is not of its kind.
    """
    if schema == "ddl":
        tables = _read_schema(main.with_suffix(".sql"))
        meaning = [line for line in read_text(notes).splitlines() if line.strip()]
    else:
        catalog = read_json(main.with_suffix(".json"), Catalog)
        tables = "\n".join([LEGEND, *map(_compact_table, catalog.tables)])
        meaning = ["Notes:", *_shorten(read_text(notes))]
    return "\n\n".join([TASK, tables, "\n".join(meaning), RULE])


def pair_files(databases: Iterable[Path], notes: Sequence[Path]) -> dict[str, tuple[Path, Path]]:
    """The main catalog or dump and the notes of each database, by the folder that they lie in.

    Args:
        databases: catalogs or dumps, ``<database>/<instance>.json`` or ``.sql``; twins are passed over.
        notes: ``<database>/notes.md``.

    Raises:
        UserError: a database comes without main, or without notes.
    """
    mains = {path.absolute().parent.name: path for path in databases if path.stem == MAIN}
    texts = {path.absolute().parent.name: path for path in notes}
    if not mains:
        raise UserError(f"no catalog of a database's {MAIN} instance was given.")
    for name in mains:
        if name not in texts:
            raise UserError(f"database {name!r} comes without notes; given: {', '.join(map(str, notes))}.")
    return {name: (path, texts[name]) for name, path in mains.items()}


def _read_schema(dump: Path) -> str:
    """The statements of a dump before its first rows."""
    if not dump.is_file():
        raise UserError(f"{dump}: no such file.")
    statements = []
    with dump.open(encoding="utf-8", newline="\n") as stream:
        for statement, _ in read_blocks(stream, str(dump)):
            if statement.startswith("COPY "):
                break
            statements.append(statement.strip())
    return "\n\n".join(statements)


def _compact_table(table: Table) -> str:
    return f"{table.name}({', '.join(map(_compact_column, table.columns))})"


def _compact_column(column: Column) -> str:
    bare = re.sub(r"\(.*?\)", "", column.type).strip()
    text = f"{column.name} {SHORT_TYPES.get(bare, bare)}{'?' if column.nullable else ''}"
    if column.key:
        text += " PK"
    return f"{text} > {_compact_reference(column.references)}" if column.references else text


def _compact_reference(reference: str) -> str:
    """The table alone where its column has the usual name of a key."""
    return reference.removesuffix(".id")


def _shorten(notes: str) -> list[str]:
    """What a query can't be written without: notes that hold a formula, a NULL or a definition, each
    up to the end of its first sentence or its first semicolon.
    """
    lines = [line.strip() for line in notes.splitlines() if line.startswith("- ")]
    clauses = [re.split(r"(?<=\S)[;.](?=\s|$)", line, maxsplit=1)[0] for line in lines]
    return [clause for clause in clauses if re.search(r"NULL|[*/+]|::|^- [^:]+: ", clause)]
