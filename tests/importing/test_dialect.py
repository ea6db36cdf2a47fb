"""Problems of other dialects, found in the text and told apart in PostgreSQL's errors."""

from collections.abc import Iterator

import pytest

from sqlrl.importing.check import Checker, open_checker
from sqlrl.importing.dialect import KINDS, NOTES
from sqlrl.importing.rewrite import REWRITES, rewrite
from sqlrl.importing.tokens import tokenise
from tests.authoring.small import write_dumps


@pytest.fixture(scope="module")
def on_main(tmp_path_factory) -> Iterator[Checker]:
    dumps = write_dumps(tmp_path_factory.mktemp("dumps"))
    with open_checker(dumps["main"], 0.5, of_another_dialect=True) as checker:
        yield checker


@pytest.fixture(scope="module")
def by_grammar() -> Iterator[Checker]:
    with open_checker(None, 0.5, of_another_dialect=True) as checker:
        yield checker


# What PostgreSQL says of each on a database of one table: items(id, name, kind, price, stock).
REFUSED = {
    "SELECT `name` FROM `items`": ["backticks"],
    "SELECT [name] FROM items": ["brackets"],
    "SELECT name FROM items LIMIT 5, 3": ["limit_comma"],
    'SELECT id FROM items WHERE kind = "toy"': ["double_quoted_string"],
    'SELECT id FROM items WHERE kind IN ("toy", "tool")': ["double_quoted_string"],
    "SELECT IIF(stock IS NULL, 1, 0) FROM items": ["iif"],
    "SELECT strftime('%Y', name) FROM items": ["strftime"],
    "SELECT IFNULL(stock, 0) FROM items": ["ifnull"],
    "SELECT group_concat(name) FROM items": ["other_function"],
    "SELECT fancy(name) FROM items": ["unknown_function"],
    "SELECT name FROM items WHERE id == 3": ["type_mismatch", "double_equals"],
    "SELECT kind, name, COUNT(*) FROM items GROUP BY kind": ["group_by"],
    "SELECT DISTINCT kind FROM items ORDER BY price": ["distinct_order"],
    "SELECT id FROM items WHERE name > 3": ["type_mismatch"],
    "SELECT ROUND(price::float, 2) FROM items": ["type_mismatch"],
    "SELECT id FROM items WHERE stock = 'many'": ["bad_value"],
    "SELECT x FROM products": ["unknown_table"],
    "SELECT cost FROM items": ["unknown_column"],
    'SELECT "Price" FROM items': ["letter_case"],
    "SELECT id FROM items a CROSS JOIN items b": ["ambiguous_column"],
    "SELECT 1 / 0 FROM items": ["division_by_zero"],
    "SELECT COUNT(*) FROM items a, items b, items c, items d, items e, items f": ["timeout"],
    "DELETE FROM items": ["not_a_query"],
    "SELECT 1; SELECT 2": ["not_a_query"],
    "SELEC name FROM items": ["syntax"],
    "SELECT `name` FROM items WHERE IIF(id > 2, 1, 0) LIMIT 1, 2": ["backticks", "limit_comma", "iif"],
}


@pytest.mark.parametrize(("sql", "kinds"), REFUSED.items(), ids=REFUSED.keys())
def test_a_query_that_does_not_run_has_the_kind_of_its_problem(on_main, sql, kinds):
    checked = on_main.check(sql)
    assert checked.is_refused
    assert [problem.kind for problem in checked.problems] == kinds
    assert all(problem.detail for problem in checked.problems)
    assert set(kinds) <= set(KINDS) - NOTES


RUN = {
    "SELECT name FROM items WHERE kind = 'a `b` \"c\" IIF(x) LIMIT 1, 2'": [],
    'SELECT "name" FROM items -- `x`': [],
    "SELECT (ARRAY[1, 2])[id] FROM items": [],
    'SELECT a.id FROM items a JOIN items b ON a.id = "b"."id"': [],
    "SELECT id FROM items WHERE name LIKE 'Toy%'": ["like_letter_case"],
    "SELECT id FROM items ORDER BY stock DESC LIMIT 1": ["null_order"],
    "SELECT id FROM items ORDER BY stock DESC NULLS LAST LIMIT 1": [],
}


@pytest.mark.parametrize(("sql", "kinds"), RUN.items(), ids=RUN.keys())
def test_a_query_that_runs_is_taken_and_what_it_may_mean_otherwise_is_told(on_main, sql, kinds):
    checked = on_main.check(sql)
    assert not checked.is_refused
    assert [problem.kind for problem in checked.problems] == kinds


@pytest.mark.parametrize(
    ("sql", "kinds", "refused"),
    [
        ("SELECT IIF(a, 1, 0) FROM t", ["iif"], True),
        ("SELECT a FROM t WHERE b = c.x AND d <> 'e'", [], False),
        ('SELECT a FROM t WHERE b = "x"', ["double_quoted_string"], False),
        ("SELECT `a` FROM t", ["backticks"], True),
    ],
)
def test_without_a_server_the_grammar_and_the_text_say_what_they_can(by_grammar, sql, kinds, refused):
    checked = by_grammar.check(sql)
    assert ([problem.kind for problem in checked.problems], checked.is_refused) == (kinds, refused)


@pytest.mark.parametrize(
    ("sql", "rewritten"),
    [
        ("SELECT `a b`, '`' FROM `t`", 'SELECT "a b", \'`\' FROM "t"'),
        ('SELECT `a"b` FROM t', 'SELECT "a""b" FROM t'),
        ("SELECT a FROM t LIMIT 5, 3", "SELECT a FROM t LIMIT 3 OFFSET 5"),
        ("SELECT a FROM t limit 5 ,3", "SELECT a FROM t limit 3  OFFSET 5"),
        ("SELECT a FROM t LIMIT 5", "SELECT a FROM t LIMIT 5"),
        ("SELECT ifnull (a, 0), 'IFNULL(a)'", "SELECT COALESCE (a, 0), 'IFNULL(a)'"),
    ],
)
def test_a_rewrite_changes_what_it_names_and_nothing_else(sql, rewritten):
    assert rewrite(sql, tuple(REWRITES)) == rewritten
    assert rewrite(sql, ()) == sql


@pytest.mark.parametrize(
    "sql", ["SELECT 'it''s' \"x\" -- c\n/* d */ LIMIT 1,2", "'open", "a[1] `b", "é ü 1.5e3"]
)
def test_tokens_joined_are_the_text(sql):
    assert "".join(token.text for token in tokenise(sql)) == sql
