"""The read-only role under which a text from outside runs, and what it must not reach.

SELECT alone is not harmless: a reader may still take advisory locks until the server refuses
connections, sleep, end other sessions of its role, run SQL hidden in a string, or read what other
sessions run. So, in each database, EXECUTE on the functions behind that is taken from PUBLIC, and afterwards
the server is asked whether it really is: a REVOKE without the right to it only warns.
"""

import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier, Literal

from sqlrl.database.connect import SECONDS_TO_CONNECT, connect
from sqlrl.database.server import Server
from sqlrl.errors import UserError

# Regular expressions for names in pg_catalog, by what a reader could do with the functions.
REVOKED_FUNCTIONS: Mapping[str, str] = {
    "fill the server's lock table, hold locks over a rollback": r"pg_(try_)?advisory_.*",
    "sleep": r"pg_sleep(_for|_until)?",
    "end or cancel other sessions": r"pg_(terminate|cancel)_backend",
    "change settings of the session": r"set_config|setseed",
    "speak to other sessions": r"pg_notify",
    "write to the write-ahead log": r"pg_logical_emit_message",
    "make or read large objects": r"lo_.*|loread|lowrite",
    "run SQL held in a string": r"(query|cursor|table|schema|database)_to_xml.*|ts_stat|ts_rewrite",
    "keep a snapshot or use up transaction numbers": r"pg_export_snapshot|txid_current|pg_current_xact_id",
    "see what other sessions run, hold or wait for": (
        r"pg_stat_get_activity|pg_stat_get_backend_.*|pg_stat_get_progress_info|pg_lock_status"
        r"|pg_(safe_snapshot_)?blocking_pids|pg_prepared_xact|pg_isolation_test_session_is_blocked"
        r"|pg_stat_get_wal_senders|pg_stat_get_wal_receiver|pg_listening_channels"
    ),
    "see statements kept in the session": r"pg_cursor|pg_prepared_statement",
}

_MATCHING = """
SELECT oid::regprocedure::text FROM pg_catalog.pg_proc
WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ %s AND prokind IN ('f', 'p', 'w')
"""

# Functions of a brought schema that run with the rights of their owner, here those of a superuser.
_WITH_OWNERS_RIGHTS = """
SELECT oid::regprocedure::text FROM pg_catalog.pg_proc
WHERE prosecdef AND pronamespace <> 'pg_catalog'::regnamespace ORDER BY 1
"""


@dataclass(frozen=True)
class Login:
    """A login role and its password (which a server that trusts its socket does not ask for)."""

    role: str
    password: str = field(repr=False)

    def conninfo(self, database_conninfo: str, settings: Mapping[str, str]) -> str:
        """Connection string for this role: that of a database's owner, with settings for the session.

        The settings are given at the start of the session, so that RESET and DISCARD come back to them.
        """
        options = " ".join(f"-c {name}={value}" for name, value in settings.items())
        return make_conninfo(
            database_conninfo,
            user=self.role,
            password=self.password,
            options=options,
            connect_timeout=SECONDS_TO_CONNECT,
        )


def create_group(server: Server, name: str) -> str:
    """Make the role without login that holds the rights of all readers of one job.

    Raises:
        UserError: the server does not let us make roles.
    """
    role = server.full_name(name)
    with _rights_explained("make roles (CREATEROLE)"):
        server.admin.execute(SQL("CREATE ROLE {} NOLOGIN").format(Identifier(role)))
    return role


def create_login(server: Server, name: str, group: str, temporary_megabytes: int) -> Login:
    """Make a login role that is a member of the group and may fill that much disk in one session.

    Raises:
        UserError: the server does not let us make roles or limit temporary files.
    """
    login = Login(server.full_name(name), secrets.token_hex(16))
    role = Identifier(login.role)
    with _rights_explained("make roles (CREATEROLE) and limit their temporary files (superuser)"):
        server.admin.execute(
            SQL(
                "CREATE ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION INHERIT PASSWORD {} IN ROLE {}"
            ).format(role, Literal(login.password), Identifier(group))
        )
        limit = Literal(f"{temporary_megabytes}MB")
        server.admin.execute(SQL("ALTER ROLE {} SET temp_file_limit TO {}").format(role, limit))
        server.admin.execute(SQL("ALTER ROLE {} SET default_transaction_read_only TO on").format(role))
    return login


def drop_roles(server: Server, roles: Iterable[str]) -> None:
    """Drop roles whose databases are gone."""
    for role in roles:
        server.admin.execute(SQL("DROP ROLE IF EXISTS {}").format(Identifier(role)))


def harden_template(server: Server, name: str) -> None:
    """Take the functions of REVOKED_FUNCTIONS from everybody in one database, a template for others."""
    with connect(server.owner_conninfo(name)) as connection:
        statements = [
            SQL("REVOKE EXECUTE ON ROUTINE {} FROM PUBLIC").format(SQL(routine))
            for routine in _routines(connection)
        ]
        connection.execute(SQL("; ").join(statements))


def open_to_readers(server: Server, name: str, group: str) -> None:
    """Let the group read the tables of schema public in one database, and nobody do anything else.

    Raises:
        UserError: a protection did not take; the message lists which functions stay open.
    """
    database = Identifier(server.full_name(name))
    readers = Identifier(group)
    with connect(server.owner_conninfo(name)) as connection:
        for statement in (
            SQL("REVOKE ALL ON DATABASE {database} FROM PUBLIC"),
            SQL("REVOKE ALL ON SCHEMA public FROM PUBLIC"),
            SQL("GRANT CONNECT ON DATABASE {database} TO {readers}"),
            SQL("GRANT USAGE ON SCHEMA public TO {readers}"),
            SQL("GRANT SELECT ON ALL TABLES IN SCHEMA public TO {readers}"),
        ):
            connection.execute(statement.format(database=database, readers=readers))
        for routine in connection.execute(_WITH_OWNERS_RIGHTS).fetchall():
            connection.execute(SQL("REVOKE EXECUTE ON ROUTINE {} FROM PUBLIC").format(SQL(routine[0])))
        still_open = missing_protections(connection, group)
    if still_open:
        raise UserError(
            f"database {server.full_name(name)}: replies can't be run here, since role {group} may still "
            f"{'; '.join(still_open)}. The REVOKEs need a superuser; run on the embedded server instead "
            "(leave T2S_DATABASE_URL empty)."
        )


def missing_protections(connection: "psycopg.Connection[Any]", role: str) -> list[str]:
    """What a role may still do in this database though it must not, with the functions that let it."""
    found = []
    for harm, pattern in REVOKED_FUNCTIONS.items():
        rows = connection.execute(
            _MATCHING + " AND has_function_privilege(%s, oid, 'EXECUTE') ORDER BY 1", (f"^({pattern})$", role)
        ).fetchall()
        if rows:
            more = f" and {len(rows) - 1} more" if len(rows) > 1 else ""
            found.append(f"{harm} ({rows[0][0]}{more})")
    attributes = connection.execute(
        "SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls FROM pg_catalog.pg_roles"
        " WHERE rolname = %s",
        (role,),
    ).fetchone()
    if attributes is None or any(attributes):
        found.append("use rights of a superuser, or make databases or roles")
    return found


def _routines(connection: "psycopg.Connection[Any]") -> list[str]:
    pattern = f"^({'|'.join(REVOKED_FUNCTIONS.values())})$"
    open_to_all = _MATCHING + " AND has_function_privilege('public', oid, 'EXECUTE') ORDER BY 1"
    return [row[0] for row in connection.execute(open_to_all, (pattern,)).fetchall()]


@contextmanager
def _rights_explained(what: str) -> Iterator[None]:
    """Turn a refused right into one clear message."""
    try:
        yield
    except psycopg.errors.InsufficientPrivilege as error:
        raise UserError(f"the database server does not let us {what}: {error}") from error
