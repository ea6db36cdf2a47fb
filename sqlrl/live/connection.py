"""A running server that is only read: one read-only transaction in which all rows belong to one moment."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL, Identifier, Literal

from sqlrl.database.connect import SECONDS_TO_CONNECT, SESSION_SETTINGS, Connection
from sqlrl.database.external import checked_conninfo, place_of, without_password
from sqlrl.errors import UserError


def read_url(variable: str) -> str:
    """The connection string that an environment variable holds.

    Raises:
        UserError: it is not set, or holds none. No message has a part of it.
    """
    url = os.environ.get(variable)
    if not url:
        raise UserError(
            f"{variable} is not set: export {variable}=postgresql://reader:password@host:5432/database before "
            "`snakemake snapshot_database`."
        )
    conninfo = checked_conninfo(url, variable)
    if "sslpassword" in conninfo_to_dict(conninfo):
        # It would stand on the command line of pg_dump, which others see.
        raise UserError(f"{variable} has sslpassword: use a client key without one, or PGSSLKEY.")
    return conninfo


@contextmanager
def read_only(conninfo: str, variable: str, timeout_seconds: float) -> Iterator[Connection]:
    """Connect, and begin a READ ONLY, REPEATABLE READ transaction; it is rolled back at the end.

    Raises:
        UserError: nobody answers, or a statement fails or takes too long. No message holds the password.
    """
    try:
        opened = psycopg.connect(conninfo, connect_timeout=SECONDS_TO_CONNECT)
    except psycopg.OperationalError as error:
        raise UserError(
            f"{variable}: no connection to {place_of(conninfo)}: {without_password(str(error), conninfo)}."
        ) from None
    try:
        with opened as connection:
            connection.read_only = True
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            limits = {"statement_timeout": f"{int(timeout_seconds * 1000)}ms", "lock_timeout": "10s"}
            for name, value in {**SESSION_SETTINGS, **limits}.items():
                connection.execute(SQL("SET LOCAL {} TO {}").format(Identifier(name), Literal(value)))
            try:
                yield connection
            finally:
                connection.rollback()
    except psycopg.errors.QueryCanceled as error:
        raise UserError(
            f"{variable}: a statement took longer than snapshot.timeout_seconds ({timeout_seconds:g}): "
            f"{without_password(str(error), conninfo)}. Raise it, or exclude large tables."
        ) from None
    except psycopg.Error as error:
        raise UserError(f"{variable}: {without_password(str(error), conninfo)}.") from None
