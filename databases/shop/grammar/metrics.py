"""Archetype derived metric: the formulas of the notes."""

from dataclasses import replace

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

from .compose import Shop, Writer, families_of, grouped_select, maybe, narrow
from .formulas import DISCOUNTS, GROSS, PER_PRODUCT, PRODUCT_SUMS, RATIOS, formula
from .frames import ask_list, ask_scalar, choose, every, fill
from .frames_groups import ask_grouped
from .keys import (
    CATEGORY,
    CITY,
    COUNTRY,
    CUSTOMER,
    LAUNCH_YEAR,
    ORDER_YEAR,
    PRODUCT,
    REP,
    REP_TITLE,
    STATUS,
    Key,
)
from .measures import MEASURES, REVENUE

KEYS: tuple[Key, ...] = (PRODUCT, CATEGORY, COUNTRY, CITY, CUSTOMER, REP, REP_TITLE, STATUS, ORDER_YEAR)

SHARE = {
    "casual": (
        (
            "What share of {what} does each {one} make up, in percent? Give me {label} and the"
            " percentage. Skip {many}"
            " without any."
        ),
        (
            "How does {what} split across {many}, in percent? I want {label} and the percentage,"
            " without {many} that have"
            " none."
        ),
    ),
    "formal": (
        "Please report, for each {one} that has any, {label} and its percentage share of {what}.",
        (
            "Please provide the percentage of {what} that each {one} accounts for, with {label}. Omit"
            " {many} without any."
        ),
    ),
    "analyst": (
        "For each {column}, return {label} and its percentage of {what}. Omit {many} without such rows.",
    ),
}
OWED = "revenue plus shipping fee minus all that has been paid (0 if nothing)"
OWED_TERSE = "revenue + shipping fee - total paid (0 if none)"
OWED_LIST = {
    "casual": ("For all {rows}, give me the order id and {owed}.",),
    "formal": ("Please report, for all {rows}, the order id and {owed}.",),
    "terse": ("{rows}: order id, {owed}",),
    "analyst": ("For {rows}, return orders.id and {owed}.",),
}
OWED_OVER = {
    "casual": ("For which {rows} is {owed} more than 1? Just the order ids.",),
    "formal": ("Please list the order ids of all {rows} for which {owed} is more than 1.",),
    "terse": ("order ids of {rows}, where {owed} > 1",),
    "analyst": ("Return orders.id for {rows}, keeping those where {owed} exceeds 1.",),
}
OWED_COUNT = {
    "casual": ("For how many {rows} is {owed} more than 1?",),
    "formal": ("Please report for how many {rows} {owed} is more than 1.",),
    "terse": ("count {rows}, where {owed} > 1",),
    "analyst": ("Among {rows}, count those where {owed} exceeds 1.",),
}


def per_product(shop: Shop, draw: Draw, style: str) -> Draft:
    """A formula for each product."""
    expression, label, avoid = draw.structure.pick(PER_PRODUCT)
    tables = draw.structure.pick(
        (["products"], ["categories"], ["products", "products"], ["products", "categories"])
    )
    scope = narrow(shop, draw, "products", tables, avoid)
    sql = Select(("p.name", expression), scope.source(), scope.where())
    return Draft(ask_list(draw, style, scope, ["name", label]), sql)


def one_sum(shop: Shop, draw: Draw, style: str) -> Draft:
    """One formula over all rows that count."""
    if draw.structure.chance(0.4):
        measure = draw.structure.pick(PRODUCT_SUMS)
        tables = draw.structure.pick((["products"], ["categories"], ["products", "products"]))
        scope = narrow(shop, draw, "products", tables, ("stock",))
    else:
        measure = draw.structure.pick((*MEASURES["order_items"], GROSS, DISCOUNTS))
        tables = draw.structure.pick((["orders"], ["products"], ["order_items"], ["orders"], ["categories"]))
        scope = narrow(shop, draw, "order_items", tables, (measure.family,))
    sql = Select((measure.sql,), scope.source(*measure.needs), scope.where())
    return Draft(ask_scalar(draw, style, scope, [measure]), sql)


def grouped(shop: Shop, draw: Draw, style: str) -> Draft:
    """A formula for every group."""
    if draw.structure.chance(0.25):
        key, measure = draw.structure.pick((CATEGORY, LAUNCH_YEAR)), draw.structure.pick(PRODUCT_SUMS)
        scope = narrow(shop, draw, "products", ["products"], (*families_of(key), "stock"))
    else:
        key = draw.structure.pick(KEYS)
        _, revenue, margin = MEASURES["order_items"]
        # Who never got a discount has a total of 0: as a group of customers that would be a puzzle.
        measures = (revenue, revenue, margin, margin, GROSS, *(() if key.entity else (DISCOUNTS,)))
        measure = draw.structure.pick(measures)
        table = draw.structure.pick(("orders", "products", "orders", "order_items"))
        scope = narrow(shop, draw, "order_items", [table], (*families_of(key), measure.family))
    return Draft(ask_grouped(draw, style, scope, key, [measure]), grouped_select(scope, key, [measure]))


def ratio(shop: Shop, draw: Draw, style: str) -> Draft:
    """A ratio of formulas for every group."""
    key = draw.structure.pick(KEYS)
    measure = draw.structure.pick(
        [one for one in RATIOS if not (key is CUSTOMER and "customer_id" in one.sql)]
    )
    tables = draw.structure.pick((["orders"], [], ["products"], ["customers"]))
    scope = narrow(shop, draw, "order_items", tables, families_of(key))
    return Draft(ask_grouped(draw, style, scope, key, [measure]), grouped_select(scope, key, [measure]))


def share_of_total(shop: Shop, draw: Draw, style: str) -> Draft:
    """Each group's percentage of the total of all groups."""
    # Orders without a sales rep would be in the total but in no group.
    key = draw.structure.pick([key for key in KEYS if key not in (REP, REP_TITLE)])
    part = draw.structure.pick(MEASURES["order_items"])
    tables = draw.structure.pick((["orders"], ["products"], ["orders"]))
    scope = narrow(shop, draw, "order_items", tables, families_of(key))
    whole = replace(part, sql=f"100 * {part.sql} / SUM({part.sql}) OVER ()")
    sql = grouped_select(scope, key, [whole])
    if style == "terse":
        head = ", ".join([f"% of total {part.terse[0]} per {key.one}", *scope.keywords()])
        return Draft(f"{head}; {key.label}, percentage; skip {key.many} without any", sql)
    what = fill(draw.detail.pick(part.analyst if style == "analyst" else part.of), rows=every(scope, style))
    question = fill(
        choose(draw, style, SHARE),
        what=what,
        one=key.one,
        many=key.many,
        label=f"the {key.label}",
        column=key.column,
    )
    return Draft(question, sql)


def rate(shop: Shop, draw: Draw, style: str) -> Draft:
    """The percentage of a group's orders that have a status."""
    key = draw.structure.pick((COUNTRY, CITY, CUSTOMER, REP, REP_TITLE, ORDER_YEAR))
    status = draw.detail.pick(shop.values.statuses)
    scope = narrow(shop, draw, "orders", maybe(draw, 0.7, "orders"), (*families_of(key), "status", "sent"))
    measure = formula(
        "orders",
        f"100.0 * COUNT(*) FILTER (WHERE o.status = '{status}') / COUNT(*)",
        "rate",
        f"the percentage with status {status} among {{rows}}",
        f"percentage with status {status}",
        f"the percentage with status '{status}' among {{rows}}",
        "average",
    )
    return Draft(ask_grouped(draw, style, scope, key, [measure]), grouped_select(scope, key, [measure]))


def owed(shop: Shop, draw: Draw, style: str) -> Draft:
    """What orders were worth against what was paid, both summed before they meet."""
    tables = draw.structure.pick((["orders"], ["customers"], ["orders", "customers"], ["employees"]))
    scope = narrow(shop, draw, "orders", tables)
    kind = draw.structure.pick(("list", "over", "count"))
    commons = (
        ("worth", f"SELECT oi.order_id, SUM({REVENUE}) AS revenue FROM order_items oi GROUP BY oi.order_id"),
        ("paid", "SELECT pay.order_id, SUM(pay.amount) AS amount FROM payments pay GROUP BY pay.order_id"),
    )
    source = f"{scope.source()} JOIN worth w ON w.order_id = o.id LEFT JOIN paid d ON d.order_id = o.id"
    owing = "w.revenue + o.shipping_fee - COALESCE(d.amount, 0)"
    columns = {"list": ("o.id", owing), "over": ("o.id",), "count": ("COUNT(*)",)}[kind]
    where = scope.where() if kind == "list" else (*scope.where(), f"{owing} > 1")
    frames = {"list": OWED_LIST, "over": OWED_OVER, "count": OWED_COUNT}[kind]
    said = OWED_TERSE if style == "terse" else OWED
    question = fill(choose(draw, style, frames), rows=scope.rows(style), owed=said)
    return Draft(question, Select(columns, source, where, common=commons))


EASY: tuple[Writer, ...] = (per_product, one_sum)
MEDIUM: tuple[Writer, ...] = (grouped,)
HARD: tuple[Writer, ...] = (ratio, ratio, share_of_total, rate, owed)
