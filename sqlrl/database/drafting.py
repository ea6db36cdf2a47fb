"""A draft of notes.md: what the comments of a schema and the counts of its columns tell, for somebody to correct."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from sqlrl.database.catalog import Column, Table, read_tables
from sqlrl.database.files import MAIN
from sqlrl.database.server import Server, own_database
from sqlrl.database.statistics import ColumnStatistics, Statistics, read_statistics


def describe_database(server: Server, main: Path, database: str, may_see: str) -> tuple[Statistics, str]:
    """What the columns of a database's main instance hold, and a draft of its notes.

    Args:
        server: to restore it on.
        main: its content file.
        database: its name.
        may_see: as authoring.may_see, for what both tell.
    """
    with own_database(server, MAIN, main) as connection:
        tables = read_tables(connection)
        statistics = read_statistics(connection, tables, may_see)
    return statistics, draft_notes(database, tables, statistics)


def draft_notes(database: str, tables: Sequence[Table], statistics: Statistics) -> str:
    """A note a line, tables in their order: comments first, then what NULL and the values need words for."""
    lines = [f"# What the data of {database} mean", ""]
    counted = {table.name: table for table in statistics.tables}
    for table in tables:
        if table.comment:
            lines.append(f"- {table.name}: {_sentence(table.comment)}")
        for column, found in zip(table.columns, counted[table.name].columns, strict=True):
            lines += [f"- {table.name}.{column.name}{text}" for text in _notes(column, found, table.rows)]
    return "\n".join(lines) + "\n"


def _notes(column: Column, found: ColumnStatistics, rows: int) -> Iterator[str]:
    if column.comment:
        yield f": {_sentence(column.comment)}"
    if found.labels:
        yield f": one of {', '.join(found.labels)}."
    elif found.common and not (column.key or column.references):
        yield f": {'one of' if found.distinct == len(found.common) else 'mostly'} {', '.join(found.common)}."
    if found.least is not None and column.type.startswith(("date", "timestamp")):
        yield f" goes from {found.least} to {found.greatest}."
    if found.nulls:
        yield f" is NULL in {_share(found.nulls, rows)} of the rows."


def _share(part: int, whole: int) -> str:
    percent = round(100 * part / whole)
    return "all" if part == whole else "few" if percent == 0 else f"{min(percent, 99)}%"


def _sentence(comment: str) -> str:
    """A comment as one line that ends like a sentence."""
    text = " ".join(comment.split())
    return text if text.endswith((".", "!", "?")) else f"{text}."
