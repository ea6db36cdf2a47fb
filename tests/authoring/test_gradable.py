import datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlrl.authoring.gradable import cuts_a_tie, is_empty_like, near_rounding_edge, same_rows


@pytest.mark.parametrize(
    "rows", [[(None,)], [(0,)], [(1,), (None,)], [(Decimal("1.00"), 0.0)], [("",)], [(True,)]]
)
def test_null_zero_and_one_are_as_good_as_nothing(rows):
    assert is_empty_like(rows)


@pytest.mark.parametrize(
    "rows", [[(2,)], [(0, "toy")], [(Decimal("0.5"),)], [(datetime.date(2025, 1, 1),)], [(-1,)]]
)
def test_anything_else_is_an_answer(rows):
    assert not is_empty_like(rows)


@pytest.mark.parametrize("value", ["12.345", "-0.005", "7.12499999", "7.1250001", "0.335000"])
def test_half_way_edges_are_found(value):
    assert near_rounding_edge([(1, Decimal(value))]) == str(Decimal(value))


@pytest.mark.parametrize(
    "value", [Decimal("12.34"), Decimal("12.3449"), Decimal("12.3461"), 12.5, Decimal(7), 3, None, "0.005"]
)
def test_other_values_are_far_from_an_edge(value):
    assert near_rounding_edge([(value,)]) is None


@given(st.integers(-(10**6), 10**6), st.integers(-9, 9))
def test_every_number_this_close_to_an_edge_is_caught(cents, millionths):
    edge = Decimal(cents) / 100 + Decimal("0.005")
    assert near_rounding_edge([(edge + Decimal(millionths) / 10**6,)]) is not None


def test_answers_are_the_same_in_any_row_order_and_to_two_decimals():
    one = [("a", Decimal("1.234")), ("b", 2)]
    assert same_rows(one, [("b", 2), ("a", Decimal("1.2311"))])
    assert not same_rows(one, [("b", 2), ("a", Decimal("1.24"))])
    assert not same_rows([("a",)], [("a",), ("a",)])


@pytest.mark.parametrize(
    ("rows", "keys", "limit", "cut"),
    [
        ([("a", 3), ("b", 2), ("c", 2)], 1, 2, True),
        ([("a", 3), ("b", 3), ("c", 2)], 1, 2, False),
        ([("a", 3), ("b", 2)], 1, 2, False),
        ([("a", 2, "x"), ("b", 2, "y")], 2, 1, False),
        ([("a",), ("b",)], 0, 1, True),
    ],
)
def test_a_tie_is_cut_where_the_next_row_has_the_same_keys(rows, keys, limit, cut):
    assert cuts_a_tie(rows, keys, limit) is cut
