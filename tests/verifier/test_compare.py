"""Rows as a bag under one column permutation, in order only as far as the reference sorts."""

import random
import time
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlrl.verifier import compare as compare_module
from sqlrl.verifier.compare import Segment, Table, compare, prepare_answer

Row = tuple[object, ...]


def table(rows: Sequence[Row], width: int | None = None) -> Table:
    columns = tuple(zip(*rows, strict=True)) if rows else ((),) * (width or 0)
    return Table(("text",) * len(columns), tuple(columns), len(rows))


def compare_rows(left: Sequence[Row], right: Sequence[Row], segments: Sequence[Segment] | None = None) -> str:
    return compare(prepare_answer(table(left), segments), table(right))


cells = st.integers(0, 2) | st.none()
widths = st.integers(1, 4)
tables = widths.flatmap(lambda width: st.lists(st.tuples(*[cells] * width), min_size=1, max_size=6))


@st.composite
def shuffled(draw: st.DrawFn) -> tuple[list[Row], list[Row]]:
    """Rows, and the same rows in another order with the columns in another order."""
    rows = draw(tables)
    order = draw(st.permutations(range(len(rows[0]))))
    return rows, [tuple(row[column] for column in order) for row in draw(st.permutations(rows))]


@given(tables)
def test_rows_equal_themselves(rows: list[Row]) -> None:
    assert compare_rows(rows, rows) == "match"


@given(shuffled())
def test_row_order_and_column_order_are_free(pair: tuple[list[Row], list[Row]]) -> None:
    assert compare_rows(*pair) == "match"


@given(tables, tables)
def test_comparison_is_symmetric(left: list[Row], right: list[Row]) -> None:
    assert (compare_rows(left, right) == "match") == (compare_rows(right, left) == "match")


@given(shuffled(), st.data())
def test_comparison_is_transitive(pair: tuple[list[Row], list[Row]], data: st.DataObject) -> None:
    first, second = pair
    third = data.draw(st.permutations(second))
    assert compare_rows(second, third) == "match"
    assert compare_rows(first, third) == "match"


@given(st.lists(st.tuples(cells, cells), min_size=3, max_size=3), st.data())
def test_comparison_agrees_with_trying_every_permutation(rows: list[Row], data: st.DataObject) -> None:
    other = data.draw(st.lists(st.tuples(cells, cells), min_size=3, max_size=3))
    swapped = [(right, left) for left, right in other]
    key = repr
    equal = any(sorted(rows, key=key) == sorted(some, key=key) for some in (other, swapped))
    assert (compare_rows(rows, other) == "match") == equal


@given(shuffled(), st.data())
def test_a_changed_cell_is_never_a_match(pair: tuple[list[Row], list[Row]], data: st.DataObject) -> None:
    rows, other = pair
    row = data.draw(st.integers(0, len(other) - 1))
    column = data.draw(st.integers(0, len(other[0]) - 1))
    changed = [list(cells) for cells in other]
    changed[row][column] = "never there"
    assert compare_rows(rows, [tuple(cells) for cells in changed]) == "rows_differ"


@given(shuffled(), st.data())
def test_a_repeated_row_in_the_place_of_another_is_never_a_match(pair, data: st.DataObject) -> None:
    rows = [(*row, number) for number, row in enumerate(pair[0])]
    if len(rows) > 1:
        repeated = [*rows[:-1], rows[0]]
        assert compare_rows(rows, repeated) == "rows_differ"


def test_counts_of_columns_and_rows_are_compared_first() -> None:
    assert compare_rows([(1,)], [(1, 2)]) == "column_count"
    assert compare_rows([(1,)], [(1,), (1,)]) == "row_count"
    assert compare(prepare_answer(table([], 2)), table([], 1)) == "column_count"
    assert compare(prepare_answer(table([], 2)), table([], 2)) == "match"
    assert compare(prepare_answer(Table((), (), 3)), Table((), (), 3)) == "match"


def test_one_reordering_of_columns_must_explain_every_row() -> None:
    assert compare_rows([(1, 2), (2, 1)], [(1, 1), (2, 2)]) == "rows_differ"
    assert compare_rows([(1, "b"), (2, "a"), (1, "a")], [("a", 2), ("a", 1), ("b", 1)]) == "match"
    assert compare_rows([(1, "x"), (2, "y")], [("x", 1), (2, "y")]) == "rows_differ"


def test_groups_come_in_order_and_each_is_a_bag() -> None:
    rows = [("a",), ("b",), ("c",)]
    segments = [Segment(2, 2), Segment(1, 1)]
    assert compare_rows(rows, [("b",), ("a",), ("c",)], segments) == "match"
    assert compare_rows(rows, [("c",), ("a",), ("b",)], segments) == "order_differs"
    assert compare_rows(rows, [("a",), ("b",), ("d",)], segments) == "rows_differ"


def test_any_row_of_a_cut_group_will_do_but_each_once() -> None:
    rows = [("a",), ("b",), ("c",)]
    segments = [Segment(1, 1), Segment(2, 1)]
    assert compare_rows(rows, [("a",), ("c",)], segments) == "match"
    assert compare_rows(rows, [("a",), ("b",)], segments) == "match"
    assert compare_rows(rows, [("a",), ("a",)], segments) == "rows_differ"


def circulant(width: int, ones: set[int]) -> list[Row]:
    return [tuple((row + column) % width in ones for column in range(width)) for row in range(width)]


@pytest.mark.parametrize(("ones", "verdict"), [({0, 1, 4}, "rows_differ"), ({0, 12, 13}, "rows_differ")])
def test_regular_designs_are_told_apart_in_time(ones: set[int], verdict: str) -> None:
    began = time.process_time()
    assert compare_rows(circulant(14, {0, 1, 3}), circulant(14, ones)) == verdict
    assert time.process_time() - began < 2.0


def test_many_columns_in_another_order_are_found_in_time() -> None:
    generator = random.Random(1)
    rows = [tuple(generator.randrange(3) for _ in range(60)) for _ in range(50)]
    order = generator.sample(range(60), 60)
    other = [tuple(row[column] for column in order) for row in generator.sample(rows, 50)]
    began = time.process_time()
    assert compare_rows(rows, other) == "match"
    assert compare_rows([(1,) * 200] * 50, [(1,) * 200] * 50) == "match"
    assert time.process_time() - began < 2.0


def test_a_search_beyond_the_budget_is_undecided_and_so_no_match(monkeypatch) -> None:
    monkeypatch.setattr(compare_module, "COMPARISON_BUDGET", 20)
    assert compare_rows(circulant(14, {0, 1, 3}), circulant(14, {0, 1, 4})) == "undecided"


def test_time_meets_interval_and_timetz_as_postgres_casts_it() -> None:
    def one(kind: str, value: object) -> Table:
        return Table((kind,), (((kind, value),),), 1)

    assert compare(prepare_answer(one("time", "10:00:00")), one("interval", 36_000_000_000)) == "match"
    assert compare(prepare_answer(one("timetz", "10:00:00+00")), one("time", "10:00:00")) == "match"
    assert (
        compare(prepare_answer(one("timetz", "10:00:00+00")), one("interval", 36_000_000_000))
        == "rows_differ"
    )


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 9), st.data())
def test_a_shuffled_random_design_is_found(width: int, data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.tuples(*[st.booleans()] * width), min_size=width, max_size=20))
    order = data.draw(st.permutations(range(width)))
    other = [tuple(row[column] for column in order) for row in data.draw(st.permutations(rows))]
    assert compare_rows(rows, other) == "match"
