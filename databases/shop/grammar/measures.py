"""The shop's measures: what is computed over its rows."""

from sqlrl.authoring.grammar.measures import Measure, count_of, different, extreme_day, of_column

REVENUE = "oi.quantity * oi.unit_price * (1 - COALESCE(oi.discount_pct, 0) / 100)"
MARGIN = f"{REVENUE} - oi.quantity * p.cost"
DAYS_TO_SHIP = "o.shipped_at::date - o.order_date"
# Beside these keys it says nothing how many different ones there are.
PLACES = ("city", "country", "title")


MEASURES: dict[str, tuple[Measure, ...]] = {
    "products": (
        count_of("products"),
        of_column("products", "AVG", "p.price", "avg_price", "list price", "price"),
        of_column("products", "MIN", "p.price", "min_price", "list price", "price"),
        of_column("products", "MAX", "p.price", "max_price", "list price", "price"),
        of_column("products", "AVG", "p.cost", "avg_cost", "cost", "cost", "product cost"),
        of_column("products", "SUM", "p.stock", "stock", "stock", "stock", "product stock"),
        of_column("products", "AVG", "p.stock", "avg_stock", "stock", "stock", "product stock"),
        extreme_day("products", "MIN", "p.launched_on", "launch date", "launched"),
        extreme_day("products", "MAX", "p.launched_on", "launch date", "launched"),
    ),
    "customers": (
        count_of("customers"),
        different("customers", "c.city", "cities", "that {rows} live in", "customer cities", "city", PLACES),
        different(
            "customers",
            "c.country",
            "countries",
            "that {rows} come from",
            "customer countries",
            "country",
            PLACES,
        ),
        extreme_day("customers", "MIN", "c.signed_up_on", "sign-up date", "signed"),
        extreme_day("customers", "MAX", "c.signed_up_on", "sign-up date", "signed"),
    ),
    "employees": (
        count_of("employees"),
        of_column("employees", "AVG", "e.salary", "avg_salary", "salary", "salary"),
        of_column("employees", "SUM", "e.salary", "salaries", "salary", "salary"),
        of_column("employees", "MAX", "e.salary", "max_salary", "salary", "salary"),
        of_column("employees", "MIN", "e.salary", "min_salary", "salary", "salary"),
        different(
            "employees", "e.job_title", "job titles", "held by {rows}", "employee job titles", "title", PLACES
        ),
        extreme_day("employees", "MIN", "e.hired_on", "hire date", "hired"),
        extreme_day("employees", "MAX", "e.hired_on", "hire date", "hired"),
    ),
    "orders": (
        count_of("orders"),
        of_column("orders", "SUM", "o.shipping_fee", "fees", "shipping fee", "fee"),
        of_column("orders", "AVG", "o.shipping_fee", "avg_fee", "shipping fee", "fee"),
        of_column("orders", "MAX", "o.shipping_fee", "max_fee", "shipping fee", "fee"),
        different(
            "orders", "o.customer_id", "customers", "behind {rows}", "customers with orders", "customers"
        ),
        extreme_day("orders", "MIN", "o.order_date", "order date", "ordered"),
        extreme_day("orders", "MAX", "o.order_date", "order date", "ordered"),
        Measure(
            base="orders",
            sql=f"AVG({DAYS_TO_SHIP})",
            alias="avg_days",
            of=("the average number of days to ship for {rows}",),
            word="average days to ship",
            terse=("avg days to ship orders", "average days to ship of orders"),
            analyst=(
                "the average of shipped_at::date - order_date over {rows}",
                "the average days to ship over {rows}",
            ),
            kind="days",
            family="sent",
        ),
    ),
    "payments": (
        count_of("payments"),
        of_column("payments", "SUM", "pay.amount", "paid", "amount", "amount", "payment amount"),
        of_column("payments", "AVG", "pay.amount", "avg_paid", "amount", "amount", "payment amount"),
        of_column("payments", "MAX", "pay.amount", "max_paid", "amount", "amount", "payment amount"),
        of_column("payments", "MIN", "pay.amount", "min_paid", "amount", "amount", "payment amount"),
        different(
            "payments",
            "pay.order_id",
            "orders",
            "that have {rows}",
            "orders with payments",
            "orders",
            lone=True,
        ),
    ),
    "reviews": (
        count_of("reviews"),
        of_column("reviews", "AVG", "r.rating", "avg_rating", "rating", "rating", "review rating"),
        different(
            "reviews", "r.customer_id", "customers", "who wrote {rows}", "customers with reviews", "customers"
        ),
        different(
            "reviews", "r.product_id", "products", "that got {rows}", "products with reviews", "products"
        ),
        extreme_day("reviews", "MIN", "r.reviewed_on", "review date", "reviewed"),
        extreme_day("reviews", "MAX", "r.reviewed_on", "review date", "reviewed"),
    ),
    "order_items": (
        Measure(
            base="order_items",
            sql="SUM(oi.quantity)",
            alias="units",
            of=("the number of units sold across {rows}", "the total quantity sold across {rows}"),
            word="units sold",
            terse=("units sold", "total quantity sold"),
            analyst=("the sum of quantity over {rows}", "SUM(quantity) over {rows}"),
            kind="amount",
            family="quantity",
            mass=True,
        ),
        Measure(
            base="order_items",
            sql=f"SUM({REVENUE})",
            alias="revenue",
            of=("the revenue from {rows}", "the total revenue from {rows}"),
            word="revenue",
            terse=("revenue", "total revenue"),
            analyst=("the revenue over {rows}", "the sum of item revenue over {rows}"),
            kind="amount",
            mass=True,
        ),
        Measure(
            base="order_items",
            sql=f"SUM({MARGIN})",
            alias="margin",
            of=("the gross margin on {rows}", "the total gross margin on {rows}"),
            word="gross margin",
            terse=("gross margin", "total gross margin"),
            analyst=("the gross margin over {rows}", "the sum of gross margin over {rows}"),
            kind="amount",
            needs=("products",),
        ),
    ),
}
