"""Content files: a database as its schema and COPY blocks ordered by primary key, written by us.

Unlike pg_dump's output, the same content gives the same bytes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from psycopg.sql import SQL, Composed, Identifier

from sqlrl.database.catalog import Table, generated_columns
from sqlrl.database.connect import Connection, connect, fetch_all
from sqlrl.errors import UserError

END_OF_BLOCK = "\\."
# As pg_dump sets them too: a function may name what is made after it, and XML may be a fragment.
WHILE_RESTORING = "SET LOCAL check_function_bodies TO off; SET LOCAL xmloption TO content"

PARTITIONED = """
    SELECT relname FROM pg_class WHERE relkind = 'p' AND relnamespace = 'public'::regnamespace
"""


def snapshot(connection: Connection, schema: str, tables: Iterable[Table], late: str = "") -> str:
    """The content file of a database: the text of its schema, then each table's rows by primary key.

    Generated columns are left out, and the rows of a partitioned table stand in one block under its name.

    Args:
        connection: to the database; its session settings decide how values are written.
        schema: the SQL that made the tables.
        tables: in an order in which they can be filled again.
        late: SQL to run after the rows: foreign keys between tables that refer to each other, triggers.
    """
    blocks = [f"{schema.strip()}\n"]
    parents = {str(row[0]) for row in fetch_all(connection, PARTITIONED)}
    generated = generated_columns(connection)
    for table in tables:
        columns = [column.name for column in table.columns if (table.name, column.name) not in generated]
        with connection.cursor().copy(_copy_out(table, columns, table.name in parents)) as copy:
            rows = b"".join(bytes(part) for part in copy).decode()
        target, *quoted = (_quote(connection, name) for name in (table.name, *columns))
        # A table may have no column of its own to write.
        named = f" ({', '.join(quoted)})" if quoted else ""
        blocks.append(f"COPY {target}{named} FROM stdin;\n{rows}{END_OF_BLOCK}\n")
    return "\n".join([*blocks, f"{late.strip()}\n"] if late.strip() else blocks)


def _quote(connection: Connection, name: str) -> str:
    """A name as SQL, in quotes only where it needs them."""
    return str(fetch_all(connection, "SELECT quote_ident(%s)", name)[0][0])


def _copy_out(table: Table, columns: list[str], has_partitions: bool) -> Composed:
    """Without a key by the text of the whole row: not every type has an order."""
    keys = [SQL("t.{}").format(Identifier(column.name)) for column in table.columns if column.key]
    return SQL("COPY (SELECT {} FROM {} {} t ORDER BY {}) TO STDOUT").format(
        SQL(", ").join(SQL("t.{}").format(Identifier(name)) for name in columns),
        SQL("" if has_partitions else "ONLY"),
        Identifier(table.name),
        SQL(", ").join(keys) if keys else SQL('t::text COLLATE "C"'),
    )


def copy_rows(connection: Connection, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Fill a table with rows that all have the columns of the first. Raises psycopg.Error where it refuses them."""
    if not rows:
        return
    names = list(rows[0])
    columns = SQL(", ").join(map(Identifier, names))
    with connection.cursor().copy(SQL("COPY {} ({}) FROM STDIN").format(Identifier(table), columns)) as copy:
        for row in rows:
            copy.write_row([row[name] for name in names])


def restore(dump: Path, conninfo: str) -> None:
    """Fill an empty database from a content file, in one transaction, and gather its statistics.

    Raises:
        UserError: the file is not a content file.
        psycopg.Error: the server refuses the content.
    """
    with connect(conninfo) as connection:
        with connection.transaction(), dump.open(encoding="utf-8", newline="\n") as stream:
            connection.execute(WHILE_RESTORING)
            for statement, rows in read_blocks(stream, str(dump)):
                if not rows and not statement.startswith("COPY "):
                    connection.execute(statement.encode())
                    continue
                with connection.cursor().copy(statement.encode()) as copy:
                    copy.write("".join(rows).encode())
        # Plans, and with them the order of rows where none is asked for, depend on statistics.
        connection.execute("ANALYZE")


def read_blocks(lines: Iterable[str], where: str) -> Iterator[tuple[str, list[str]]]:
    """Split a content file into (SQL, []) and (COPY statement, its lines)."""
    sql: list[str] = []
    rows: list[str] | None = None
    copy = ""
    for line in lines:
        if rows is not None:
            if line.rstrip("\n") == END_OF_BLOCK:
                yield copy, rows
                rows = None
            else:
                rows.append(line)
        elif line.startswith("COPY ") and line.rstrip().endswith("FROM stdin;"):
            if "".join(sql).strip():
                yield "".join(sql), []
            sql, rows, copy = [], [], line.rstrip().removesuffix(";")
        else:
            sql.append(line)
    if rows is not None:
        raise UserError(f"{where}: the block {copy!r} does not end; the file is cut off.")
    if "".join(sql).strip():
        yield "".join(sql), []
