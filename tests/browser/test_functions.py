"""The explorer's functions, called in the browser: what two queries and two row sets differ in."""

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def call(chromium, file):
    """Calls a function of the page's script with JSON arguments."""
    page = chromium.new_page()
    page.goto(file.as_uri())

    def run(name, *arguments):
        return page.evaluate("([name, args]) => (0, eval)(name)(...args)", [name, list(arguments)])

    yield run
    page.close()


def marked(pieces) -> list[str]:
    return [text for text, mark in pieces if mark]


@pytest.mark.parametrize(
    ("left", "right", "only_left", "only_right"),
    [
        ("SELECT a FROM t", "select A\nfrom t;", [], []),
        ("SELECT a FROM t", "SELECT b FROM t", ["a"], ["b"]),
        ("SELECT 'a' FROM t", "SELECT 'A' FROM t", ["'a'"], ["'A'"]),
        ('SELECT "a" FROM t', 'SELECT "A" FROM t', ['"a"'], ['"A"']),
        ("SELECT 'it''s, a b' AS x", "SELECT 'it''s, a c' AS x", ["'it''s, a b'"], ["'it''s, a c'"]),
        ("SELECT 7.50", "SELECT 7.5", ["7.50"], ["7.5"]),
        ("a <> b", "a != b", [], []),
        ("a < b", "a <= b", ["<"], ["<="]),
        ("SELECT a -- why", "SELECT /* so */ a", [], []),
        ("SELECT a FROM t", "SELECT a FROM t WHERE b > 1", [], ["WHERE b > 1"]),
        ("SELECT a, b, c FROM t", "SELECT b, c FROM t", ["a,"], []),
        ("", "SELECT 1", [], ["SELECT 1"]),
        ("SELECT naïve", "SELECT naïve", [], []),
    ],
)
def test_a_diff_marks_the_words_that_the_other_query_lacks(call, left, right, only_left, only_right):
    found = call("diffQueries", left, right)
    assert (marked(found["left"]), marked(found["right"])) == (only_left, only_right)
    assert "".join(text for text, _ in found["left"]) == left
    assert "".join(text for text, _ in found["right"]) == right


def test_a_diff_keeps_a_longest_common_subsequence(call):
    found = call("diffQueries", "a b c d e f g", "x a c b d g y")
    kept = [text for text, mark in found["left"] if not mark]
    assert len("".join(kept).split()) == 4  # a b d g, or a c d g


def test_very_long_queries_are_marked_between_their_common_ends_at_once(call):
    left = "SELECT " + " ".join(f"a{number}" for number in range(2000)) + " FROM t"
    right = "SELECT " + " ".join(f"b{number}" for number in range(2000)) + " FROM t"
    found = call("diffQueries", left, right)
    assert found["bounded"]
    assert [text for text, mark in found["left"] if not mark] == ["SELECT ", " FROM t"]


def kinds(side) -> list[str]:
    return [row["kind"] for row in side]


def test_the_same_bag_of_rows_in_another_order_of_rows_and_columns_has_no_mark(call):
    found = call(
        "compareRows", [["a", "1"], ["b", "2"], ["b", "2"]], [["2", "b"], ["1", "a"], ["2", "b"]], False
    )
    assert found["columns"] == [1, 0]
    assert kinds(found["reference"]) == kinds(found["reply"]) == ["same"] * 3


def test_a_row_too_often_stands_alone(call):
    found = call("compareRows", [["a"], ["b"]], [["a"], ["a"], ["b"]], False)
    assert kinds(found["reference"]) == ["same", "same"]
    assert sorted(kinds(found["reply"])) == ["alone", "same", "same"]


def test_cells_that_differ_are_marked_in_rows_that_go_together(call):
    found = call("compareRows", [["a", "x", "1"], ["b", "y", "2"]], [["b", "y", "3"], ["a", "x", "1"]], False)
    assert kinds(found["reference"]) == ["same", "differs"]
    assert found["reference"][1]["cells"] == [False, False, True]
    assert found["reply"][0]["cells"] == [False, False, True]


def test_rows_that_share_nothing_stand_alone_on_both_sides(call):
    found = call("compareRows", [["a", "1"]], [["b", "2"]], False)
    assert kinds(found["reference"]) == kinds(found["reply"]) == ["alone"]
    assert found["reply"][0]["cells"] == [True, True]


def test_numbers_are_compared_to_two_decimals_and_null_with_null(call):
    found = call("compareRows", [["10", None], ["0.3333", "t"]], [["10.00", None], ["0.33", "t"]], False)
    assert kinds(found["reply"]) == ["same", "same"]
    assert kinds(call("compareRows", [[None]], [["null"]], False)["reply"]) == ["alone"]


def test_a_column_more_is_marked_and_the_others_are_compared(call):
    found = call("compareRows", [["a", "1"], ["b", "2"]], [["a", "z", "1"], ["b", "z", "2"]], False)
    assert found["columns"] == [0, -1, 1]
    assert [row["cells"] for row in found["reply"]] == [[False, True, False]] * 2
    assert kinds(found["reference"]) == ["differs", "differs"]


def test_where_the_order_is_wrong_rows_are_compared_place_by_place(call):
    found = call("compareRows", [["a"], ["b"], ["c"]], [["a"], ["c"], ["b"]], True)
    assert kinds(found["reply"]) == ["same", "differs", "differs"]


@pytest.mark.parametrize(
    ("reference", "reply", "words"),
    [
        ([["a"], ["b"]], [], "The reply has no rows, the reference 2."),
        ([], [["a"]], "0 of 1 row is as in the reference, 1 only in the reply."),
        ([["a", "1"], ["b", "2"]], [["a", "1"], ["b", "3"]], "1 of 2 rows is as in the reference, 1 differs"),
    ],
)
def test_a_comparison_of_rows_is_told_in_words(call, reference, reply, words):
    assert call("describeRows", call("compareRows", reference, reply, False)).startswith(words)
