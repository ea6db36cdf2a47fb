"""Mutants are queries, one change away, and the same ones every time."""

import pytest

from sqlrl.verifier.guard import check_query
from sqlrl.verifier.mutants import make_mutants

SQL = """
SELECT DISTINCT c.city, sum(coalesce(o.fee, 0)) FILTER (WHERE o.fee > 1), count(DISTINCT o.id)
FROM orders o LEFT JOIN customers c ON o.customer_id = c.id
WHERE NOT (o.status IN ('open', 'paid')) AND o.placed_on < '2024-07-01' AND o.note IS NULL
GROUP BY c.city HAVING max(o.fee) >= 3
UNION SELECT 'a', 1, 2 EXCEPT SELECT 'b', 2, 3 ORDER BY 1 DESC LIMIT 5
"""


def test_every_kind_of_change_is_made() -> None:
    assert {mutant.kind for mutant in make_mutants(SQL)} == {
        "predicate dropped",
        "predicate narrowed",
        "DISTINCT dropped",
        "COALESCE dropped",
        "NOT dropped",
        "NULL test negated",
        "AND and OR swapped",
        "aggregate changed",
        "comparison changed",
        "date off by one",
        "join type changed",
        "number off by one",
        "order reversed",
        "set operation changed",
    }


def test_mutants_are_plain_queries_that_differ_from_each_other_and_come_in_one_order() -> None:
    mutants = make_mutants(SQL)
    assert all(check_query(mutant.sql) is None for mutant in mutants)
    assert len({mutant.sql for mutant in mutants}) == len(mutants)
    assert mutants == make_mutants(SQL)


@pytest.mark.parametrize(
    ("sql", "kind", "mutant"),
    [
        ("SELECT a FROM t WHERE a < 3", "comparison changed", "SELECT a FROM t WHERE a <= 3"),
        ("SELECT a FROM t WHERE a < 3", "predicate dropped", "SELECT a FROM t"),
        (
            "SELECT a FROM t WHERE d = '2024-03-01'",
            "date off by one",
            "SELECT a FROM t WHERE d = '2024-02-29'",
        ),
        ("SELECT count(b) FROM t", "DISTINCT added", "SELECT count(DISTINCT b) FROM t"),
        ("SELECT a FROM t WHERE NOT a", "NOT dropped", "SELECT a FROM t WHERE a"),
        (
            "SELECT a FROM t UNION ALL SELECT b FROM t",
            "DISTINCT added",
            "SELECT a FROM t UNION SELECT b FROM t",
        ),
        ("SELECT max(a) FROM t", "aggregate changed", "SELECT min(a) FROM t"),
        ("SELECT a FROM t ORDER BY a", "order reversed", "SELECT a FROM t ORDER BY a DESC"),
    ],
)
def test_a_change_is_what_its_name_says(sql: str, kind: str, mutant: str) -> None:
    assert (kind, mutant) in [(one.kind, one.sql) for one in make_mutants(sql)]


def test_a_joins_condition_keeps_its_comparison() -> None:
    assert not [
        mutant
        for mutant in make_mutants("SELECT 'a' FROM t JOIN u ON t.a = u.a")
        if mutant.kind == "comparison changed"
    ]
