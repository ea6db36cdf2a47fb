"""How a reference becomes an answer: its groups, its cut groups, and what is refused."""

import pytest

from sqlrl.errors import UserError
from sqlrl.verifier.reward import Submission
from tests.verifier.conftest import fenced

GOODS = "(VALUES ('a', 45.00, 3), ('b', 80.00, 1), ('c', 120.5, NULL), ('d', 80.00, 2)) g(t, price, n)"


@pytest.fixture
def outcome(verifier):
    def run(reference: str, reply: str) -> str:
        verdict = verifier.judge(
            [Submission("shop", fenced(reply.replace("GOODS", GOODS)), reference.replace("GOODS", GOODS))]
        )
        return verdict[0].outcomes["main"].reason

    return run


@pytest.mark.parametrize(
    ("reference", "reply", "reason"),
    [
        # A hidden key decides the ties.
        ("SELECT t FROM GOODS ORDER BY price", "VALUES ('a'), ('d'), ('b'), ('c')", "match"),
        ("SELECT t FROM GOODS ORDER BY price", "VALUES ('d'), ('a'), ('b'), ('c')", "order_differs"),
        ("SELECT t FROM GOODS ORDER BY price, n", "VALUES ('a'), ('d'), ('b'), ('c')", "order_differs"),
        ("SELECT t FROM GOODS ORDER BY upper(t) DESC", "SELECT t FROM GOODS ORDER BY 1", "order_differs"),
        # A key by number, by name, by an output name that hides an input column.
        ("SELECT n, t FROM GOODS ORDER BY 2", "SELECT t, n FROM GOODS ORDER BY 1", "match"),
        ("SELECT price AS p, t FROM GOODS ORDER BY p", "SELECT t, price FROM GOODS ORDER BY price, 1", "match"),
        ("SELECT -price AS price, t FROM GOODS ORDER BY price", "SELECT t, -price FROM GOODS ORDER BY 2", "match"),
        ("SELECT * FROM GOODS ORDER BY n NULLS FIRST", "SELECT * FROM GOODS ORDER BY n", "order_differs"),
        # Grouped, distinct, combined and parenthesised references keep their keys.
        ("SELECT price FROM GOODS GROUP BY price ORDER BY count(*), price", "VALUES (45), (120.5), (80)", "match"),
        ("SELECT price FROM GOODS GROUP BY price ORDER BY count(*)", "VALUES (120.5), (45), (80)", "match"),
        ("SELECT DISTINCT price FROM GOODS ORDER BY price DESC", "VALUES (120.5), (80), (45)", "match"),
        ("SELECT t FROM GOODS UNION SELECT '0' ORDER BY 1", "VALUES ('0'), ('a'), ('b'), ('c'), ('d')", "match"),
        ("(SELECT t FROM GOODS ORDER BY price LIMIT 1)", "VALUES ('a')", "match"),
        ("WITH x AS (SELECT * FROM GOODS) SELECT n FROM x ORDER BY n LIMIT 1", "SELECT 1", "match"),
        # Cut groups, at the end, at the front, and by a computed offset.
        ("SELECT t FROM GOODS ORDER BY price LIMIT 2", "VALUES ('a'), ('d')", "match"),
        ("SELECT t FROM GOODS ORDER BY price LIMIT 2", "VALUES ('a'), ('b')", "match"),
        ("SELECT t FROM GOODS ORDER BY price LIMIT 2", "VALUES ('a'), ('c')", "rows_differ"),
        ("SELECT t FROM GOODS ORDER BY price OFFSET 2", "VALUES ('d'), ('c')", "match"),
        ("SELECT t FROM GOODS ORDER BY price LIMIT 2 OFFSET (SELECT 1 + 1)", "VALUES ('b'), ('c')", "match"),
        ("SELECT t FROM GOODS ORDER BY price FETCH FIRST 2 ROWS WITH TIES", "VALUES ('a'), ('d'), ('b')", "match"),
        ("SELECT t FROM GOODS ORDER BY price FETCH FIRST 2 ROWS WITH TIES", "VALUES ('a'), ('d')", "row_count"),
        # Keys that only look equal once they are rounded are no tie.
        ("SELECT 'a' FROM (VALUES (0.001), (0.002)) v(x) ORDER BY x", "VALUES ('a'), ('a')", "match"),
        ("SELECT t FROM (VALUES ('a', .001), ('b', .002)) v(t, x) ORDER BY x", "VALUES ('b'), ('a')", "order_differs"),
        ("SELECT t FROM (VALUES ('a', 1.0), ('b', 1.00)) v(t, x) ORDER BY x", "VALUES ('b'), ('a')", "match"),
        ("SELECT t FROM (VALUES ('a', NULL), ('b', NULL)) v(t, x) ORDER BY x", "VALUES ('b'), ('a')", "match"),
        ("SELECT t FROM (VALUES ('a'), ('b')) v(t) ORDER BY (SELECT NULL)", "VALUES ('b'), ('a')", "match"),
    ],
)  # fmt: skip
def test_rows_that_tie_may_come_in_any_order_and_others_not(
    outcome, reference: str, reply: str, reason: str
) -> None:
    assert outcome(reference, reply) == reason


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        ("SELECT g FROM generate_series(1, 20) g ORDER BY random()", "other rows when it runs again"),
        ("SELECT g FROM generate_series(1, 30000) g", "more than 20000 rows"),
        ("SELECT 1 INTO x", "select_into"),
    ],
)
def test_a_reference_without_one_answer_is_refused(outcome, reference: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        outcome(reference, "SELECT 1")
