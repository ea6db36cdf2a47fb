"""The formulas of the notes, as measures and as columns of a list."""

from dataclasses import replace

from sqlrl.authoring.grammar.measures import formula

from .measures import MARGIN, REVENUE

# Formulas over the columns of one product: (SQL, label, families that would fix it).
PER_PRODUCT = (
    ("p.price - p.cost", "list price minus cost", ("cost", "price")),
    ("p.stock * p.price", "stock value (stock times list price)", ("stock",)),
    ("p.stock * p.cost", "stock value at cost (stock times cost)", ("stock",)),
    (
        "(p.price - p.cost) / p.price * 100",
        "margin percentage (list price minus cost, as a percentage of list price)",
        ("cost",),
    ),
    ("p.price / p.cost", "list price divided by cost", ("cost",)),
)
PRODUCT_SUMS = (
    formula(
        "products",
        "SUM(p.stock * p.price)",
        "value",
        "the total stock value (stock times list price) of {rows}",
        "total stock value (stock x list price)",
        "the sum of stock * price over {rows}",
        "amount",
    ),
    formula(
        "products",
        "SUM(p.stock * p.cost)",
        "value",
        "the total stock value at cost (stock times cost) of {rows}",
        "total stock value at cost (stock x cost)",
        "the sum of stock * cost over {rows}",
        "amount",
    ),
    formula(
        "products",
        "AVG(p.price - p.cost)",
        "value",
        "the average difference between list price and cost of {rows}",
        "average list price minus cost",
        "the average of price - cost over {rows}",
        "average",
    ),
    formula(
        "products",
        "SUM(p.stock * (p.price - p.cost))",
        "value",
        "the total of stock times (list price minus cost) of {rows}",
        "total of stock x (list price - cost)",
        "the sum of stock * (price - cost) over {rows}",
        "amount",
    ),
)
GROSS = formula(
    "order_items",
    "SUM(oi.quantity * oi.unit_price)",
    "gross",
    "the sales value before discounts (quantity times unit price) across {rows}",
    "sales value before discounts",
    "the sum of quantity * unit_price over {rows}",
    "amount",
)
DISCOUNTS = formula(
    "order_items",
    "SUM(oi.quantity * oi.unit_price * COALESCE(oi.discount_pct, 0) / 100)",
    "discounts",
    "the total discount amount (quantity times unit price times the discount percentage) across {rows}",
    "total discount amount",
    "the sum of quantity * unit_price * discount_pct / 100 over {rows}",
    "amount",
)
GROSS = replace(GROSS, family="discounted")
DISCOUNTS = replace(DISCOUNTS, family="discounted")
RATIOS = (
    formula(
        "order_items",
        f"SUM({REVENUE}) / COUNT(DISTINCT oi.order_id)",
        "ratio",
        "the average revenue per order, over {rows}",
        "average revenue per order",
        "revenue divided by the number of distinct orders, over {rows}",
        "average",
    ),
    formula(
        "order_items",
        f"100 * SUM({MARGIN}) / SUM({REVENUE})",
        "ratio",
        "the gross margin as a percentage of revenue on {rows}",
        "gross margin percentage of revenue",
        "100 * gross margin / revenue over {rows}",
        "average",
        ("products",),
    ),
    formula(
        "order_items",
        f"SUM({REVENUE}) / SUM(oi.quantity)",
        "ratio",
        "the revenue per unit sold across {rows}",
        "revenue per unit sold",
        "revenue divided by the sum of quantity over {rows}",
        "average",
    ),
    replace(
        formula(
            "order_items",
            f"SUM({REVENUE}) / COUNT(DISTINCT o.customer_id)",
            "ratio",
            "the revenue per buying customer from {rows}",
            "revenue per buying customer",
            "revenue divided by the number of distinct buying customers, over {rows}",
            "average",
            ("orders",),
        ),
        rivals=("customer",),
    ),
    formula(
        "order_items",
        "SUM(oi.quantity) * 1.0 / COUNT(DISTINCT oi.order_id)",
        "ratio",
        "the average number of units per order, over {rows}",
        "average units per order",
        "the sum of quantity divided by the number of distinct orders, over {rows}",
        "average",
    ),
)
