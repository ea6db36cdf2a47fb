"""Columns that lists show, with the words that name them."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlrl.authoring.draw import Draw


@dataclass(frozen=True)
class Column:
    """A column of a list: its SQL and its label."""

    table: str
    sql: str
    label: str


def _columns(table: str, *pairs: tuple[str, str]) -> tuple[Column, ...]:
    return tuple(Column(table, sql, label) for sql, label in pairs)


# The first column of each names its row.
COLUMNS: dict[str, tuple[Column, ...]] = {
    "products": _columns(
        "products",
        ("p.name", "name"),
        ("p.price", "list price"),
        ("p.stock", "stock"),
        ("p.cost", "cost"),
        ("p.launched_on", "launch date"),
    ),
    "customers": _columns(
        "customers",
        ("c.name", "name"),
        ("c.email", "email"),
        ("c.country", "country"),
        ("c.city", "city"),
        ("c.signed_up_on", "sign-up date"),
    ),
    "employees": _columns(
        "employees",
        ("e.name", "name"),
        ("e.job_title", "job title"),
        ("e.salary", "salary"),
        ("e.department", "department"),
        ("e.hired_on", "hire date"),
    ),
    "orders": _columns(
        "orders",
        ("o.id", "order id"),
        ("o.order_date", "order date"),
        ("o.status", "status"),
        ("o.shipping_fee", "shipping fee"),
    ),
    "payments": _columns(
        "payments", ("pay.id", "payment id"), ("pay.amount", "amount"), ("pay.order_id", "order id")
    ),
    "reviews": _columns(
        "reviews", ("r.id", "review id"), ("r.rating", "rating"), ("r.reviewed_on", "review date")
    ),
    "order_items": _columns(
        "order_items",
        ("oi.order_id", "order id"),
        ("oi.quantity", "quantity"),
        ("oi.unit_price", "unit price"),
    ),
}
# The columns that name a row of a parent table beside its child's.
NAMES: dict[str, Column] = {
    "categories": Column("categories", "cat.name", "category name"),
    "products": Column("products", "p.name", "product name"),
    "customers": Column("customers", "c.name", "customer name"),
    "employees": Column("employees", "e.name", "sales rep name"),
    "orders": Column("orders", "o.order_date", "order date"),
}


@dataclass(frozen=True)
class Ranked:
    """A column by which rows are ranked.

    Attributes:
        highest, lowest: superlatives after the noun; empty where one makes little sense.
        family: the family of filters on this column.
    """

    column: Column
    highest: str
    lowest: str
    family: str


def _number(table: str, sql: str, label: str, family: str, low: bool = True) -> Ranked:
    lowest = f"with the lowest {label}" if low else ""
    return Ranked(Column(table, sql, label), f"with the highest {label}", lowest, family)


def _date(table: str, sql: str, label: str, family: str, verb: str) -> Ranked:
    return Ranked(Column(table, sql, label), f"{verb} most recently", f"{verb} first", family)


RANKED: dict[str, tuple[Ranked, ...]] = {
    "products": (
        _number("products", "p.price", "list price", "price"),
        _number("products", "p.cost", "cost", "cost"),
        Ranked(
            Column("products", "p.stock", "stock"),
            "with the most units in stock",
            "with the fewest units in stock",
            "stock",
        ),
        _date("products", "p.launched_on", "launch date", "launched", "launched"),
    ),
    "employees": (
        _number("employees", "e.salary", "salary", "salary"),
        _date("employees", "e.hired_on", "hire date", "hired", "hired"),
    ),
    "orders": (
        _number("orders", "o.shipping_fee", "shipping fee", "fee", low=False),
        _date("orders", "o.order_date", "order date", "ordered", "placed"),
    ),
    "customers": (_date("customers", "c.signed_up_on", "sign-up date", "signed", "who signed up"),),
    "payments": (_number("payments", "pay.amount", "amount", "amount"),),
}


def pick_columns(draw: Draw, table: str, count: int, avoid: Sequence[str] = ()) -> tuple[Column, ...]:
    """The column that names the row and some others, in the order of the table above."""
    first, *others = COLUMNS[table]
    chosen = draw.structure.sample([one for one in others if one.sql not in avoid], count - 1)
    return (first, *(one for one in others if one in chosen))
