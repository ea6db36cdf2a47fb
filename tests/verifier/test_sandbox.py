"""One session, its limits and its ends, against a real server."""

import os
import time

import pytest
from psycopg.conninfo import make_conninfo

from sqlrl.database.server import embedded_server
from sqlrl.verifier.sandbox import Failure, Rows, Session, SessionLostError, load_types

ENDLESS = "SELECT 1 FROM (SELECT generate_series(1, 100000000000) g) s WHERE g < 0"


@pytest.fixture(scope="module")
def server():
    with embedded_server() as opened:
        opened.create_database("shop")
        yield opened


@pytest.fixture
def session(server):
    conninfo = server.owner_conninfo("shop")
    opened = Session(
        make_conninfo(conninfo, options="-c statement_timeout=700ms"), 0.7, load_types(conninfo, 5.0)
    )
    yield opened
    opened.close()


def test_rows_come_as_text_by_column_with_names_and_types(session: Session) -> None:
    rows = session.run("SELECT 1 AS n, NULL AS x, ARRAY['a', NULL] AS list UNION ALL SELECT 2, 'é', '{}'", 5)
    assert isinstance(rows, Rows)
    assert rows.names == ("n", "x", "list")
    assert [one.name for one in rows.types] == ["int4", "text", "_text"]
    assert rows.types[2].element is not None
    assert rows.columns == (("1", "2"), (None, "é"), ("{a,NULL}", "{}"))


def test_no_more_rows_are_fetched_than_asked_for_and_one(session: Session) -> None:
    rows = session.run("SELECT g, 1 / (3000 - g) FROM generate_series(1, 5000) g", 2)
    assert isinstance(rows, Rows)
    assert (rows.count, rows.columns) == (3, ())


def test_rows_without_columns_are_counted(session: Session) -> None:
    rows = session.run("SELECT FROM generate_series(1, 3)", 5)
    assert isinstance(rows, Rows)
    assert (rows.count, rows.columns) == (3, ())


def test_a_session_goes_on_after_errors_and_timeouts(session: Session) -> None:
    for sql, reason in (
        ("SELECT 1/0", "sql_error"),
        (ENDLESS, "timeout"),
        ("SELECT 1; SELECT 2", "sql_error"),
    ):
        failure = session.run(sql, 1)
        assert isinstance(failure, Failure)
        assert failure.reason == reason
        assert session.is_open
        assert isinstance(session.run("SELECT 1", 1), Rows)


def test_writing_fails_even_for_the_owner(session: Session) -> None:
    failure = session.run("SELECT lo_create(4711)", 1)
    assert isinstance(failure, Failure)
    assert "read-only" in failure.message


def test_nothing_of_a_reply_stays_in_the_session(session: Session) -> None:
    session.run("SELECT set_config('search_path', 'nowhere', false), pg_advisory_lock(7)", 1)
    rows = session.run(
        "SELECT current_setting('search_path'), (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'),"
        " (SELECT count(*) FROM pg_cursors WHERE name NOT IN ('', 'reply'))",
        1,
    )
    assert isinstance(rows, Rows)
    assert rows.columns == (('"$user", public',), ("0",), ("0",))


def test_the_deadline_holds_where_the_server_has_none(server) -> None:
    session = Session(server.owner_conninfo("shop"), 0.2, {})
    began = time.monotonic()
    failure = session.run(ENDLESS, 1)
    assert isinstance(failure, Failure)
    assert failure.reason == "timeout"
    assert time.monotonic() - began < 3.0
    assert not session.is_open
    server.admin.execute("SELECT pg_terminate_backend(%s)", (session.server_process,))


def test_a_lost_connection_is_raised_and_no_failure_of_the_reply(server, session: Session) -> None:
    server.admin.execute("SELECT pg_terminate_backend(%s)", (session.server_process,))
    with pytest.raises(SessionLostError):
        session.run("SELECT 1", 1)
    assert not session.is_open


def test_a_server_that_does_not_answer_is_raised() -> None:
    with pytest.raises(SessionLostError):
        Session("host=/nowhere dbname=shop connect_timeout=2", 1.0, {})


def test_the_process_ends_when_nobody_waits_for_the_answer(server) -> None:
    reading, writing = os.pipe()
    session = Session(server.owner_conninfo("shop"), 30.0, {}, [reading])
    os.close(writing)
    with pytest.raises(SystemExit):
        session.run(ENDLESS, 1)
    server.admin.execute("SELECT pg_terminate_backend(%s)", (session.server_process,))
    os.close(reading)
