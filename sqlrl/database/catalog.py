"""What a seeded database has: the record that lies beside each dump."""

from dataclasses import dataclass

from psycopg.sql import SQL, Identifier

from sqlrl.database.connect import Connection, fetch_all


@dataclass(frozen=True)
class Column:
    """One column. ``references`` is ``table.column``; ``key`` says that it belongs to the primary key."""

    name: str
    type: str
    nullable: bool
    key: bool
    references: str | None
    comment: str | None


@dataclass(frozen=True)
class Table:
    """One table, its columns in their order."""

    name: str
    comment: str | None
    rows: int
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class Catalog:
    """One instance of a database.

    Attributes:
        database: such as ``shop``.
        instance: ``main``, ``twin-1``, ...
        digest: SHA-256 of the dump file, 64 hex digits.
        postgres_major: of the server that checked the rows and wrote the dump.
        tables: in the order of the schema, referenced tables first.
    """

    database: str
    instance: str
    digest: str
    postgres_major: int
    tables: tuple[Table, ...]


TABLES = """
    SELECT c.oid, c.relname, obj_description(c.oid, 'pg_class')
    FROM pg_class c
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
    ORDER BY c.oid
"""

COLUMNS = """
    SELECT a.attname, format_type(a.atttypid, a.atttypmod), NOT a.attnotnull,
           COALESCE(a.attnum = ANY (k.conkey), false),
           r.confrelid::regclass::text || '.' || f.attname,
           col_description(a.attrelid, a.attnum)
    FROM pg_attribute a
    LEFT JOIN pg_constraint k ON k.conrelid = a.attrelid AND k.contype = 'p'
    LEFT JOIN pg_constraint r ON r.conrelid = a.attrelid AND r.contype = 'f' AND r.conkey = ARRAY[a.attnum]
    LEFT JOIN pg_attribute f ON f.attrelid = r.confrelid AND f.attnum = r.confkey[1]
    WHERE a.attrelid = %s AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY a.attnum
"""


def read_tables(connection: Connection) -> tuple[Table, ...]:
    """The tables of the schema ``public`` in the order in which they were made, with their row counts."""
    return tuple(
        Table(
            name=name,
            comment=comment,
            rows=_count(connection, name),
            columns=tuple(Column(*values) for values in fetch_all(connection, COLUMNS, oid)),
        )
        for oid, name, comment in fetch_all(connection, TABLES)
    )


def _count(connection: Connection, table: str) -> int:
    row = connection.execute(SQL("SELECT count(*) FROM {}").format(Identifier(table))).fetchone()
    return int(row[0]) if row else 0
