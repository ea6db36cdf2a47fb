"""The statements that make the tables of a running database: read by pg_dump, tidied on a server of our own."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import postgast
import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.sql import SQL, Identifier

from sqlrl.database.cleaning import REFUSED_EXTENSIONS
from sqlrl.database.connect import Connection, fetch_all, words_of
from sqlrl.database.external import without_password
from sqlrl.database.own import (
    Statements,
    check_place,
    read_statements,
    run_statements,
    with_short_names,
)
from sqlrl.database.server import Server, own_database, wheel_folder
from sqlrl.errors import UserError
from sqlrl.files import write_text
from sqlrl.live.selection import Name, Selection

STAGING = "staging"
SECONDS = 600
NO_DATA = re.compile(r"\s+WITH NO DATA$")
ALWAYS = (
    "--lock-wait-timeout=10s",
    *("--schema-only", "--no-owner", "--no-privileges", "--no-publications", "--no-subscriptions"),
    *("--no-security-labels", "--no-tablespaces", "--encoding=UTF8"),
)
# Views that read what is left out, directly or through other views, and sequences of such tables.
NEEDING = """
    WITH RECURSIVE needs (oid) AS (
        SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE (n.nspname || '.' || c.relname) = ANY (%s)
        UNION
        SELECT r.ev_class FROM needs JOIN pg_depend d ON d.refobjid = needs.oid AND d.classid = 'pg_rewrite'::regclass
        JOIN pg_rewrite r ON r.oid = d.objid
    )
    SELECT n.nspname, c.relname FROM needs JOIN pg_class c USING (oid) JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('v', 'm')
    UNION
    SELECT n.nspname, c.relname FROM needs JOIN pg_depend d ON d.refobjid = needs.oid
    JOIN pg_class c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid AND c.relkind = 'S'
    JOIN pg_namespace n ON n.oid = c.relnamespace
    ORDER BY 1, 2
"""
EXTENSIONS = """
    SELECT e.extname, n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname <> 'plpgsql' ORDER BY 1
"""
OBJECTS = """
    SELECT CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE'
           ELSE 'TABLE' END, c.oid::regclass::text
    FROM pg_class c WHERE c.relnamespace = %(schema)s::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
                    AND d.deptype IN ('a', 'i', 'e') AND c.relkind = 'S')
    UNION ALL
    SELECT CASE t.typtype WHEN 'd' THEN 'DOMAIN' ELSE 'TYPE' END, t.oid::regtype::text
    FROM pg_type t LEFT JOIN pg_class r ON r.oid = t.typrelid
    WHERE t.typnamespace = %(schema)s::regnamespace AND (t.typtype IN ('e', 'd', 'r') OR r.relkind = 'c')
    UNION ALL
    SELECT 'ROUTINE', p.oid::regprocedure::text FROM pg_proc p
    WHERE p.pronamespace = %(schema)s::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid
                    AND d.deptype IN ('i', 'e'))
"""
# Constraints that a column belongs to together with others, or that others depend on.
TIED = """
    SELECT k.conname FROM pg_constraint k JOIN pg_attribute a ON a.attname = %(column)s
    WHERE a.attrelid = %(table)s::regclass AND (
        (k.conrelid = a.attrelid AND a.attnum = ANY (k.conkey)
         AND (k.contype = 'p' OR (k.contype IN ('u', 'f', 'c', 'x') AND cardinality(k.conkey) > 1)))
        OR (k.confrelid = a.attrelid AND k.contype = 'f' AND a.attnum = ANY (k.confkey))
    ) ORDER BY 1
"""


def read_definition(
    connection: Connection, conninfo: str, server: Server, selection: Selection, schemas: Sequence[str],
    excluded: Sequence[tuple[Name, str]], variable: str,
) -> str:  # fmt: skip
    """The statements of the chosen tables, their types, views and comments, all in the schema public.

    Args:
        connection: to the running database, in its read-only transaction.
        conninfo: of the same, for pg_dump.
        server: of our own, to tidy the statements on.
        selection: the tables.
        schemas: where they lie.
        excluded: columns that are left out.
        variable: that holds the connection string, for messages.

    Raises:
        UserError: pg_dump fails, a statement has no place here, or a column that is left out is needed.
    """
    left_out = [".".join(name) for name in selection.left_out]
    needing = [(str(schema), str(name)) for schema, name in fetch_all(connection, NEEDING, left_out)]
    words = [f"--schema={_pattern(schema)}" for schema in schemas]
    words += [f"--exclude-table={_pattern(*name)}" for name in (*selection.left_out, *needing)]
    found = [(str(name), str(schema)) for name, schema in fetch_all(connection, EXTENSIONS)]
    tls, major = connection.pgconn.ssl_in_use, connection.info.server_version // 10000
    statements = _parse(run_pg_dump(conninfo, words, tls, major, variable), variable)
    late = tuple(one for one in statements.late if not _is_foreign(one[0].sql, selection))
    statements = replace(statements, late=late)
    with own_database(server, STAGING) as staging:
        _make_extensions(staging, found)
        run_statements(staging, statements)
        _move_to_public(staging, [schema for schema in schemas if schema != "public"])
        for table, column in excluded:
            _drop_column(staging, table, column)
        check_place(staging, Path(variable))
        text = run_pg_dump(server.owner_conninfo(STAGING), (), False, server.major, variable)
        return _with_filled_views(with_short_names(staging, _parse(text, variable))).schema


def _with_filled_views(statements: Statements) -> Statements:
    """pg_dump of a schema alone makes materialised views without rows, which nobody can read."""
    late = tuple((replace(part, sql=NO_DATA.sub("", part.sql)), script) for part, script in statements.late)
    return replace(statements, late=late)


def run_pg_dump(conninfo: str, words: Sequence[str], tls: bool, major: int, variable: str) -> str:
    """What pg_dump says of a database's schema.

    The password goes by the environment: a list of processes shows command lines.

    Raises:
        UserError: there is no pg_dump that can speak to this server, or it fails.
    """
    parameters = conninfo_to_dict(conninfo)
    secret = {"PGPASSWORD": str(parameters.pop("password"))} if "password" in parameters else {}
    command = [_program(tls, major, variable), *ALWAYS, *words, f"--dbname={make_conninfo('', **parameters)}"]
    try:
        done = subprocess.run(
            command,
            env={**os.environ, **secret},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        # Its own words hold the whole command.
        raise UserError(f"{variable}: pg_dump took longer than {SECONDS} seconds.") from None
    if done.returncode:
        raise UserError(f"{variable}: pg_dump fails: {without_password(done.stderr, conninfo)}.")
    return done.stdout


def _program(tls: bool, major: int, variable: str) -> str:
    """The embedded server's own pg_dump, or where that is too old or the server wants TLS, the machine's."""
    own = wheel_folder() / "pginstall" / "bin" / "pg_dump"
    if not tls and _major(str(own)) >= major:
        return str(own)
    other = shutil.which("pg_dump")
    if other is None or _major(other) < major:
        why = (
            "is reached by TLS, which the pg_dump of the embedded server does not speak"
            if tls
            else "is newer"
        )
        raise UserError(
            f"{variable}: the server {why}: install PostgreSQL's client programs, version {major} or newer, so that "
            "pg_dump is on PATH; or bring the schema as files, with source sql."
        )
    return other


def _major(program: str) -> int:
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    found = re.search(r"\) (\d+)", done.stdout)
    return int(found[1]) if found else 0


def _pattern(*names: str) -> str:
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)


def _parse(text: str, variable: str) -> Statements:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"{variable}.sql")
        write_text(file, text)
        return read_statements([file])


def _is_foreign(sql: str, selection: Selection) -> bool:
    """Whether a statement adds a foreign key that goes with a table or column that is left out."""
    node = postgast.parse(sql).stmts[0].stmt
    if node.WhichOneof("node") != "alter_table_stmt":
        return False
    table = (node.alter_table_stmt.relation.schemaname, node.alter_table_stmt.relation.relname)
    names = [getattr(one.alter_table_cmd, "def").constraint.conname for one in node.alter_table_stmt.cmds]
    kept = {(key.child, key.constraint) for key in selection.keys}
    chosen = {one.name for one in selection.tables}
    return any(name and table in chosen and (table, name) not in kept for name in names)


def _make_extensions(staging: Connection, extensions: Sequence[tuple[str, str]]) -> None:
    """Those that this server has too; what needs another one is refused where it is made."""
    known = {str(row[0]) for row in fetch_all(staging, "SELECT name FROM pg_available_extensions")}
    for name, schema in extensions:
        if name in known and name not in REFUSED_EXTENSIONS and schema != "pg_catalog":
            place = Identifier(schema)
            staging.execute(SQL("CREATE SCHEMA IF NOT EXISTS {}").format(place))
            staging.execute(
                SQL("CREATE EXTENSION IF NOT EXISTS {} WITH SCHEMA {}").format(Identifier(name), place)
            )


def _move_to_public(staging: Connection, schemas: Sequence[str]) -> None:
    for schema in schemas:
        parameters = {"schema": _pattern(schema)}
        for kind, name in staging.execute(OBJECTS, parameters).fetchall():
            try:
                staging.execute(f"ALTER {kind} {name} SET SCHEMA public".encode())
            except psycopg.Error as error:
                raise UserError(
                    f"snapshot.schemas: {name} can't stand in the schema public beside the others: {words_of(error)}. "
                    "Take fewer schemas, or exclude one of them."
                ) from error
        staging.execute(SQL("DROP SCHEMA {} CASCADE").format(Identifier(schema)))


def _drop_column(staging: Connection, table: Name, column: str) -> None:
    place = f"{'.'.join(table)}.{column}"
    tied = staging.execute(TIED, {"column": column, "table": _pattern("public", table[1])}).fetchall()
    if tied:
        raise UserError(
            f"snapshot.exclude_columns: {place} is needed by {', '.join(str(row[0]) for row in tied)}. Mask it instead "
            "(mask_columns), or exclude the tables that need it."
        )
    try:
        staging.execute(
            SQL("ALTER TABLE {} DROP COLUMN {}").format(Identifier("public", table[1]), Identifier(column))
        )
    except psycopg.Error as error:
        needed = f"{error.diag.message_detail or error.diag.message_primary}"
        raise UserError(
            f"snapshot.exclude_columns: {place} is needed: {needed}. Mask it instead (mask_columns)."
        ) from error
