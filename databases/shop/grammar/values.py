"""The literals that questions may name, read from the database so that answers move with its data."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlrl.authoring.teacher import Ask

# Thresholds are taken between these shares of a column's values, so that both sides have rows.
LOW, HIGH = 0.15, 0.85


@dataclass(frozen=True)
class Values:
    """What the shop's data hold. Lists are ordered; thresholds are round numbers.

    Attributes:
        categories: names of categories without subcategories that have products.
        parents: names of top-level categories with subcategories.
        months: first days of the months that have orders.
    """

    countries: tuple[str, ...]
    cities: tuple[str, ...]
    categories: tuple[str, ...]
    parents: tuple[str, ...]
    departments: tuple[str, ...]
    titles: tuple[str, ...]
    statuses: tuple[str, ...]
    methods: tuple[str, ...]
    years: tuple[int, ...]
    months: tuple[datetime.date, ...]
    signup_years: tuple[int, ...]
    signup_months: tuple[datetime.date, ...]
    launch_months: tuple[datetime.date, ...]
    launch_years: tuple[int, ...]
    hire_years: tuple[int, ...]
    review_years: tuple[int, ...]
    payment_years: tuple[int, ...]
    thresholds: dict[str, tuple[Decimal, ...]]


COLUMNS_WITH_THRESHOLDS = (
    "products.price",
    "products.cost",
    "products.stock",
    "employees.salary",
    "orders.shipping_fee",
    "order_items.quantity",
    "order_items.unit_price",
    "order_items.discount_pct",
    "payments.amount",
)


def read_values(ask: Ask) -> Values:
    """Read the values with the function that runs a query on main."""
    return Values(
        countries=_texts(ask, "SELECT country FROM customers GROUP BY 1 HAVING COUNT(*) >= 3 ORDER BY 1"),
        cities=_texts(ask, "SELECT city FROM customers GROUP BY 1 HAVING COUNT(*) >= 2 ORDER BY 1"),
        categories=_texts(
            ask,
            "SELECT cat.name FROM categories cat WHERE EXISTS (SELECT 1 FROM products p WHERE p.category_id ="
            " cat.id) AND NOT EXISTS (SELECT 1 FROM categories child WHERE child.parent_id = cat.id)"
            " ORDER BY 1",
        ),
        parents=_texts(
            ask,
            "SELECT top.name FROM categories top WHERE EXISTS (SELECT 1 FROM categories child"
            " WHERE child.parent_id = top.id) ORDER BY 1",
        ),
        departments=_texts(
            ask, "SELECT department FROM employees GROUP BY 1 HAVING COUNT(*) >= 2 ORDER BY 1"
        ),
        titles=_texts(ask, "SELECT job_title FROM employees GROUP BY 1 HAVING COUNT(*) >= 2 ORDER BY 1"),
        statuses=_texts(ask, "SELECT status FROM orders GROUP BY 1 HAVING COUNT(*) >= 5 ORDER BY 1"),
        methods=_texts(ask, "SELECT method FROM payments GROUP BY 1 HAVING COUNT(*) >= 5 ORDER BY 1"),
        years=_years(ask, "orders", "order_date"),
        months=tuple(
            row[0]
            for row in ask(
                "SELECT date_trunc('month', order_date)::date FROM orders GROUP BY 1"
                " HAVING COUNT(*) >= 3 ORDER BY 1"
            )
        ),
        signup_years=_years(ask, "customers", "signed_up_on"),
        signup_months=_quarters(ask, "customers", "signed_up_on"),
        launch_months=_quarters(ask, "products", "launched_on"),
        launch_years=_years(ask, "products", "launched_on"),
        hire_years=_years(ask, "employees", "hired_on"),
        review_years=_years(ask, "reviews", "reviewed_on"),
        payment_years=_years(ask, "payments", "paid_at"),
        thresholds={name: _thresholds(ask, name) for name in COLUMNS_WITH_THRESHOLDS},
    )


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


def _texts(ask: Ask, query: str) -> tuple[str, ...]:
    return tuple(str(row[0]) for row in ask(query))


def _years(ask: Ask, table: str, column: str) -> tuple[int, ...]:
    query = f"SELECT EXTRACT(YEAR FROM {column})::int FROM {table} GROUP BY 1 HAVING COUNT(*) >= 3 ORDER BY 1"
    return tuple(int(str(row[0])) for row in ask(query))


def _quarters(ask: Ask, table: str, column: str) -> tuple[datetime.date, ...]:
    query = f"SELECT date_trunc('quarter', {column})::date FROM {table} GROUP BY 1 ORDER BY 1"
    return tuple(row[0] for row in ask(query))[1:]


def _thresholds(ask: Ask, name: str) -> tuple[Decimal, ...]:
    table, column = name.split(".")
    rows = ask(f"SELECT {column} FROM {table} WHERE {column} > 0 ORDER BY 1")
    values = [row[0] for row in rows]
    found = between(values, LOW, HIGH)
    # A column of few values, such as quantities, keeps its own.
    return found or tuple(sorted({Decimal(str(value)) for value in values}))[1:-1]
