import datetime
from decimal import Decimal

import pytest

from sqlrl.authoring.phrasing import article, date_words, listing, month_words, number_text, sentence
from sqlrl.authoring.query import Select
from sqlrl.database.literals import quote


@pytest.mark.parametrize(
    ("words", "said"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_lists_are_said_with_commas_and_one_and(words, said):
    assert listing(words) == said


def test_dates_are_written_out():
    assert date_words(datetime.date(2025, 3, 1)) == "1 March 2025"
    assert month_words(datetime.date(2024, 12, 1)) == "December 2024"


@pytest.mark.parametrize(
    ("value", "text"), [(Decimal("7.50"), "7.5"), (Decimal("1E+3"), "1000"), (0, "0"), (2.5, "2.5")]
)
def test_numbers_lose_superfluous_zeros(value, text):
    assert number_text(value) == text


def test_sentences_start_with_capitals_and_decimals_stay():
    assert sentence("which cost 7.5 ?  just  the names . thanks") == "Which cost 7.5? Just the names. Thanks"


def test_a_select_is_one_line_with_its_clauses_in_order():
    select = Select(
        columns=("o.status", "COUNT(*) AS n"),
        source="orders o",
        where=("o.shipping_fee > 5", "o.id > 3"),
        group=("o.status",),
        having=("COUNT(*) > 1",),
        order=("n DESC", "o.status"),
        limit=3,
        common=(("x", "SELECT 1"),),
    )
    assert select.text() == (
        "WITH x AS (SELECT 1) SELECT o.status, COUNT(*) AS n FROM orders o WHERE o.shipping_fee > 5 AND o.id > 3"
        " GROUP BY o.status HAVING COUNT(*) > 1 ORDER BY n DESC, o.status LIMIT 3"
    )


def test_quotes_inside_a_literal_are_doubled():
    assert quote("Chef's Knife") == "'Chef''s Knife'"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("amount", "an"),
        ("hourly rate", "an"),
        ("unit price", "a"),
        ("usual stay", "a"),
        ("one-off fee", "a"),
        ("daily rate", "a"),
    ],
)
def test_the_article_goes_by_the_sound_of_the_word(words, expected):
    assert article(words) == expected
