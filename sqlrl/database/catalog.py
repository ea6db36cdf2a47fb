"""What a seeded database has: the record that lies beside each dump."""

from dataclasses import dataclass

from psycopg.sql import SQL, Identifier

from sqlrl.database.connect import Connection, fetch_all


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes:
        type: as PostgreSQL writes it, such as ``numeric(10,2)``.
        key: it belongs to the primary key.
        references: ``table.column`` of a foreign key on this column alone.
    """

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
        tables: in the order in which they were made; of a built-in schema, referenced tables first.
    """

    database: str
    instance: str
    digest: str
    postgres_major: int
    tables: tuple[Table, ...]


TABLES = """
    SELECT c.oid, c.relname, obj_description(c.oid, 'pg_class')
    FROM pg_class c
    WHERE (c.relkind = 'r' OR c.relkind = 'p') AND NOT c.relispartition
    AND c.relnamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d
                    WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
    ORDER BY c.oid
"""

COLUMNS = """
    SELECT a.attname, format_type(a.atttypid, a.atttypmod), NOT a.attnotnull,
           EXISTS (SELECT FROM pg_constraint k
                   WHERE k.conrelid = a.attrelid AND k.contype = 'p' AND a.attnum = ANY (k.conkey)),
           (SELECT t.relname || '.' || f.attname
            FROM pg_constraint r
            JOIN pg_class t ON t.oid = r.confrelid
            JOIN pg_attribute f ON f.attrelid = r.confrelid AND f.attnum = r.confkey[1]
            WHERE r.conrelid = a.attrelid AND r.contype = 'f' AND r.conkey = ARRAY[a.attnum]
            ORDER BY r.conname LIMIT 1),
           col_description(a.attrelid, a.attnum)
    FROM pg_attribute a
    WHERE a.attrelid = %s AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY a.attnum
"""


GENERATED = """
    SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE a.attgenerated <> '' AND c.relnamespace = 'public'::regnamespace
"""


def read_tables(connection: Connection) -> tuple[Table, ...]:
    """The tables of the schema ``public`` in the order in which they were made, with their row counts.

    A partitioned table is one table; its partitions and the tables of extensions are none.
    """
    return tuple(
        Table(
            name=name,
            comment=comment,
            rows=_count(connection, name),
            columns=tuple(Column(*values) for values in fetch_all(connection, COLUMNS, oid)),
        )
        for oid, name, comment in fetch_all(connection, TABLES)
    )


def generated_columns(connection: Connection) -> frozenset[tuple[str, str]]:
    """Table and name of each column that PostgreSQL computes, which nobody can write."""
    return frozenset((str(table), str(column)) for table, column in fetch_all(connection, GENERATED))


def _count(connection: Connection, table: str) -> int:
    row = connection.execute(SQL("SELECT count(*) FROM {}").format(Identifier(table))).fetchone()
    return int(row[0]) if row else 0
