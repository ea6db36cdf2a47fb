"""Columns that lists of the shop's rows show, with the words that name them."""

from sqlrl.authoring.grammar.columns import Column, Number, Ranked, by_date, by_number, columns

# The first column of each names its row.
COLUMNS: dict[str, tuple[Column, ...]] = {
    "products": columns(
        "products",
        ("p.name", "name"),
        ("p.price", "list price"),
        ("p.stock", "stock"),
        ("p.cost", "cost"),
        ("p.launched_on", "launch date"),
    ),
    "customers": columns(
        "customers",
        ("c.name", "name"),
        ("c.email", "email"),
        ("c.country", "country"),
        ("c.city", "city"),
        ("c.signed_up_on", "sign-up date"),
    ),
    "employees": columns(
        "employees",
        ("e.name", "name"),
        ("e.job_title", "job title"),
        ("e.salary", "salary"),
        ("e.department", "department"),
        ("e.hired_on", "hire date"),
    ),
    "orders": columns(
        "orders",
        ("o.id", "order id"),
        ("o.order_date", "order date"),
        ("o.status", "status"),
        ("o.shipping_fee", "shipping fee"),
    ),
    "payments": columns(
        "payments", ("pay.id", "payment id"), ("pay.amount", "amount"), ("pay.order_id", "order id")
    ),
    "reviews": columns(
        "reviews", ("r.id", "review id"), ("r.rating", "rating"), ("r.reviewed_on", "review date")
    ),
    "order_items": columns(
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
RANKED: dict[str, tuple[Ranked, ...]] = {
    "products": (
        by_number("products", "p.price", "list price", "price"),
        by_number("products", "p.cost", "cost", "cost"),
        Ranked(
            Column("products", "p.stock", "stock"),
            "with the most units in stock",
            "with the fewest units in stock",
            "stock",
        ),
        by_date("products", "p.launched_on", "launch date", "launched", "launched"),
    ),
    "employees": (
        by_number("employees", "e.salary", "salary", "salary"),
        by_date("employees", "e.hired_on", "hire date", "hired", "hired"),
    ),
    "orders": (
        by_number("orders", "o.shipping_fee", "shipping fee", "fee", low=False),
        by_date("orders", "o.order_date", "order date", "ordered", "placed"),
    ),
    "customers": (by_date("customers", "c.signed_up_on", "sign-up date", "signed", "who signed up"),),
    "payments": (by_number("payments", "pay.amount", "amount", "amount"),),
}
NUMBERS: dict[str, tuple[Number, ...]] = {
    "products": (
        Number("p.price", "list price", "price"),
        Number("p.cost", "cost", "cost"),
        Number("p.stock", "stock", "stock"),
    ),
    "employees": (Number("e.salary", "salary", "salary"),),
    "orders": (Number("o.shipping_fee", "shipping fee", "fee"),),
    "payments": (Number("pay.amount", "amount", "amount"),),
}
PLURALS = {
    "name": "names",
    "list price": "list prices",
    "stock": "stock levels",
    "cost": "costs",
    "launch date": "launch dates",
    "email": "email addresses",
    "country": "countries",
    "city": "cities",
    "sign-up date": "sign-up dates",
    "job title": "job titles",
    "salary": "salaries",
    "department": "departments",
    "hire date": "hire dates",
    "order id": "order ids",
    "order date": "order dates",
    "status": "statuses",
    "shipping fee": "shipping fees",
    "payment id": "payment ids",
    "amount": "amounts",
    "review id": "review ids",
    "rating": "ratings",
    "review date": "review dates",
}
