"""Which query counts, and that nothing is repaired."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlrl.verifier.extract import extract_sql, starts_like_query

QUERY = "SELECT count(*)\nFROM orders"


def fenced(tag: str, text: str = QUERY) -> str:
    return f"```{tag}\n{text}\n```"


@pytest.mark.parametrize("tag", ["sql", "SQL", "postgres", "postgresql", "pgsql", "psql", "sql title=x"])
def test_a_fence_with_an_sql_tag_counts(tag: str) -> None:
    assert extract_sql(f"Here:\n{fenced(tag)}\nDone.").sql == QUERY


def test_the_last_tagged_fence_wins_over_earlier_ones_and_over_later_untagged_ones() -> None:
    reply = f"{fenced('sql', 'SELECT 1')}\n{fenced('sql')}\n{fenced('', 'SELECT 3')}"
    assert extract_sql(reply).sql == QUERY


def test_without_a_tag_the_last_fence_that_starts_like_a_query_counts() -> None:
    reply = f"{fenced('', 'SELECT 1')}\n{fenced('')}\n{fenced('', '| n |')}\n{fenced('python', 'x = 1')}"
    assert extract_sql(reply).sql == QUERY


@pytest.mark.parametrize(
    "reply",
    [
        QUERY,
        f"  {QUERY};\n".replace(";", ""),
        "-- all of them\n/* really */ " + QUERY,
        "(SELECT 1)",
        "WITH a AS (SELECT 1) SELECT * FROM a",
        "with recursive r(n) as (values (1)) table r",
        "VALUES (1)",
        "TABLE orders",
    ],
)
def test_a_reply_that_is_a_query_counts_as_a_whole(reply: str) -> None:
    assert extract_sql(reply).sql == reply.strip()


@pytest.mark.parametrize(
    "prose",
    ["With pleasure: SELECT 1", "Table orders has it", "Values matter", "I would SELECT 1", '"SELECT 1"', ""],
)
def test_prose_is_no_query(prose: str) -> None:
    assert not starts_like_query(prose)
    assert extract_sql(prose).reason == "no_sql"


def test_an_open_thinking_block_means_no_answer_wherever_it_stands() -> None:
    assert extract_sql(f"<think>\n{fenced('sql')}").reason == "thinking_not_closed"
    assert extract_sql(f"<think>a</think>\n{fenced('sql')}\n<think>but").reason == "thinking_not_closed"
    assert extract_sql(f"{fenced('sql', 'SELECT 1')}</think>\n{fenced('sql')}").sql == QUERY


def test_a_fence_closes_with_at_least_its_own_marks() -> None:
    assert extract_sql("````sql\nSELECT '```'\n```\n````").sql == "SELECT '```'\n```"
    assert extract_sql("```sql\nSELECT 1\n~~~\n```").sql == "SELECT 1\n~~~"


def test_one_line_fences_count() -> None:
    assert extract_sql("```sql SELECT 1```").sql == "SELECT 1"
    assert extract_sql("```SELECT 1```").sql == "SELECT 1"
    assert extract_sql("```python x```").sql is None


def test_indented_and_carriage_return_fences_count() -> None:
    assert extract_sql("1. So:\n    ```sql\n    SELECT 1\n    ```").sql == "SELECT 1"
    assert extract_sql("```sql\r\nSELECT 1\r\n```\r\n").sql == "SELECT 1"


def test_only_blanks_of_postgres_are_trimmed() -> None:
    assert extract_sql("```sql\n\u00a0SELECT 1\n```").sql == "\u00a0SELECT 1"


@pytest.mark.parametrize(
    "reply",
    ["```sql\n" * 60_000, "`" * 400_000, "<think>" * 60_000, "/*" * 200_000, "(" * 400_000, "--\n" * 130_000],
)
def test_time_is_linear_in_the_reply(reply: str) -> None:
    began = time.process_time()
    extract_sql(reply)
    assert time.process_time() - began < 2.0


@given(st.text())
def test_nothing_is_found_that_is_not_in_the_reply(reply: str) -> None:
    found = extract_sql(reply)
    assert (found.sql is None) == (found.reason != "found")
    assert found.sql is None or found.sql in reply
