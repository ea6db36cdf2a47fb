"""The literals that questions may name, read from the database so that answers move with its data."""

import datetime
from dataclasses import dataclass
from decimal import Decimal

from sqlrl.authoring.grammar.values import (
    read_months,
    read_quarters,
    read_texts,
    read_thresholds,
    read_years,
)
from sqlrl.authoring.teacher import Ask


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
        countries=read_texts(ask, "SELECT country FROM customers GROUP BY 1 HAVING COUNT(*) >= 3 ORDER BY 1"),
        cities=read_texts(ask, "SELECT city FROM customers GROUP BY 1 HAVING COUNT(*) >= 2 ORDER BY 1"),
        categories=read_texts(
            ask,
            "SELECT cat.name FROM categories cat WHERE EXISTS (SELECT 1 FROM products p WHERE p.category_id ="
            " cat.id) AND NOT EXISTS (SELECT 1 FROM categories child WHERE child.parent_id = cat.id)"
            " ORDER BY 1",
        ),
        parents=read_texts(
            ask,
            "SELECT top.name FROM categories top WHERE EXISTS (SELECT 1 FROM categories child"
            " WHERE child.parent_id = top.id) ORDER BY 1",
        ),
        departments=read_texts(
            ask, "SELECT department FROM employees GROUP BY 1 HAVING COUNT(*) >= 2 ORDER BY 1"
        ),
        titles=read_texts(ask, "SELECT job_title FROM employees GROUP BY 1 HAVING COUNT(*) >= 2 ORDER BY 1"),
        statuses=read_texts(ask, "SELECT status FROM orders GROUP BY 1 HAVING COUNT(*) >= 5 ORDER BY 1"),
        methods=read_texts(ask, "SELECT method FROM payments GROUP BY 1 HAVING COUNT(*) >= 5 ORDER BY 1"),
        years=read_years(ask, "orders", "order_date"),
        months=read_months(ask, "orders", "order_date"),
        signup_years=read_years(ask, "customers", "signed_up_on"),
        signup_months=read_quarters(ask, "customers", "signed_up_on"),
        launch_months=read_quarters(ask, "products", "launched_on"),
        launch_years=read_years(ask, "products", "launched_on"),
        hire_years=read_years(ask, "employees", "hired_on"),
        review_years=read_years(ask, "reviews", "reviewed_on"),
        payment_years=read_years(ask, "payments", "paid_at"),
        thresholds={name: read_thresholds(ask, name) for name in COLUMNS_WITH_THRESHOLDS},
    )
