"""Exactly one plain query, by PostgreSQL's own grammar."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlrl.verifier.guard import MAXIMUM_CHARACTERS, check_query, parse_query, select_of

REFUSED = {
    "": "no_statement",
    "-- nothing": "no_statement",
    ";": "no_statement",
    "SELECT 1; SELECT 2": "several_statements",
    "SELECT 1; COMMIT": "several_statements",
    "SELECT 1) t; DELETE FROM t; --": "syntax_error",
    "DELETE FROM t": "not_a_query",
    "DELETE/**/FROM t": "not_a_query",
    "EXPLAIN SELECT 1": "not_a_query",
    "SHOW search_path": "not_a_query",
    "EXECUTE p": "not_a_query",
    "COPY t TO STDOUT": "not_a_query",
    "DO $$ BEGIN END $$": "not_a_query",
    "CREATE TABLE t AS SELECT 1": "not_a_query",
    "SELECT 1 INTO t": "select_into",
    "SELECT * FROM (SELECT 1 FOR UPDATE) s": "locks_rows",
    "SELECT 1 FOR KEY SHARE": "locks_rows",
    "WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d": "writes",
    "SELECT * FROM (WITH i AS (INSERT INTO t VALUES (1) RETURNING 1) SELECT * FROM i) s": "writes",
    "WITH m AS (MERGE INTO t USING s ON true WHEN MATCHED THEN DELETE RETURNING 1) TABLE m": "writes",
    "SELECT $1": "parameter",
    "SELECT 'a' 'b'": "syntax_error",
    "SELECT\u00a0count(*)": "syntax_error",
    "SELECT 1\0; DELETE FROM t": "bad_character",
    "SELECT '\ud800'": "bad_character",
    "SELECT '" + "x" * MAXIMUM_CHARACTERS + "'": "too_long",
    "SELECT 1" + "+1" * 60: "too_deep",
    "SELECT 1" + "+1" * 9_000: "too_deep",
    "SELECT " + "f(" * 6_000 + "1" + ")" * 6_000: "too_deep",
}

ALLOWED = [
    "SELECT 1",
    "SELECT 1; -- and that is all",
    "VALUES (1), (2)",
    "TABLE t",
    "(SELECT 1 ORDER BY 1)",
    "WITH RECURSIVE r(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM r) SELECT n FROM r",
    'WITH updates AS (SELECT 1 AS "delete") SELECT "delete" FROM updates',
    "SELECT @ -5",
    "SELECT 1" + "+1" * 40,
    "SELECT 1 WHERE a" + " AND a" * 2_000,
    "SELECT " + "(" * 5_000 + "1" + ")" * 5_000,
]


@pytest.mark.parametrize(
    ("sql", "reason"), REFUSED.items(), ids=lambda text: text[:40].encode("unicode_escape")
)
def test_everything_but_one_plain_query_is_refused_with_a_reason(sql: str, reason: str) -> None:
    refusal = check_query(sql)
    assert refusal is not None
    assert refusal.reason == reason
    assert refusal.message


@pytest.mark.parametrize("sql", ALLOWED, ids=lambda text: text[:40])
def test_one_plain_query_is_let_through(sql: str) -> None:
    assert check_query(sql) is None


def test_a_top_level_order_is_seen_through_parentheses_and_only_there() -> None:
    assert select_of(parse_query("(SELECT a FROM t ORDER BY b)")).sort_clause
    assert not select_of(parse_query("SELECT a FROM (SELECT a FROM t ORDER BY b) s")).sort_clause


@given(st.text())
def test_no_text_makes_the_guard_fail(text: str) -> None:
    refusal = check_query(text)
    assert refusal is None or refusal.reason
