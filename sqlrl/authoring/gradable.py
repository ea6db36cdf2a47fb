"""Whether an answer tells a right reply from a wrong one."""

from collections import Counter
from collections.abc import Sequence
from decimal import ROUND_FLOOR, Decimal
from typing import Any

Row = tuple[Any, ...]

# Answers are compared to two decimals; this close to a half-way edge a replacement formula may round away.
ROUNDING_REACH = Decimal("0.00001")
HUNDREDTH = Decimal("0.01")


def is_empty_like(rows: Sequence[Row]) -> bool:
    """Whether every cell is NULL, 0, 1 or an empty text: what a guess gives as well."""
    return all(cell is None or cell == "" or _is_zero_or_one(cell) for row in rows for cell in row)


def near_rounding_edge(rows: Sequence[Row]) -> str | None:
    """The first number within rounding reach of a half-way edge at two decimals, or None."""
    for row in rows:
        for cell in row:
            if isinstance(cell, float | Decimal) and _near_edge(Decimal(str(cell))):
                return str(cell)
    return None


def same_rows(one: Sequence[Row], two: Sequence[Row]) -> bool:
    """Whether two answers have the same rows, in any order, numbers to two decimals."""
    return _bag(one) == _bag(two)


def cuts_a_tie(rows: Sequence[Row], keys: int, limit: int) -> bool:
    """Whether a LIMIT leaves out a row whose sort keys equal those of the last one that it keeps.

    Args:
        rows: one row more than the limit, in order, sort keys as last columns.
        keys: how many sort keys there are; without any, every row ties with every other.
        limit: the LIMIT.
    """
    if len(rows) <= limit or limit < 1:
        return False
    return rows[limit - 1][-keys:] == rows[limit][-keys:] if keys else True


def _is_zero_or_one(cell: Any) -> bool:
    return isinstance(cell, bool | int | float | Decimal) and cell in (0, 1)


def _near_edge(number: Decimal) -> bool:
    if not number.is_finite():
        return False
    rest = abs(number) - abs(number).quantize(HUNDREDTH, ROUND_FLOOR)
    return abs(rest - HUNDREDTH / 2) <= ROUNDING_REACH


def _bag(rows: Sequence[Row]) -> Counter[Row]:
    return Counter(tuple(_rounded(cell) for cell in row) for row in rows)


def _rounded(cell: Any) -> Any:
    if isinstance(cell, float | Decimal):
        number = Decimal(str(cell))
        return number.quantize(HUNDREDTH) if number.is_finite() else str(number)
    return str(cell) if isinstance(cell, list | dict) else cell
