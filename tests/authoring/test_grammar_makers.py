"""Kinds of conditions: the SQL and the words say the same, in every style."""

import datetime
from types import SimpleNamespace

import pytest

from sqlrl.authoring.draw import Draw, EmptyDrawError
from sqlrl.authoring.grammar.makers import (
    before,
    compared,
    equal,
    in_month,
    in_year,
    missing,
    one_of,
    other_than,
    present,
    since,
    starting,
    under_way,
)

VALUES = SimpleNamespace(
    names=("O'Brien",),
    pairs=("a", "b"),
    numbers=(5,),
    years=(2024,),
    days=(datetime.date(2024, 3, 1),),
    none=(),
)
DRAW = Draw("shape", "words")


def made(maker):
    one = maker(VALUES, DRAW)
    return one.sql, one.plain, one.terse, one.analyst


def test_a_text_is_quoted_in_sql_and_plain_in_words():
    maker = equal("t", "x.name", lambda values: values.names, ("~ called {value}",), ("{of}name {value}",))
    sql, plain, terse, analyst = made(maker)
    assert sql == "x.name = 'O''Brien'"
    assert (plain, terse) == ("~ called O'Brien", "{of}name O'Brien")
    assert analyst in ("{at}name is 'O'Brien'", "{at}name = 'O'Brien'")


def test_two_texts_are_both_in_the_sql_and_in_the_words():
    sql, plain, _, _ = made(
        one_of("t", "x.name", lambda values: values.pairs, ("~ {one} or {two}",), ("{one}/{two}",))
    )
    assert sql in ("x.name IN ('a', 'b')", "x.name IN ('b', 'a')")
    assert sorted(plain.removeprefix("~ ").split(" or ")) == ["a", "b"]


@pytest.mark.parametrize(
    ("sign", "word"),
    [(">", "is above"), ("<", "is below"), (">=", "is at least"), ("<=", "is at most"), ("=", "is")],
)
def test_a_comparison_has_its_sign_in_words(sign, word):
    maker = compared("t", "x.size", sign, lambda values: values.numbers, ("~ {number}",), ("{number}",))
    seen = {made(maker)[3] for _ in range(40)}
    assert seen == {f"{{at}}size {word} 5", f"{{at}}size {sign} 5"}
    assert made(maker)[0] == f"x.size {sign} 5"


@pytest.mark.parametrize(
    ("maker", "choices", "sql", "plain"),
    [
        (in_year, "years", "EXTRACT(YEAR FROM x.day) = 2024", "~ 2024 March 2024"),
        (in_month, "days", "date_trunc('month', x.day) = '2024-03-01'", "~ March 2024"),
        (since, "days", "x.day >= '2024-03-01'", "~ 1 March 2024"),
        (before, "days", "x.day < '2024-03-01'", "~ 1 March 2024"),
    ],
)
def test_dates_are_iso_in_sql_and_written_out_in_words(maker, choices, sql, plain):
    words = {"in_year": "~ {year} March 2024", "in_month": "~ {month}"}.get(maker.__name__, "~ {day}")
    found = made(maker("t", "x.day", lambda values: getattr(values, choices), (words,), ("-",)))
    assert found[:2] == (sql, plain)


@pytest.mark.parametrize(("sign", "word"), [(">=", "on or after"), (">", "after")])
def test_a_period_without_an_end_goes_on(sign, word):
    maker = under_way("t", "x.first", "x.last", sign, lambda values: values.days, ("~ on {day}",), ("{iso}",))
    sql, plain, terse, _ = made(maker)
    assert sql == f"x.first <= '2024-03-01' AND (x.last IS NULL OR x.last {sign} '2024-03-01')"
    assert (plain, terse) == ("~ on 1 March 2024", "2024-03-01")
    analyst = {made(maker)[3] for _ in range(40)}
    assert f"{{at}}first is on or before 2024-03-01 and last is either NULL or {word} 2024-03-01" in analyst


def test_missing_and_present_are_opposites():
    assert made(missing("t", "x.y", ("~ a",), ("b",)))[0] == "x.y IS NULL"
    assert made(present("t", "x.y", ("~ a",), ("b",)))[0] == "x.y IS NOT NULL"


def test_other_texts_and_beginnings_of_texts():
    words = (("~ {value}",), ("{value}",))
    assert made(other_than("t", "x.n", lambda values: values.names, *words))[0] == "x.n <> 'O''Brien'"
    assert made(starting("t", "x.n", lambda values: ("J4",), *words))[0] == "x.n LIKE 'J4%'"


def test_without_choices_the_draw_is_empty():
    with pytest.raises(EmptyDrawError):
        made(equal("t", "x.n", lambda values: values.none, ("~",), ("-",)))
