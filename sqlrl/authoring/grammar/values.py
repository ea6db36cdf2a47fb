"""The literals that questions may name, read from the database so that answers move with its data."""

import datetime
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from sqlrl.authoring.teacher import Ask

# Thresholds are taken between these shares of a column's values, so that both sides have rows.
LOW, HIGH = 0.15, 0.85


def round_number(value: Decimal, halves: bool = False) -> Decimal:
    """The value as a person would name it: 3, 45, 120, 4300; ``halves`` allows 3.5."""
    size = abs(value)
    if size < 10:
        step = Decimal("0.5") if halves else Decimal(1)
    elif size < 100:
        step = Decimal(5)
    else:
        step = Decimal(10) ** (value.adjusted() - 1)
    return (value / step).quantize(Decimal(1)) * step


def between(values: Sequence[Any], low: float, high: float, halves: bool = False) -> tuple[Decimal, ...]:
    """Round numbers strictly inside the values, between two shares of them, in order."""
    ordered = sorted(Decimal(str(value)) for value in values if value is not None)
    if not ordered:
        return ()
    shares = [low + (high - low) * step / 6 for step in range(7)]
    picked = {
        round_number(ordered[min(int(share * len(ordered)), len(ordered) - 1)], halves) for share in shares
    }
    return tuple(sorted(number for number in picked if ordered[0] < number < ordered[-1]))


def read_texts(ask: Ask, query: str) -> tuple[str, ...]:
    """The first column of a query as texts."""
    return tuple(str(row[0]) for row in ask(query))


def read_years(ask: Ask, table: str, column: str) -> tuple[int, ...]:
    """The years of a date column that at least three rows have."""
    query = (
        f"SELECT EXTRACT(YEAR FROM {column})::int FROM {table}"
        f" WHERE {column} IS NOT NULL GROUP BY 1 HAVING COUNT(*) >= 3 ORDER BY 1"
    )
    return tuple(int(str(row[0])) for row in ask(query))


def read_months(ask: Ask, table: str, column: str) -> tuple[datetime.date, ...]:
    """First days of the months of a date column that at least three rows have."""
    query = (
        f"SELECT date_trunc('month', {column})::date FROM {table}"
        f" WHERE {column} IS NOT NULL GROUP BY 1 HAVING COUNT(*) >= 3 ORDER BY 1"
    )
    return tuple(row[0] for row in ask(query))


def read_quarters(ask: Ask, table: str, column: str) -> tuple[datetime.date, ...]:
    """First days of the quarters of a date column, but for the first quarter."""
    query = (
        f"SELECT date_trunc('quarter', {column})::date FROM {table}"
        f" WHERE {column} IS NOT NULL GROUP BY 1 ORDER BY 1"
    )
    return tuple(row[0] for row in ask(query))[1:]


def read_thresholds(ask: Ask, name: str) -> tuple[Decimal, ...]:
    """Round numbers inside the positive values of a column, named ``table.column``."""
    table, column = name.split(".")
    rows = ask(f"SELECT {column} FROM {table} WHERE {column} > 0 ORDER BY 1")
    values = [row[0] for row in rows]
    found = between(values, LOW, HIGH)
    # A column of few values, such as quantities, keeps its own.
    return found or tuple(sorted({Decimal(str(value)) for value in values}))[1:-1]
