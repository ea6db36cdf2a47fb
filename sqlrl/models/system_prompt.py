"""The system prompt: the schema, what its data mean, and the one-query rule."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Literal

from sqlrl.database.catalog import Catalog, Column, Table
from sqlrl.database.files import MAIN
from sqlrl.database.literals import quote
from sqlrl.database.snapshot import read_blocks
from sqlrl.errors import UserError
from sqlrl.models.ddl import Piece, split_statements, without_comments
from sqlrl.models.values import Values, read_values
from sqlrl.records import read_json, read_text

TASK = "Answer the question with one PostgreSQL query over this database."
RULE = "Reply with exactly one read-only query in a ```sql block."
LEGEND = "Tables (PK = primary key, ? = may be NULL, > = references):"
COMMENTS = "What tables and columns hold:"
VALUES = "Some values of columns, the most frequent first:"

SHORT_TYPES = {
    "integer": "int",
    "character varying": "text",
    "character": "text",
    "double precision": "float",
    "timestamp without time zone": "timestamp",
    "timestamp with time zone": "timestamptz",
    "boolean": "bool",
}


class SystemPrompt:
    """What the system prompt of one database is made of; a large schema can be shown in part."""

    def __init__(
        self,
        schema: Literal["ddl", "compact"],
        main: Path,
        notes: Path,
        comments: bool | None = None,
        samples: int = 0,
    ) -> None:
        """Read the parts.

        Args:
            schema: ddl - the statements that make the schema, and the notes as they are; compact - a line
                a table, and the notes that a query needs, shortened.
            main: the catalog or the dump of the database's main instance; the other lies beside it.
            notes: what the data mean, one note a line that starts with ``- ``.
            comments: of tables and columns: true shows them, false does not, None leaves ddl as it is
                and compact without.
            samples: values of each column that are shown.

        Raises:
            UserError: a file is missing or is not of its kind.
        """
        self._ddl: str | None = None
        self._catalog: Catalog | None = None
        self._main = main
        if schema == "ddl":
            self._ddl = read_schema(self.dump)
            if comments is False:
                self._ddl = without_comments(self._ddl)
            self._meaning = [line for line in read_text(notes).splitlines() if line.strip()]
        else:
            self._meaning = ["Notes:", *_shorten(read_text(notes))]
        self._details: list[tuple[str, list[Piece]]] = []
        if comments and schema == "compact":
            self._details.append((COMMENTS, list(_comment_lines(self.catalog))))
        if samples:
            values = read_values(self.dump, self.catalog, samples)
            self._details.append((VALUES, list(_value_lines(values))))

    @property
    def dump(self) -> Path:
        """Of main."""
        return self._main.with_suffix(".sql")

    @property
    def catalog(self) -> Catalog:
        """Of main."""
        if self._catalog is None:
            self._catalog = read_json(self._main.with_suffix(".json"), Catalog)
        return self._catalog

    def text(self, tables: Collection[str] | None = None) -> str:
        """The whole prompt, or that with some tables only."""
        parts = [TASK, *(text for text in self._schema_texts(tables) if text), "\n".join(self._meaning), RULE]
        return "\n\n".join(parts)

    def _schema_texts(self, tables: Collection[str] | None) -> Iterator[str]:
        if self._ddl is None:
            shown = [one for one in self.catalog.tables if tables is None or one.name in tables]
            yield "\n".join([LEGEND, *map(_compact_table, shown)])
        elif tables is None:
            yield self._ddl
        else:
            yield "\n\n".join(piece.text for piece in self._pieces if piece.table in (None, *tables))
        for heading, lines in self._details:
            chosen = [piece.text for piece in lines if tables is None or piece.table in tables]
            yield "\n".join([heading, *chosen]) if chosen else ""

    @cached_property
    def _pieces(self) -> list[Piece]:
        return split_statements(self._ddl or "")


def write_system_prompt(schema: Literal["ddl", "compact"], main: Path, notes: Path) -> str:
    """The system prompt of one database as it is without further settings. See SystemPrompt."""
    return SystemPrompt(schema, main, notes).text()


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


def read_schema(dump: Path) -> str:
    """The statements of a dump besides its rows. Raises UserError where there is no such file."""
    if not dump.is_file():
        raise UserError(f"{dump}: no such file.")
    statements = []
    with dump.open(encoding="utf-8", newline="\n") as stream:
        for statement, _ in read_blocks(stream, str(dump)):
            if not statement.startswith("COPY "):
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


def _comment_lines(catalog: Catalog) -> Iterator[Piece]:
    for table in catalog.tables:
        if table.comment:
            yield Piece(table.name, f"- {table.name}: {_one_line(table.comment)}")
        for column in table.columns:
            if column.comment:
                yield Piece(table.name, f"- {table.name}.{column.name}: {_one_line(column.comment)}")


def _value_lines(values: Values) -> Iterator[Piece]:
    for table, columns in values.items():
        for column, found in columns.items():
            yield Piece(table, f"- {table}.{column}: {', '.join(map(quote, found))}")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _shorten(notes: str) -> list[str]:
    """What a query can't be written without: notes that hold a formula, a NULL or a definition, each
    up to the end of its first sentence or its first semicolon.
    """
    lines = [line.strip() for line in notes.splitlines() if line.startswith("- ")]
    clauses = [re.split(r"(?<=\S)[;.](?=\s|$)", line, maxsplit=1)[0] for line in lines]
    return [clause for clause in clauses if re.search(r"NULL|[*/+]|::|^- [^:]+: ", clause)]
