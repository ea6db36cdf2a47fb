"""The shop's chapter about the formulas of its notes."""

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.compose import narrow
from sqlrl.authoring.grammar.frames import choose, fill
from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.metrics import Formulas, Mixed, Rate, Ratios, RowFormulas
from sqlrl.authoring.grammar.schema import Chapter, Domain
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

from .formulas import DISCOUNTS, GROSS, PER_PRODUCT, PRODUCT_SUMS, RATIOS
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
)
from .measures import MEASURES, REVENUE

KEYS: tuple[Key, ...] = (PRODUCT, CATEGORY, COUNTRY, CITY, CUSTOMER, REP, REP_TITLE, STATUS, ORDER_YEAR)
_, ITEM_REVENUE, ITEM_MARGIN = MEASURES["order_items"]
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


def owed(domain: Domain, draw: Draw, style: str) -> Draft:
    """What orders were worth against what was paid, both summed before they meet."""
    tables = draw.structure.pick((["orders"], ["customers"], ["orders", "customers"], ["employees"]))
    scope = narrow(domain, draw, "orders", tables)
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


PRODUCTS = Formulas(
    base="products",
    sums=PRODUCT_SUMS,
    summed=(["products"], ["categories"], ["products", "products"]),
    keys=(CATEGORY, LAUNCH_YEAR),
    grouped=PRODUCT_SUMS,
    narrowed=(["products"],),
    avoid=("stock",),
)
ITEMS = Formulas(
    base="order_items",
    sums=(*MEASURES["order_items"], GROSS, DISCOUNTS),
    summed=(["orders"], ["products"], ["order_items"], ["orders"], ["categories"]),
    keys=KEYS,
    grouped=(ITEM_REVENUE, ITEM_REVENUE, ITEM_MARGIN, ITEM_MARGIN, GROSS),
    narrowed=(["orders"], ["products"], ["orders"], ["order_items"]),
    # Who never got a discount has a total of 0: as a group of customers that would be a puzzle.
    unnamed=(DISCOUNTS,),
)
SUMS = Mixed(PRODUCTS, ITEMS, share_of_sums=0.4, share_of_groups=0.25)
PER_ROW = RowFormulas(
    "products",
    PER_PRODUCT,
    (["products"], ["categories"], ["products", "products"], ["products", "categories"]),
)
RATIOS_OF_ITEMS = Ratios(
    base="order_items",
    keys=KEYS,
    ratios=RATIOS,
    narrowed=(["orders"], [], ["products"], ["customers"]),
    parts=MEASURES["order_items"],
    # Orders without a sales rep would be in the total but in no group.
    shared=tuple(key for key in KEYS if key not in (REP, REP_TITLE)),
    shared_narrowed=(["orders"], ["products"], ["orders"]),
)
STATUS_RATE = Rate(
    base="orders",
    column="o.status",
    noun="status",
    values=lambda domain: tuple(domain.values.statuses),
    keys=(COUNTRY, CITY, CUSTOMER, REP, REP_TITLE, ORDER_YEAR),
    avoid=("status", "sent"),
)
CHAPTER = Chapter(
    easy=(PER_ROW.per_row, SUMS.one_sum),
    medium=(SUMS.by_group,),
    hard=(
        RATIOS_OF_ITEMS.ratio,
        RATIOS_OF_ITEMS.ratio,
        RATIOS_OF_ITEMS.share_of_total,
        STATUS_RATE.rate,
        owed,
    ),
)
