"""What a reader may do, asked of the server itself."""

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from sqlrl.database.connect import connect
from sqlrl.database.reader import (
    REVOKED_FUNCTIONS,
    create_group,
    create_login,
    harden_template,
    missing_protections,
    open_to_readers,
)
from sqlrl.database.server import embedded_server
from sqlrl.errors import UserError


@pytest.fixture(scope="module")
def server():
    with embedded_server() as opened:
        opened.create_database("template")
        harden_template(opened, "template")
        yield opened


@pytest.fixture(scope="module")
def group(server):
    return create_group(server, "readers")


@pytest.fixture(scope="module")
def reader(server, group):
    """A connection of a reader to a database with a table, a view, a sequence and a closed schema."""
    owner = server.create_database("hardened", template="template")
    with connect(owner) as connection:
        connection.execute(
            "CREATE TABLE t (a int); INSERT INTO t VALUES (1); CREATE VIEW v AS SELECT a FROM t;"
            "CREATE FUNCTION above() RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT a::text FROM t';"
            "CREATE SEQUENCE s; CREATE SCHEMA vault; CREATE TABLE vault.secret (a int)"
        )
    open_to_readers(server, "hardened", group)
    login = create_login(server, "reader", group, temporary_megabytes=8)
    with psycopg.connect(
        login.conninfo(owner, {"statement_timeout": "1500ms"}), autocommit=True
    ) as connection:
        yield connection


def test_a_reader_reads_tables_and_views(reader) -> None:
    assert reader.execute("SELECT a FROM t").fetchall() == [(1,)]
    assert reader.execute("SELECT a FROM v").fetchall() == [(1,)]
    assert reader.execute("SHOW statement_timeout").fetchone() == ("1500ms",)
    assert reader.execute("SHOW temp_file_limit").fetchone() == ("8MB",)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM vault.secret",
        "SELECT nextval('s')",
        "SELECT above()",
        "SELECT pg_sleep(0)",
        "SELECT pg_sleep_for('0 s')",
        "SELECT pg_advisory_lock(1)",
        "SELECT pg_try_advisory_xact_lock_shared(1, 2)",
        "SELECT pg_terminate_backend(0)",
        "SELECT set_config('work_mem', '1GB', false)",
        "SELECT query_to_xml('SELECT 1', true, false, '')",
        "SELECT database_to_xml_and_xmlschema(true, false, '')",
        "SELECT * FROM ts_stat('SELECT to_tsvector(''a'')')",
        "SELECT lo_from_bytea(0, 'a')",
        "SELECT * FROM pg_stat_activity",
        "SELECT pg_stat_get_backend_activity(1)",
        "SELECT * FROM pg_locks",
        "SELECT * FROM pg_cursors",
        "SELECT * FROM pg_prepared_statements",
        "SELECT pg_read_file('/etc/passwd')",
        "SELECT pg_ls_dir('.')",
        "SET temp_file_limit = -1",
        "SET SESSION AUTHORIZATION postgres",
        "CREATE TABLE mine (a int)",
    ],
)
def test_a_reader_may_not(reader, sql: str) -> None:
    with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.ReadOnlySqlTransaction)):
        reader.execute(sql)


def test_a_reader_may_not_make_temporary_tables_even_where_writing_is_allowed(reader) -> None:
    reader.execute("SET default_transaction_read_only TO off")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        reader.execute("CREATE TEMPORARY TABLE mine (a int)")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        reader.execute("INSERT INTO t VALUES (2)")
    reader.execute("RESET default_transaction_read_only")
    assert reader.execute("SHOW default_transaction_read_only").fetchone() == ("on",)


def test_a_database_that_was_not_hardened_is_refused_with_what_stays_open(server, group) -> None:
    owner = server.create_database("open")
    with pytest.raises(UserError, match=r"sleep \(pg_sleep\(double precision\) and 2 more\)"):
        open_to_readers(server, "open", group)
    with connect(owner) as connection:
        assert len(missing_protections(connection, group)) == len(REVOKED_FUNCTIONS)
        assert "use rights of a superuser, or make databases or roles" in missing_protections(
            connection, "postgres"
        )


def test_an_owner_without_the_right_is_told_so_and_nothing_runs(server) -> None:
    server.admin.execute("CREATE ROLE managed LOGIN CREATEDB")
    with connect(make_conninfo(server.conninfo, user="managed")) as admin:
        import dataclasses

        limited = dataclasses.replace(
            server, admin=admin, conninfo=make_conninfo(server.conninfo, user="managed")
        )
        with pytest.raises(UserError, match="CREATEROLE"):
            create_group(limited, "others")
