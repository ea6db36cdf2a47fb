"""A PostgreSQL server that outlives the job: what is checked, what is made on it, how it is left clean.

A job marks all that it makes on the server, databases and roles, with a prefix that holds a random token,
``sqlrl_<15 hex digits>_``, and keeps an advisory lock on that token for as long as its connection lives.
Whatever carries a token that nobody holds was left by a killed job: the next job that comes to the server
drops it. To look by hand::

    SELECT datname FROM pg_database WHERE shobj_description(oid, 'pg_database') LIKE 'sqlrl: %';

This needs connections to the server itself: a pooler in transaction mode would lose the lock.
"""

import logging
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.sql import SQL, Identifier

from sqlrl.database.connect import Connection, connect, fetch_all
from sqlrl.errors import UserError

logger = logging.getLogger(__name__)

URL_VARIABLE = "T2S_DATABASE_URL"
OLDEST_MAJOR = 15
MARK = "sqlrl: made for one job and dropped with it; without a running job it may go"

TOKEN_BITS = 60  # a positive bigint, the key of an advisory lock
PREFIX = re.compile(r"sqlrl_([0-9a-f]{15})_")

DATABASES = """
    SELECT d.datname FROM pg_database d
    WHERE d.datname ~ '^sqlrl_[0-9a-f]{15}_' AND d.datdba = current_user::regrole
    AND COALESCE(shobj_description(d.oid, 'pg_database'), %s) LIKE 'sqlrl: %%'
"""
ROLES = "SELECT rolname FROM pg_roles WHERE rolname ~ '^sqlrl_[0-9a-f]{15}_'"
HELD_TOKENS = """
    SELECT (classid::bigint << 32) | objid::bigint
    FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted
"""


@dataclass(frozen=True)
class Lease:
    """A job's place on the server: its connection, and the prefix of all that it makes there."""

    admin: Connection = field(repr=False)
    conninfo: str = field(repr=False)
    prefix: str


@contextmanager
def lease(url: str) -> Iterator[Lease]:
    """Connect to a server by URL, drop what killed jobs left there, and at the end what this job made.

    Raises:
        UserError: the URL is malformed, nobody answers, the server is too old, or the role may not
            make databases. No message holds the password.
    """
    conninfo = checked_conninfo(url)
    with _connect(conninfo) as admin:
        _check_server(admin)
        token = secrets.randbits(TOKEN_BITS)
        admin.execute("SELECT pg_advisory_lock(%s)", (token,))
        _drop_leftovers(admin)
        prefix = f"sqlrl_{token:015x}_"
        try:
            yield Lease(admin, conninfo, prefix)
        finally:
            _leave(admin, token)


def _leave(admin: Connection, token: int) -> None:
    try:
        _drop(admin, {token})
    except psycopg.OperationalError as error:
        # Not raised: it would hide what ended the block, and the next job drops what is left.
        logger.warning("%s: the server is gone, this job's databases stay on it: %s", URL_VARIABLE, error)


def mark_database(admin: Connection, full_name: str) -> None:
    """Say in the database's comment what it is, for those who look and for _drop."""
    admin.execute(SQL("COMMENT ON DATABASE {} IS {}").format(Identifier(full_name), MARK))


def checked_conninfo(url: str, variable: str = URL_VARIABLE) -> str:
    """A connection string as libpq takes it.

    Raises:
        UserError: it is none; the message names the variable that it stands in, and no part of it.
    """
    advice = (
        f"{variable} is not a PostgreSQL URL such as postgresql://user:password@host:5432/database. "
        "Characters such as @ / : # ? % in the password must be written as %40 %2F %3A %23 %3F %25."
    )
    try:
        parameters = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        raise UserError(advice) from None  # its message would quote the URL
    # A password with a raw @ or / is read as part of host, port or database: don't go on and print it.
    places = [str(parameters.get(name, "")) for name in ("host", "port", "dbname", "user")]
    if any("@" in place for place in places) or not re.fullmatch(r"[\d,]*", places[1]):
        raise UserError(advice)
    return make_conninfo("", **parameters)


def _connect(conninfo: str) -> Connection:
    try:
        return connect(conninfo)
    except psycopg.Error as error:
        raise UserError(
            f"{URL_VARIABLE}: no connection to {place_of(conninfo)}: {without_password(str(error), conninfo)}. "
            f"Unset {URL_VARIABLE} to run on the embedded server."
        ) from None


def place_of(conninfo: str) -> str:
    """Host, port, database and user of a connection string, for messages."""
    parameters = conninfo_to_dict(conninfo)
    named = {name: parameters.get(name) for name in ("host", "port", "dbname", "user")}
    return " ".join(f"{name}={value}" for name, value in named.items() if value) or "the default server"


def without_password(message: str, conninfo: str) -> str:
    """A message in one line without a full stop, the password of a connection string replaced."""
    password = conninfo_to_dict(conninfo).get("password")
    text = " ".join(message.split()).rstrip(".?")
    return text.replace(str(password), "***") if password else text


def _check_server(admin: Connection) -> None:
    place, version = place_of(admin.info.dsn), admin.info.server_version
    if version < OLDEST_MAJOR * 10000:
        raise UserError(
            f"{URL_VARIABLE}: the server at {place} is PostgreSQL {version // 10000}; "
            f"{OLDEST_MAJOR} or newer is needed."
        )
    rights = fetch_all(
        admin, "SELECT rolcreatedb OR rolsuper, rolname FROM pg_roles WHERE rolname = current_user"
    )
    if not rights[0][0]:
        raise UserError(
            f"{URL_VARIABLE}: role {rights[0][1]!r} at {place} may not make databases, and each job needs "
            f'one of its own. A superuser can allow it: ALTER ROLE "{rights[0][1]}" CREATEDB.'
        )


def _drop_leftovers(admin: Connection) -> None:
    """Drop what carries a token that no running job holds."""
    # Names first, locks second: a job takes its lock before it makes anything, so whatever is seen
    # here and belongs to a running job is held by the time that the locks are read.
    found = {_token(name) for name in _names(admin, DATABASES, MARK) + _names(admin, ROLES)}
    held = {row[0] for row in fetch_all(admin, HELD_TOKENS)}
    if found - held:
        logger.info("%s: dropping what %d killed jobs left", URL_VARIABLE, len(found - held))
        _drop(admin, found - held)


def _drop(admin: Connection, tokens: set[int]) -> None:
    for name in _names(admin, DATABASES, MARK):
        if _token(name) in tokens:
            _try(admin, SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(Identifier(name)))
    for name in _names(admin, ROLES):
        if _token(name) in tokens:
            _try(admin, SQL("DROP ROLE IF EXISTS {}").format(Identifier(name)))


def _try(admin: Connection, statement: psycopg.sql.Composed) -> None:
    """Another job may be dropping the same leftover, or it may belong to another role."""
    try:
        admin.execute(statement)
    except psycopg.Error as error:
        logger.warning("%s: not done: %s: %s", URL_VARIABLE, statement.as_string(admin), str(error).strip())


def _names(admin: Connection, query: str, *parameters: str) -> list[str]:
    return [str(row[0]) for row in admin.execute(query.encode(), parameters).fetchall()]


def _token(name: str) -> int:
    match = PREFIX.match(name)
    assert match, "the query asks for names with the prefix"
    return int(match.group(1), 16)
