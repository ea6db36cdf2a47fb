"""The databases that candidates are tried on: main, main in another row order, and the twins."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg.sql import SQL, Identifier

from sqlrl.authoring.gradable import Row
from sqlrl.database.catalog import generated_columns, read_tables
from sqlrl.database.connect import connect
from sqlrl.database.files import MAIN
from sqlrl.database.reader import (
    create_group,
    create_login,
    drop_roles,
    harden_template,
    open_to_readers,
)
from sqlrl.database.server import Server, open_server

SHUFFLED = "main-shuffled"
TEMPORARY_MEGABYTES = 64


class QueryError(Exception):
    """A query that gave no answer; the message is PostgreSQL's."""


@dataclass(frozen=True)
class Instances:
    """Read-only connections by instance name, ``main-shuffled`` among them."""

    connections: Mapping[str, "psycopg.Connection[Any]"]

    @property
    def twins(self) -> tuple[str, ...]:
        """The names of the twins."""
        return tuple(name for name in self.connections if name not in (MAIN, SHUFFLED))

    def ask(self, instance: str, sql: str, limit: int = 10_000) -> list[Row]:
        """The rows of a query, at most ``limit`` and one more.

        Raises:
            QueryError: it fails, writes, or takes too long.
        """
        try:
            with self.connections[instance].cursor() as cursor:
                # Prepared, since that takes one statement only.
                return cursor.execute(sql.encode(), prepare=True).fetchmany(limit + 1)
        except psycopg.Error as error:
            raise QueryError(str(error).split("\n")[0]) from error


@contextmanager
def open_instances(dumps: Mapping[str, Path], timeout_seconds: float) -> Iterator[Instances]:
    """Restore the dumps on one server and connect to each as a role that may only read.

    Args:
        dumps: by instance, main among them.
        timeout_seconds: how long one query may take.
    """
    with ExitStack() as stack:
        server = stack.enter_context(open_server())
        roles: list[str] = []
        stack.callback(lambda: drop_roles(server, reversed(roles)))
        roles.append(create_group(server, "authors"))
        login = create_login(server, "author", roles[0], TEMPORARY_MEGABYTES)
        roles.append(login.role)
        settings = {"statement_timeout": str(int(timeout_seconds * 1000))}
        connections = {}
        for name in _restore(server, dumps, stack):
            harden_template(server, name)
            open_to_readers(server, name, roles[0])
            conninfo = login.conninfo(server.owner_conninfo(name), settings)
            connections[name] = stack.enter_context(connect(conninfo))
        yield Instances(connections)


def _restore(server: Server, dumps: Mapping[str, Path], stack: ExitStack) -> Sequence[str]:
    for name, dump in dumps.items():
        stack.callback(server.drop_database, name)
        server.create_database(name, dump)
    stack.callback(server.drop_database, SHUFFLED)
    server.create_database(SHUFFLED, template=MAIN)
    with connect(server.owner_conninfo(SHUFFLED)) as connection:
        shuffle_rows(connection)
    return (MAIN, SHUFFLED, *(name for name in dumps if name != MAIN))


def shuffle_rows(connection: "psycopg.Connection[Any]") -> None:
    """Write all rows of a database anew in another order, so that answers that depend on it change."""
    tables = read_tables(connection)
    with connection.transaction():
        # The rows were good and stay what they are: no trigger fires, and foreign keys may point ahead.
        connection.execute("SET LOCAL session_replication_role TO replica")
        for number, table in enumerate(tables):
            copy, name = Identifier(f"shuffled_{number}"), Identifier(table.name)
            connection.execute(
                SQL("CREATE TEMP TABLE {} AS SELECT * FROM {} t ORDER BY md5(t::text)").format(copy, name)
            )
        if tables:
            names = SQL(", ").join(Identifier(table.name) for table in tables)
            connection.execute(SQL("TRUNCATE {}").format(names))
        generated = generated_columns(connection)
        for number, table in enumerate(tables):
            copy, name = Identifier(f"shuffled_{number}"), Identifier(table.name)
            written = [one.name for one in table.columns if (table.name, one.name) not in generated]
            columns = SQL(", ").join(map(Identifier, written))
            fill = "INSERT INTO {} ({}) OVERRIDING SYSTEM VALUE SELECT {} FROM {}"
            connection.execute(SQL(fill).format(name, columns, columns, copy))
            connection.execute(SQL("DROP TABLE {}").format(copy))
    connection.execute("ANALYZE")
