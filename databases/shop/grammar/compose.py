"""Drawing the parts of a question: filters, measures, keys and thresholds that fit together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Ask, Draft

from .filters import Filter, Maker
from .filters_goods import CATEGORY_FILTERS, PRODUCT_FILTERS, REVIEW_FILTERS
from .filters_money import ITEM_FILTERS, PAYMENT_FILTERS
from .filters_orders import ORDER_FILTERS
from .filters_people import CUSTOMER_FILTERS, EMPLOYEE_FILTERS
from .keys import Key
from .measures import MEASURES, Measure, fitting
from .scope import Scope
from .values import Values, between

FILTERS: dict[str, dict[str, Maker]] = {
    "products": PRODUCT_FILTERS,
    "categories": CATEGORY_FILTERS,
    "reviews": REVIEW_FILTERS,
    "customers": CUSTOMER_FILTERS,
    "employees": EMPLOYEE_FILTERS,
    "orders": ORDER_FILTERS,
    "order_items": ITEM_FILTERS,
    "payments": PAYMENT_FILTERS,
}

# Filters of one family say something about one column; two of them in a question would be odd.
FAMILIES = {
    "city": "country",
    "department_not": "department",
    "not_referred": "referred",
    "without_rep": "rep",
    "with_rep": "rep",
    "unshipped": "sent",
    "undiscounted": "discounted",
    "discount_high": "discounted",
    "on_sale": "discontinued",
    "untitled": "titled",
}
# What a grouping makes pointless as a filter.
KEY_FAMILIES = {
    "rep": ("rep",),
    "rep_title": ("rep",),
    "customer": ("country",),
    "product": ("discontinued", "stock"),
    "year_order_date": ("ordered",),
    "year_signed_up_on": ("signed",),
    "year_launched_on": ("launched",),
    "year_hired_on": ("hired",),
    "year_reviewed_on": ("reviewed",),
    "year_paid_at": ("paid",),
    "title": ("job",),
    "city": ("country",),
}


@dataclass(frozen=True)
class Shop:
    """What writers draw from: the values of main and the function that asks it."""

    values: Values
    ask: Ask


Writer = Callable[[Shop, Draw, str], Draft | None]


def family(kind: str) -> str:
    """The column family of a kind of filter."""
    return FAMILIES.get(kind, kind.split("_")[0])


def filter_of(shop: Shop, draw: Draw, table: str, kind: str) -> Filter:
    """One filter of a given kind; its literals and words are drawn."""
    return replace(FILTERS[table][kind](shop.values, draw), family=family(kind))


def pick_filters(
    shop: Shop, draw: Draw, tables: Sequence[str], avoid: Sequence[str] = ()
) -> tuple[Filter, ...]:
    """One filter on each table named (a table may be named twice), no two of one family.

    Args:
        avoid: families that must not be used.
    """
    used = list(avoid)
    chosen = []
    for table in tables:
        kinds = [kind for kind in FILTERS[table] if family(kind) not in used]
        kind = draw.structure.pick(kinds)
        used.append(family(kind))
        chosen.append(filter_of(shop, draw, table, kind))
    return tuple(chosen)


def narrow(
    shop: Shop,
    draw: Draw,
    base: str,
    tables: Sequence[str],
    avoid: Sequence[str] = (),
    noun: str | None = None,
) -> Scope:
    """The rows of a base with one filter on each table named; see pick_filters."""
    # All who handle orders do the same job: only what tells sales reps apart may narrow them.
    pointless = () if base == "employees" or "employees" not in tables else ("department", "job", "has")
    return Scope(base, pick_filters(shop, draw, tables, (*avoid, *pointless)), noun)


def maybe(draw: Draw, share: float, *tables: str) -> list[str]:
    """The tables to filter in this share of the structures, else none."""
    return list(tables) if draw.structure.chance(share) else []


def pick_measure(
    draw: Draw, scope: Scope, key: Key | None = None, kinds: Sequence[str] | None = None
) -> Measure:
    """A measure of the scope's base that makes sense over it, of one of the kinds where given."""
    choices = fitting(MEASURES[scope.base], scope, key)
    return draw.structure.pick([one for one in choices if kinds is None or one.kind in kinds])


def families_of(key: Key) -> tuple[str, ...]:
    """The filter families that a grouping by this key makes pointless."""
    return (*KEY_FAMILIES.get(key.name, ()), key.name)


def grouped_select(scope: Scope, key: Key, measures: Sequence[Measure], named: bool = False) -> Select:
    """The key and the measures of each group; measures get their aliases where something refers to them."""
    needs = [table for one in measures for table in one.needs]
    columns = [f"{one.sql} AS {one.alias}" if named else one.sql for one in measures]
    return Select(
        columns=(key.sql, *columns),
        source=scope.source(key.table, *needs),
        where=scope.where(),
        group=(key.sql,),
    )


def threshold(shop: Shop, draw: Draw, scope: Scope, key: Key, measure: Measure) -> Decimal | None:
    """A round number that some groups pass and others don't."""
    rows = shop.ask(grouped_select(scope, key, [measure]).text())
    found = between([row[1] for row in rows], 0.4, 0.85, halves=measure.kind == "average")
    return draw.detail.pick(found) if found else None
