"""What the shop's rows are grouped by."""

from sqlrl.authoring.grammar.keys import Key, year_of

STATUS = Key("status", "orders", "o.status", "order status", "order statuses", "status", "orders.status")
COUNTRY = Key(
    "country", "customers", "c.country", "country", "countries", "country", "customers.country", True
)
CITY = Key("city", "customers", "c.city", "city", "cities", "city", "customers.city", True, numerous=True)
CUSTOMER = Key(
    "customer",
    "customers",
    "c.name",
    "customer",
    "customers",
    "customer name",
    "customers.name",
    True,
    person=True,
    numerous=True,
)
REP = Key(
    "rep",
    "employees",
    "e.name",
    "sales rep",
    "sales reps",
    "sales rep name",
    "employees.name",
    True,
    person=True,
)
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
    "sales rep's employees.job_title",
    skipped=("orders", "a sales rep"),
)
PRODUCT = Key(
    "product",
    "products",
    "p.name",
    "product",
    "products",
    "product name",
    "products.name",
    True,
    numerous=True,
)
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
)
DISCONTINUED = Key(
    "discontinued",
    "products",
    "p.discontinued",
    "value of the discontinued flag",
    "values of the discontinued flag",
    "discontinued flag",
    "products.discontinued",
    flag=True,
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
