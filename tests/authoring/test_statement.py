import pytest

from sqlrl.authoring.statement import Statement
from sqlrl.verifier.guard import RefusedError


@pytest.mark.parametrize(
    "other",
    [
        "SELECT name FROM items WHERE price > 99.5 AND kind = 'book'",
        "select name\nfrom items where (price > 10) and kind = 'toy' -- cheap",
    ],
)
def test_literals_formatting_and_comments_make_no_other_template(other):
    one = Statement.parse("SELECT name FROM items WHERE price > 10 AND kind = 'toy'")
    assert Statement.parse(other).template == one.template


@pytest.mark.parametrize(
    "other",
    [
        "SELECT name FROM items WHERE price >= 10",
        "SELECT name FROM items WHERE stock > 10",
        "SELECT name FROM items WHERE price > 10 ORDER BY name",
        "SELECT DISTINCT name FROM items WHERE price > 10",
    ],
)
def test_another_operator_column_or_clause_makes_another_template(other):
    one = Statement.parse("SELECT name FROM items WHERE price > 10")
    assert Statement.parse(other).template != one.template


def test_features_and_tables_come_from_the_tree_and_not_from_the_text():
    statement = Statement.parse(
        "WITH dear AS (SELECT i.kind, SUM(i.price) AS total FROM items i LEFT JOIN kinds k ON k.name = i.kind"
        " GROUP BY i.kind HAVING COUNT(*) > 1) SELECT kind, RANK() OVER (ORDER BY total DESC) FROM dear"
        " WHERE kind <> 'a UNION of LIMIT' AND total IS NOT NULL"
    )
    assert statement.features == (
        "aggregate:count",
        "aggregate:sum",
        "cte",
        "group by",
        "having",
        "join",
        "null",
        "outer join",
        "window",
        "window:rank",
    )
    assert statement.tables == ("items", "kinds")


@pytest.mark.parametrize(
    ("sql", "name"),
    [
        ("SELECT now()", "now"),
        ("SELECT current_date - 1", "SVFOP_CURRENT_DATE"),
        ("SELECT id FROM items WHERE random() < 0.5", "random"),
        ("SELECT LOCALTIMESTAMP", "SVFOP_LOCALTIMESTAMP"),
        ("SELECT max(price) FROM items", None),
        ("SELECT 'now()' FROM items", None),
    ],
)
def test_functions_of_time_and_chance_are_found(sql, name):
    assert Statement.parse(sql).volatile == name


@pytest.mark.parametrize(
    ("sql", "inner"),
    [
        ("SELECT name FROM items ORDER BY name LIMIT 3", False),
        ("SELECT AVG(price) FROM (SELECT price FROM items ORDER BY price LIMIT 3) t", True),
        ("WITH t AS (SELECT price FROM items LIMIT 1) SELECT price FROM t", True),
        ("SELECT name FROM items WHERE id = (SELECT id FROM items OFFSET 2)", True),
    ],
)
def test_a_limit_inside_is_told_from_the_limit_of_the_whole(sql, inner):
    assert Statement.parse(sql).has_inner_limit is inner


@pytest.mark.parametrize(
    ("sql", "longer", "keys"),
    [
        (
            "SELECT name FROM items ORDER BY price DESC LIMIT 3",
            "SELECT name, price FROM items ORDER BY price DESC LIMIT 4",
            1,
        ),
        (
            "SELECT kind, COUNT(*) AS n FROM items GROUP BY kind ORDER BY n DESC, 1 LIMIT 2",
            "SELECT kind, count(*) AS n, count(*), kind FROM items GROUP BY kind ORDER BY n DESC, 1 LIMIT 3",
            2,
        ),
        ("SELECT name FROM items LIMIT 3", "SELECT name FROM items LIMIT 4", 0),
    ],
)
def test_past_the_limit_come_one_more_row_and_the_sort_keys(sql, longer, keys):
    assert Statement.parse(sql).past_limit() == (longer, keys, int(sql[-1]))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name FROM items UNION SELECT kind FROM items ORDER BY 1 LIMIT 3",
        "SELECT * FROM items ORDER BY 2 LIMIT 3",
        "SELECT name FROM items ORDER BY 2 LIMIT 3",
        "SELECT i.*, i.name FROM items i ORDER BY 2 LIMIT 3",
    ],
)
def test_sort_keys_that_cannot_stand_beside_the_columns_are_refused(sql):
    with pytest.raises(RefusedError) as caught:
        Statement.parse(sql).past_limit()
    assert caught.value.refusal.reason == "sort_keys"


def test_without_a_limit_there_is_nothing_past_it():
    assert Statement.parse("SELECT name FROM items ORDER BY name").past_limit() is None


def test_words_and_numbers_of_literals_are_known():
    sql = "SELECT 1 FROM items WHERE kind IN ('Coffee and Tea', 'toy') AND price > 7.5"
    assert Statement.parse(sql).literals >= {"coffee", "and", "tea", "toy", "7.5"}


@pytest.mark.parametrize("sql", ["DELETE FROM items", "SELECT 1; SELECT 2", "SELEC 1", ""])
def test_what_is_not_one_query_is_refused(sql):
    with pytest.raises(RefusedError):
        Statement.parse(sql)
