"""What is computed over rows: the SQL of every measure beside its words."""

from collections.abc import Iterable
from dataclasses import dataclass

from .keys import Key
from .scope import Scope

REVENUE = "oi.quantity * oi.unit_price * (1 - COALESCE(oi.discount_pct, 0) / 100)"
MARGIN = f"{REVENUE} - oi.quantity * p.cost"
DAYS_TO_SHIP = "o.shipped_at::date - o.order_date"


@dataclass(frozen=True)
class Measure:
    """One aggregate of a base table.

    Attributes:
        of: with ``{rows}``: "the number of {rows}".
        word: the same without rows, to name the column: "number of orders".
        terse: keywords for it, which say what rows it is over.
        analyst: with ``{rows}``; may name columns.
        kind: count, amount, average, extreme, date or days; decides superlatives and thresholds.
        needs: tables to join besides the base.
        family: the family of filters on the same column, pointless beside it.
        entity: the table whose different rows are counted, so that a filter on it would be odd.
    """

    base: str
    sql: str
    alias: str
    of: tuple[str, ...]
    word: str
    terse: tuple[str, ...]
    analyst: tuple[str, ...]
    kind: str
    needs: tuple[str, ...] = ()
    family: str = ""
    entity: str = ""


def _count(base: str) -> Measure:
    return Measure(
        base=base,
        sql="COUNT(*)",
        alias=base,
        of=("the number of {rows}",),
        word=f"number of {base}",
        terse=(f"number of {base}", f"{base.removesuffix('s')} count"),
        analyst=("the number of {rows}", "the count of {rows}", "COUNT(*) of {rows}"),
        kind="count",
    )


FUNCTIONS = {
    "AVG": ("average", "avg", "average", "of"),
    "SUM": ("total", "total", "amount", "across"),
    "MIN": ("lowest", "min", "extreme", "among"),
    "MAX": ("highest", "max", "extreme", "among"),
}


def _of_column(function: str, column: str, alias: str, noun: str, family: str, terse: str = "") -> Measure:
    word, short, kind, over = FUNCTIONS[function]
    table, name = column.split(".")
    return Measure(
        base={"p": "products", "e": "employees", "o": "orders", "pay": "payments", "r": "reviews"}[table],
        sql=f"{function}({column})",
        alias=alias,
        of=(f"the {word} {noun} {over} {{rows}}",),
        word=f"{word} {noun}",
        terse=(f"{short} {terse or noun}", f"{word} {terse or noun}"),
        analyst=(f"the {word} {name} over {{rows}}", f"{function}({name}) over {{rows}}"),
        kind=kind,
        family=family,
    )


def _different(base: str, column: str, noun: str, clause: str, terse: str, entity: str) -> Measure:
    name = column.split(".")[1]
    return Measure(
        base=base,
        sql=f"COUNT(DISTINCT {column})",
        alias=noun.replace(" ", "_"),
        of=(f"the number of different {noun} {clause}",),
        word=f"number of different {noun}",
        terse=(f"number of distinct {terse}", f"distinct {terse}"),
        analyst=(f"the number of distinct {name} over {{rows}}", f"COUNT(DISTINCT {name}) over {{rows}}"),
        kind="count",
        entity=entity,
    )


def _day(base: str, function: str, column: str, noun: str, family: str) -> Measure:
    order, short = {"MIN": ("earliest", "first"), "MAX": ("latest", "last")}[function]
    name = column.split(".")[1]
    return Measure(
        base=base,
        sql=f"{function}({column})",
        alias=f"{short}_day",
        of=(f"the {order} {noun} among {{rows}}",),
        word=f"{order} {noun}",
        terse=(f"{order} {noun}", f"{short} {noun}"),
        analyst=(f"the {order} {name} over {{rows}}", f"{function}({name}) over {{rows}}"),
        kind="date",
        family=family,
    )


MEASURES: dict[str, tuple[Measure, ...]] = {
    "products": (
        _count("products"),
        _of_column("AVG", "p.price", "avg_price", "list price", "price"),
        _of_column("MIN", "p.price", "min_price", "list price", "price"),
        _of_column("MAX", "p.price", "max_price", "list price", "price"),
        _of_column("AVG", "p.cost", "avg_cost", "cost", "cost", "product cost"),
        _of_column("SUM", "p.stock", "stock", "stock", "stock", "product stock"),
        _of_column("AVG", "p.stock", "avg_stock", "stock", "stock", "product stock"),
        _day("products", "MIN", "p.launched_on", "launch date", "launched"),
        _day("products", "MAX", "p.launched_on", "launch date", "launched"),
    ),
    "customers": (
        _count("customers"),
        _different("customers", "c.city", "cities", "that {rows} live in", "customer cities", "city"),
        _different(
            "customers", "c.country", "countries", "that {rows} come from", "customer countries", "country"
        ),
        _day("customers", "MIN", "c.signed_up_on", "sign-up date", "signed"),
        _day("customers", "MAX", "c.signed_up_on", "sign-up date", "signed"),
    ),
    "employees": (
        _count("employees"),
        _of_column("AVG", "e.salary", "avg_salary", "salary", "salary"),
        _of_column("SUM", "e.salary", "salaries", "salary", "salary"),
        _of_column("MAX", "e.salary", "max_salary", "salary", "salary"),
        _of_column("MIN", "e.salary", "min_salary", "salary", "salary"),
        _different(
            "employees", "e.job_title", "job titles", "held by {rows}", "employee job titles", "title"
        ),
        _day("employees", "MIN", "e.hired_on", "hire date", "hired"),
        _day("employees", "MAX", "e.hired_on", "hire date", "hired"),
    ),
    "orders": (
        _count("orders"),
        _of_column("SUM", "o.shipping_fee", "fees", "shipping fee", "fee"),
        _of_column("AVG", "o.shipping_fee", "avg_fee", "shipping fee", "fee"),
        _of_column("MAX", "o.shipping_fee", "max_fee", "shipping fee", "fee"),
        _different(
            "orders", "o.customer_id", "customers", "behind {rows}", "customers with orders", "customers"
        ),
        _day("orders", "MIN", "o.order_date", "order date", "ordered"),
        _day("orders", "MAX", "o.order_date", "order date", "ordered"),
        Measure(
            base="orders",
            sql=f"AVG({DAYS_TO_SHIP})",
            alias="avg_days",
            of=("the average number of days to ship for {rows}",),
            word="average days to ship",
            terse=("avg days to ship orders", "average days to ship of orders"),
            analyst=(
                "the average of shipped_at::date - order_date over {rows}",
                "the average days to ship over {rows}",
            ),
            kind="days",
            family="sent",
        ),
    ),
    "payments": (
        _count("payments"),
        _of_column("SUM", "pay.amount", "paid", "amount", "amount", "payment amount"),
        _of_column("AVG", "pay.amount", "avg_paid", "amount", "amount", "payment amount"),
        _of_column("MAX", "pay.amount", "max_paid", "amount", "amount", "payment amount"),
        _of_column("MIN", "pay.amount", "min_paid", "amount", "amount", "payment amount"),
        _different(
            "payments", "pay.order_id", "orders", "that have {rows}", "orders with payments", "orders"
        ),
    ),
    "reviews": (
        _count("reviews"),
        _of_column("AVG", "r.rating", "avg_rating", "rating", "rating", "review rating"),
        _different(
            "reviews", "r.customer_id", "customers", "who wrote {rows}", "customers with reviews", "customers"
        ),
        _different(
            "reviews", "r.product_id", "products", "that got {rows}", "products with reviews", "products"
        ),
        _day("reviews", "MIN", "r.reviewed_on", "review date", "reviewed"),
        _day("reviews", "MAX", "r.reviewed_on", "review date", "reviewed"),
    ),
    "order_items": (
        Measure(
            base="order_items",
            sql="SUM(oi.quantity)",
            alias="units",
            of=("the number of units sold across {rows}", "the total quantity sold across {rows}"),
            word="units sold",
            terse=("units sold", "total quantity sold"),
            analyst=("the sum of quantity over {rows}", "SUM(quantity) over {rows}"),
            kind="amount",
            family="quantity",
        ),
        Measure(
            base="order_items",
            sql=f"SUM({REVENUE})",
            alias="revenue",
            of=("the revenue from {rows}", "the total revenue from {rows}"),
            word="revenue",
            terse=("revenue", "total revenue"),
            analyst=("the revenue over {rows}", "the sum of item revenue over {rows}"),
            kind="amount",
        ),
        Measure(
            base="order_items",
            sql=f"SUM({MARGIN})",
            alias="margin",
            of=("the gross margin on {rows}", "the total gross margin on {rows}"),
            word="gross margin",
            terse=("gross margin", "total gross margin"),
            analyst=("the gross margin over {rows}", "the sum of gross margin over {rows}"),
            kind="amount",
            needs=("products",),
        ),
    ),
}

# Kinds whose groups may be empty-handed though they have rows: only for questions without groups.
UNGROUPED = ("days",)
PLACES = ("city", "country", "title")
RANKABLE = ("count", "amount", "average")


def fitting(measures: Iterable[Measure], scope: Scope, key: Key | None = None) -> list[Measure]:
    """The measures that make sense over a scope: none of what the filters or the key already fix."""
    return [one for one in measures if _fits_filters(one, scope) and (key is None or _fits_key(one, key))]


def _fits_filters(measure: Measure, scope: Scope) -> bool:
    families = {one.family for one in scope.filters}
    if measure.family and measure.family in families:
        return False
    # "different orders that have payments for orders by ..." would say it twice.
    if measure.entity == "orders" and scope.tables():
        return False
    return measure.entity not in (*scope.tables(), *families)


def _fits_key(measure: Measure, key: Key) -> bool:
    if measure.kind in UNGROUPED:
        return False
    if measure.entity in PLACES and key.name in PLACES:
        return False
    return key.name not in (measure.entity, measure.entity.removesuffix("s"))
