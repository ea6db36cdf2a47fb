import pytest

from sqlrl.authoring.duplicates import Seen, content_words, similarity
from sqlrl.authoring.statement import Statement

BELOW = "SELECT name FROM items WHERE stock < {}"


@pytest.fixture
def seen() -> Seen:
    seen = Seen(question_similarity=0.9, template_similarity=0.8)
    seen.keep("Which items have fewer than 37 units in stock?", Statement.parse(BELOW.format(37)))
    return seen


def reason(seen: Seen, question: str, sql: str) -> str | None:
    found = seen.find(question, Statement.parse(sql))
    return found.reason if found else None


def test_the_same_question_is_a_duplicate_whatever_its_sql(seen):
    question = "which items have fewer than 37 units in stock"
    assert reason(seen, question, "SELECT 1") == "duplicate_question"


def test_the_same_sql_is_a_duplicate_however_it_is_written(seen):
    sql = "select NAME from items where (stock < 37)"
    assert reason(seen, "Names of what is nearly sold out, please", sql) == "duplicate_sql"


def test_other_numbers_in_the_same_words_are_one_question(seen):
    question = "Which items have fewer than 52 units in stock?"
    assert reason(seen, question, BELOW.format(52)) == "near_duplicate_of_template"


def test_the_same_template_in_other_words_is_kept(seen):
    assert reason(seen, "Nearly sold out: list what has under 52 left", BELOW.format(52)) is None


def test_nearly_the_same_words_are_one_question_whatever_the_template(seen):
    question = "Please show me which items have fewer than 37 units in the stock"
    assert reason(seen, question, "SELECT name FROM items ORDER BY name") == "near_duplicate_question"


def test_a_word_that_changes_the_question_keeps_it(seen):
    sql = "SELECT name FROM items WHERE stock > 37"
    assert reason(seen, "Which items have more than 37 units in stock?", sql) is None


def test_fillers_and_plurals_carry_nothing():
    assert content_words("Please show me all the items") == content_words("all item")
    assert similarity(frozenset("abc"), frozenset("bcd")) == 0.5
