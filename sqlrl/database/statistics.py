"""What the columns of a database hold, in counts; values only where they may be seen."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from psycopg.sql import SQL, Composed, Identifier

from sqlrl.database.catalog import Column, Table
from sqlrl.database.connect import Connection, fetch_all

# As authoring.may_see: with this word no value of a row is told to anybody.
NO_VALUES = "schema"
COMMON, FEW = 5, 20
LONGEST = 40
RANGED = re.compile(r"(smallint|integer|bigint|numeric(\(.*\))?|real|double precision|date|timestamp[^\[]*)")

LABELS = """
    SELECT format_type(enumtypid, NULL), array_agg(enumlabel ORDER BY enumsortorder) FROM pg_enum GROUP BY enumtypid
"""


@dataclass(frozen=True)
class ColumnStatistics:
    """One column.

    Attributes:
        nulls: how many rows have no value.
        distinct: how many values there are.
        labels: of an enum, all that its type allows.
        common: the most frequent values, where there are few and they may be seen.
        least: of numbers and dates, likewise.
        greatest: the same.
    """

    name: str
    type: str
    nulls: int
    distinct: int
    labels: tuple[str, ...]
    common: tuple[str, ...]
    least: str | None
    greatest: str | None


@dataclass(frozen=True)
class TableStatistics:
    """One table, its columns in their order."""

    name: str
    rows: int
    columns: tuple[ColumnStatistics, ...]


@dataclass(frozen=True)
class Statistics:
    """One database."""

    tables: tuple[TableStatistics, ...]


def read_statistics(connection: Connection, tables: Sequence[Table], may_see: str) -> Statistics:
    """Count what each column holds.

    Args:
        connection: to the database.
        tables: its catalog.
        may_see: ``schema``, and no value is read; else values are.
    """
    labels = {str(kind): tuple(found) for kind, found in fetch_all(connection, LABELS)}
    return Statistics(
        tuple(
            TableStatistics(
                table.name,
                table.rows,
                tuple(
                    _read_column(connection, table, column, labels.get(column.type, ()), may_see != NO_VALUES)
                    for column in table.columns
                ),
            )
            for table in tables
        )
    )


def _read_column(
    connection: Connection, table: Table, column: Column, labels: tuple[str, ...], open_values: bool
) -> ColumnStatistics:
    names = {"column": Identifier(column.name), "table": Identifier(table.name)}
    counts = SQL("SELECT count(*) - count({column}), count(DISTINCT {column}::text) FROM {table}")
    nulls, distinct = _ask(connection, counts.format(**names))[0]
    common: tuple[str, ...] = ()
    least = greatest = None
    if open_values and RANGED.fullmatch(column.type):
        ends = SQL("SELECT min({column})::text, max({column})::text FROM {table}").format(**names)
        least, greatest = _ask(connection, ends)[0]
    elif open_values and 0 < distinct <= FEW:
        query = SQL(
            "SELECT {column}::text FROM {table} WHERE {column} IS NOT NULL GROUP BY 1"
            ' ORDER BY count(*) DESC, {column}::text COLLATE "C" LIMIT {limit}'
        )
        found = _ask(connection, query.format(limit=SQL(str(COMMON)), **names))
        common = tuple(str(row[0]) for row in found if len(str(row[0])) <= LONGEST)
    return ColumnStatistics(column.name, column.type, nulls, distinct, labels, common, least, greatest)


def _ask(connection: Connection, query: Composed) -> list[tuple[Any, ...]]:
    return connection.execute(query).fetchall()
