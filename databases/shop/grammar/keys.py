"""What rows are grouped by."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Key:
    """A grouping column.

    Attributes:
        table: where it is read from.
        sql: the column or expression.
        one: what a group is, in the singular: "country".
        many: the same in the plural.
        label: names the column in what is returned: "country", "customer name".
        column: how an analyst names it.
        entity: whether groups are rows of a table, such that some may have nothing to count.
        alphabetical: whether it is a name, such that ties can go by the alphabet.
    """

    name: str
    table: str
    sql: str
    one: str
    many: str
    label: str
    column: str
    entity: bool = False
    alphabetical: bool = True


STATUS = Key("status", "orders", "o.status", "order status", "order statuses", "status", "orders.status")
COUNTRY = Key(
    "country", "customers", "c.country", "country", "countries", "country", "customers.country", True
)
CITY = Key("city", "customers", "c.city", "city", "cities", "city", "customers.city", True)
CUSTOMER = Key(
    "customer", "customers", "c.name", "customer", "customers", "customer name", "customers.name", True
)
REP = Key("rep", "employees", "e.name", "sales rep", "sales reps", "sales rep name", "employees.name", True)
DEPARTMENT = Key(
    "department",
    "employees",
    "e.department",
    "department",
    "departments",
    "department",
    "employees.department",
)
TITLE = Key(
    "title", "employees", "e.job_title", "job title", "job titles", "job title", "employees.job_title"
)
REP_TITLE = Key(
    "rep_title",
    "employees",
    "e.job_title",
    "job title of the sales rep",
    "job titles of sales reps",
    "job title",
    "employees.job_title",
)
PRODUCT = Key("product", "products", "p.name", "product", "products", "product name", "products.name", True)
CATEGORY = Key(
    "category", "categories", "cat.name", "category", "categories", "category name", "categories.name", True
)
METHOD = Key(
    "method",
    "payments",
    "pay.method",
    "payment method",
    "payment methods",
    "payment method",
    "payments.method",
)
RATING = Key(
    "rating",
    "reviews",
    "r.rating",
    "star rating",
    "star ratings",
    "rating",
    "reviews.rating",
    alphabetical=False,
)
DISCONTINUED = Key(
    "discontinued",
    "products",
    "p.discontinued",
    "value of the discontinued flag",
    "values of the discontinued flag",
    "discontinued flag",
    "products.discontinued",
    alphabetical=False,
)


def year_of(table: str, column: str, one: str, name: str) -> Key:
    """A year of a date column."""
    return Key(
        f"year_{name}",
        table,
        f"EXTRACT(YEAR FROM {column})",
        one,
        f"{one}s",
        "year",
        f"year of {name}",
        False,
        False,
    )


ORDER_YEAR = year_of("orders", "o.order_date", "order year", "order_date")
SIGNUP_YEAR = year_of("customers", "c.signed_up_on", "sign-up year", "signed_up_on")
LAUNCH_YEAR = year_of("products", "p.launched_on", "launch year", "launched_on")
HIRE_YEAR = year_of("employees", "e.hired_on", "hire year", "hired_on")
REVIEW_YEAR = year_of("reviews", "r.reviewed_on", "review year", "reviewed_on")
PAID_YEAR = year_of("payments", "pay.paid_at", "payment year", "paid_at")

OWN_KEYS: dict[str, tuple[Key, ...]] = {
    "products": (LAUNCH_YEAR, DISCONTINUED),
    "customers": (COUNTRY, CITY, SIGNUP_YEAR),
    "employees": (DEPARTMENT, TITLE, HIRE_YEAR),
    "orders": (STATUS, ORDER_YEAR),
    "payments": (METHOD, PAID_YEAR),
    "reviews": (RATING, REVIEW_YEAR),
    "order_items": (),
    "categories": (),
}
JOINED_KEYS: dict[str, tuple[Key, ...]] = {
    "products": (CATEGORY,),
    "orders": (COUNTRY, CITY, CUSTOMER, REP, REP_TITLE),
    "payments": (COUNTRY, STATUS, CUSTOMER),
    "reviews": (PRODUCT, COUNTRY, CUSTOMER, CATEGORY),
    "order_items": (PRODUCT, CATEGORY, COUNTRY, STATUS, CUSTOMER, REP),
}
