"""Content files: a database as its schema and COPY blocks ordered by primary key, written by us.

Unlike pg_dump's output, the same content gives the same bytes.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from psycopg.sql import SQL, Composed, Identifier

from sqlrl.database.catalog import Table
from sqlrl.database.connect import Connection, connect, fetch_all
from sqlrl.errors import UserError

END_OF_BLOCK = "\\."


def snapshot(connection: Connection, schema: str, tables: Iterable[Table]) -> str:
    """The content file of a database: the text of its schema, then each table's rows by primary key.

    Args:
        connection: to the database; its session settings decide how values are written.
        schema: the SQL that made the tables.
        tables: in an order in which they can be filled again.
    """
    blocks = [f"{schema.strip()}\n"]
    for table in tables:
        with connection.cursor().copy(_copy_out(table)) as copy:
            rows = b"".join(bytes(part) for part in copy).decode()
        names = [table.name, *(column.name for column in table.columns)]
        target, *columns = (_quote(connection, name) for name in names)
        blocks.append(f"COPY {target} ({', '.join(columns)}) FROM stdin;\n{rows}{END_OF_BLOCK}\n")
    return "\n".join(blocks)


def _quote(connection: Connection, name: str) -> str:
    """A name as SQL, in quotes only where it needs them."""
    return str(fetch_all(connection, "SELECT quote_ident(%s)", name)[0][0])


def _copy_out(table: Table) -> Composed:
    keys = [column.name for column in table.columns if column.key]
    columns = [column.name for column in table.columns]
    return SQL("COPY (SELECT {} FROM {} ORDER BY {}) TO STDOUT").format(
        SQL(", ").join(map(Identifier, columns)),
        Identifier(table.name),
        SQL(", ").join(map(Identifier, keys or columns)),
    )


def restore(dump: Path, conninfo: str) -> None:
    """Fill an empty database from a content file, in one transaction, and gather its statistics.

    Raises:
        UserError: the file is not a content file.
        psycopg.Error: the server refuses the content.
    """
    with connect(conninfo) as connection:
        with connection.transaction(), dump.open(encoding="utf-8", newline="\n") as stream:
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
