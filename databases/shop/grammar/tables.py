"""The shop's tables as its grammar sees them: aliases, nouns, how they join and how the join is said."""

from sqlrl.authoring.grammar.scope import Scope, describe
from sqlrl.authoring.grammar.tables import Link, Tables

from .columns import PLURALS

ALIASES = {
    "categories": "cat",
    "products": "p",
    "customers": "c",
    "employees": "e",
    "orders": "o",
    "order_items": "oi",
    "payments": "pay",
    "reviews": "r",
}
NOUNS = {
    "categories": ("category", "categories"),
    "products": ("product", "products"),
    "customers": ("customer", "customers"),
    "employees": ("employee", "employees"),
    "orders": ("order", "orders"),
    "order_items": ("order item", "order items"),
    "payments": ("payment", "payments"),
    "reviews": ("review", "reviews"),
}
LINKS = (
    Link("products", "categories", "category_id", "", ""),
    Link("orders", "customers", "customer_id", "by", "that were placed by"),
    Link("orders", "employees", "sales_rep_id", "handled by", "that were handled by", "sales reps"),
    Link("order_items", "products", "product_id", "of", "that are for"),
    Link("order_items", "orders", "order_id", "in", "that belong to"),
    Link("payments", "orders", "order_id", "for", "that are for"),
    Link("reviews", "products", "product_id", "of", "that are about"),
    Link("reviews", "customers", "customer_id", "by", "that were written by"),
)


def sales(scope: Scope) -> str:
    """Order items said by what was sold and where: "products in the Audio category in orders ..."."""
    goods = tuple(one for one in scope.filters if one.table in ("products", "categories"))
    own = tuple(one for one in scope.filters if one.table == "order_items")
    orders = tuple(one for one in scope.filters if one not in (*goods, *own))
    if own:
        return scope.plain(scope.plural())
    if not goods:
        return describe(scope.words, "orders", "orders", orders) if orders else "all orders"
    text = describe(scope.words, "products", "products", goods)
    if not orders:
        return text
    comma = "," if max(one.rank for one in goods) > 2 else ""
    return f"{text}{comma} sold in {describe(scope.words, 'orders', 'orders', orders)}"


TABLES = Tables(
    aliases=ALIASES,
    nouns=NOUNS,
    links=LINKS,
    plurals=PLURALS,
    roles={"employees": "sales rep"},
    absorbed={"products": ("categories",)},
    spoken={"order_items": sales},
    things={"order_items": "sales"},
)
