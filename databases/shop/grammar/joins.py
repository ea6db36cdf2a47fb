"""The shop's chapters about several tables: two-table join, multi-table join."""

from sqlrl.authoring.grammar.columns import Number
from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.many_tables import DifferentNames, ManyTables, Nesting
from sqlrl.authoring.grammar.two_tables import TwoTables
from sqlrl.authoring.grammar.two_tables_hard import AgainstOthers, Extreme, Outer, OwnAverage

from .keys import CATEGORY, CITY, COUNTRY, CUSTOMER, PRODUCT, REP, REP_TITLE, STATUS
from .tables import LINKS

KEYS_OF: dict[str, tuple[Key, ...]] = {
    "customers": (COUNTRY, CITY, CUSTOMER),
    "employees": (REP, REP_TITLE),
    "products": (PRODUCT,),
    "categories": (CATEGORY,),
    "orders": (STATUS,),
}
OUTERS = (
    Outer("customers", "orders", "c.name", "o.id", "o.customer_id = c.id", "they placed"),
    Outer("products", "reviews", "p.name", "r.id", "r.product_id = p.id", "they received"),
    Outer("customers", "reviews", "c.name", "r.id", "r.customer_id = c.id", "they wrote"),
    Outer(
        "employees",
        "orders",
        "e.name",
        "o.id",
        "o.sales_rep_id = e.id",
        "they handled as sales rep",
        avoid=("rep",),
    ),
    Outer(
        "categories",
        "products",
        "cat.name",
        "p.id",
        "p.category_id = cat.id",
        "directly in them",
        narrowed=False,
    ),
)
PER_CATEGORY = ("category_id", "categories", "cat.name", "category name", "category", "in")
OWN_AVERAGES = (
    OwnAverage("products", Number("p.price", "list price", "price"), *PER_CATEGORY),
    OwnAverage("products", Number("p.cost", "cost", "cost"), *PER_CATEGORY),
    OwnAverage("products", Number("p.stock", "stock", "stock"), *PER_CATEGORY),
    OwnAverage(
        "orders",
        Number("o.shipping_fee", "shipping fee", "fee"),
        "customer_id",
        "customers",
        "c.name",
        "customer name",
        "customer",
    ),
    OwnAverage(
        "payments",
        Number("pay.amount", "amount", "amount"),
        "order_id",
        "orders",
        "o.order_date",
        "order date",
        "order",
    ),
)
EXTREMES = (
    Extreme("orders", "customers", "customer_id", "order_date", "placed by", "order", "status", "status"),
    Extreme(
        "orders",
        "employees",
        "sales_rep_id",
        "order_date",
        "handled by",
        "order",
        "status",
        "status",
        noun="sales reps",
    ),
    Extreme("reviews", "products", "product_id", "reviewed_on", "of", "review", "rating", "rating"),
    Extreme("reviews", "customers", "customer_id", "reviewed_on", "written by", "review", "rating", "rating"),
)
TWO_TABLES = TwoTables(
    listable=tuple(link for link in LINKS if link.child != "order_items"),
    favoured=tuple(link for link in LINKS if link.child == "order_items"),
    keys_of=KEYS_OF,
    against=AgainstOthers(OUTERS, OWN_AVERAGES, EXTREMES),
)
CHAINS = (
    ("order_items", "products", "categories"),
    ("order_items", "orders", "customers"),
    ("order_items", "orders", "employees"),
    ("order_items", "products", "orders"),
    ("payments", "orders", "customers"),
    ("payments", "orders", "employees"),
    ("reviews", "products", "categories"),
    ("reviews", "products", "customers"),
    ("orders", "customers", "employees"),
)
DIFFERENT = (
    DifferentNames(
        "order_items", "customers", "customers who bought", "products", ("products", "categories")
    ),
    DifferentNames("order_items", "products", "products bought by", "customers", ("customers",)),
    DifferentNames(
        "order_items", "categories", "categories with products bought by", "customers", ("customers",)
    ),
    DifferentNames(
        "order_items",
        "employees",
        "sales reps who handled orders with",
        "products",
        ("products", "categories"),
    ),
    DifferentNames("reviews", "customers", "customers who reviewed", "products", ("categories",)),
    DifferentNames("payments", "customers", "customers who made", "payments", ("payments",)),
)
ITEMS: tuple[list[str], ...] = (["orders"], [], ["order_items"], ["customers"])
PAYMENTS: tuple[list[str], ...] = (["orders"], [], ["payments"], ["customers"])
NESTINGS = (
    Nesting("order_items", COUNTRY, "customers", ITEMS),
    Nesting("order_items", CATEGORY, "products", ITEMS),
    Nesting("order_items", STATUS, "orders", ITEMS),
    Nesting("order_items", COUNTRY, "orders", ITEMS),
    Nesting("order_items", REP, "orders", ITEMS),
    Nesting("payments", COUNTRY, "customers", PAYMENTS),
    Nesting("payments", COUNTRY, "orders", PAYMENTS),
    Nesting("payments", STATUS, "orders", PAYMENTS),
)
OF_ITEMS = (PRODUCT, CATEGORY, COUNTRY, CUSTOMER, REP)
OF_PAYMENTS = (COUNTRY, CUSTOMER, REP)
BEYOND_ITEMS: tuple[list[str], ...] = (["orders"], [], ["customers"], ["order_items"])
BEYOND_PAYMENTS: tuple[list[str], ...] = (["orders"], [], ["customers"], ["payments"])
MANY_TABLES = ManyTables(
    chains=CHAINS,
    favoured=CHAINS[:4],
    different_names=DIFFERENT,
    keys_of=KEYS_OF,
    beyond=(
        ("order_items", OF_ITEMS, BEYOND_ITEMS),
        ("order_items", OF_ITEMS, BEYOND_ITEMS),
        ("payments", OF_PAYMENTS, BEYOND_PAYMENTS),
    ),
    nestings=NESTINGS,
    unlisted=("order_items",),
    unfiltered=("categories",),
)
