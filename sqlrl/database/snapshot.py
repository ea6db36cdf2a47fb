"""Content files: a database as its schema and COPY blocks ordered by primary key, written by us.

Unlike pg_dump's output, the same content gives the same bytes.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from sqlrl.database.connect import connect
from sqlrl.errors import UserError

END_OF_BLOCK = "\\."


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
