"""The words of the shop's schema, all in one."""

from sqlrl.authoring.grammar.filters import Maker
from sqlrl.authoring.grammar.schema import Schema

from .columns import COLUMNS, NAMES, NUMBERS, RANKED
from .filters_goods import CATEGORY_FILTERS, PRODUCT_FILTERS, REVIEW_FILTERS
from .filters_money import ITEM_FILTERS, PAYMENT_FILTERS
from .filters_orders import ORDER_FILTERS
from .filters_people import CUSTOMER_FILTERS, EMPLOYEE_FILTERS
from .keys import JOINED_KEYS, OWN_KEYS
from .measures import MEASURES
from .tables import TABLES

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

SCHEMA = Schema(
    tables=TABLES,
    filters=FILTERS,
    families=FAMILIES,
    key_families=KEY_FAMILIES,
    measures=MEASURES,
    own_keys=OWN_KEYS,
    joined_keys=JOINED_KEYS,
    columns=COLUMNS,
    names=NAMES,
    ranked=RANKED,
    numbers=NUMBERS,
    # All who handle orders do the same job: only what tells sales reps apart may narrow them.
    idle={"employees": ("department", "job", "has")},
)
