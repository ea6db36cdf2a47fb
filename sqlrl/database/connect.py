"""Connections that mean the same everywhere, whatever the caller's environment says."""

from typing import Any, LiteralString

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier, Literal

Connection = psycopg.Connection[tuple[Any, ...]]

SECONDS_TO_CONNECT = 10

# What the text of a value depends on, and the order in which floats are added up. Set for every
# database that we make, and checked by connect.
SESSION_SETTINGS = {
    "timezone": "UTC",
    "datestyle": "ISO, YMD",
    "intervalstyle": "postgres",
    "extra_float_digits": "1",
    "bytea_output": "hex",
    "client_encoding": "UTF8",
    "max_parallel_workers_per_gather": "0",
    "synchronize_seqscans": "off",
    "jit": "off",
}


def words_of(error: psycopg.Error) -> str:
    """PostgreSQL's message in one line, without a full stop."""
    return " ".join(str(error).split()).rstrip(".")


def socket_conninfo(folder: str, port: int, user: str, database: str) -> str:
    """Connection string to a server's unix socket that no PG* variable changes.

    An empty ``options`` or ``hostaddr`` counts as given, so libpq doesn't look into the environment.
    """
    return make_conninfo(
        host=folder,
        port=port,
        user=user,
        dbname=database,
        sslmode="disable",
        gssencmode="disable",
        options="",
        hostaddr="",
        client_encoding="utf8",
    )


def connect(conninfo: str, autocommit: bool = True) -> Connection:
    """Connect, in UTC and with ISO dates.

    Autocommit by default: a statement that must not stay open in a transaction doesn't.

    Raises:
        psycopg.OperationalError: the server does not answer or refuses.
    """
    connection = psycopg.connect(conninfo, autocommit=True, connect_timeout=SECONDS_TO_CONNECT)
    # PGTZ and PGDATESTYLE of the environment beat the database's settings; the server reports both.
    reported = {name: connection.info.parameter_status(name) for name in ("TimeZone", "DateStyle")}
    if reported != {"TimeZone": "UTC", "DateStyle": "ISO, YMD"}:
        for name, value in SESSION_SETTINGS.items():
            connection.execute(SQL("SET {} TO {}").format(Identifier(name), Literal(value)))
    connection.autocommit = autocommit
    return connection


def fetch_all(connection: Connection, query: LiteralString, *parameters: Any) -> list[tuple[Any, ...]]:
    """All rows of one query."""
    return connection.execute(query, parameters).fetchall()
