"""The shop's chapter about dates: periods, days to ship, first events, what follows a sign-up."""

from sqlrl.authoring.grammar.dates import DateColumn, Dates, Duration
from sqlrl.authoring.grammar.dates_after_start import AfterStart, LaterEvent
from sqlrl.authoring.grammar.dates_windows import FirstEvent, Gap, Series, Windows

from .keys import COUNTRY, CUSTOMER, DEPARTMENT, REP, REP_TITLE, STATUS
from .measures import DAYS_TO_SHIP

PERIODS = (
    ("orders", "ordered_year"),
    ("orders", "ordered_month"),
    ("orders", "ordered_since"),
    ("orders", "ordered_before"),
    ("customers", "signed_up_year"),
    ("customers", "signed_up_since"),
    ("customers", "signed_up_before"),
    ("products", "launched_year"),
    ("products", "launched_since"),
    ("products", "launched_before"),
    ("employees", "hired_year"),
    ("employees", "hired_before"),
    ("employees", "hired_since"),
    ("payments", "paid_year"),
    ("reviews", "reviewed_year"),
)
DATES = {
    "orders": DateColumn("o.order_date", "order", "ordered"),
    "customers": DateColumn("c.signed_up_on", "sign-up", "signed"),
    "products": DateColumn("p.launched_on", "launch", "launched"),
    "employees": DateColumn("e.hired_on", "hire", "hired"),
    "reviews": DateColumn("r.reviewed_on", "review", "reviewed"),
    "payments": DateColumn("pay.paid_at", "payment", "paid"),
}
SERIES = (
    Series(
        "orders",
        "o.order_date",
        "orders",
        "ordered_year",
        "ordered",
        ("orders", "fees", "avg_fee"),
        ("orders", "customers"),
    ),
    Series(
        "order_items",
        "o.order_date",
        "orders",
        "ordered_year",
        "ordered",
        ("units", "revenue"),
        ("orders", "customers", "products"),
    ),
    Series(
        "payments",
        "pay.paid_at",
        "payments",
        "paid_year",
        "paid",
        ("payments", "paid", "avg_paid"),
        ("payments", "customers"),
    ),
    Series(
        "customers", "c.signed_up_on", "customers", "signed_up_year", "signed", ("customers",), ("customers",)
    ),
    Series(
        "reviews",
        "r.reviewed_on",
        "reviews",
        "reviewed_year",
        "reviewed",
        ("reviews", "avg_rating"),
        ("reviews", "customers"),
    ),
)
FIRSTS = (
    FirstEvent("orders", "customer_id", "o.order_date", "customers", "order", "placed their first"),
    FirstEvent("reviews", "customer_id", "r.reviewed_on", "customers", "review", "wrote their first"),
    FirstEvent(
        "reviews", "product_id", "r.reviewed_on", "products", "review", "received their first", people=False
    ),
    FirstEvent(
        "orders", "sales_rep_id", "o.order_date", "sales reps", "order", "handled their first", nullable=True
    ),
)
GAPS = (
    Gap("orders", "c.name", "o.order_date", "customer", "customers", "customers"),
    Gap("orders", "e.name", "o.order_date", "sales rep", "sales reps", "employees"),
    Gap("reviews", "c.name", "r.reviewed_on", "customer", "customers", "customers"),
    Gap("reviews", "p.name", "r.reviewed_on", "product", "products", "products"),
)
TO_SHIP = Duration(
    base="orders",
    sql=DAYS_TO_SHIP,
    of="number of days to ship for {rows}",
    noun="days to ship",
    exact="shipped_at::date - order_date",
    did="took",
    to=" to ship",
    ended="sent",
    avoid=("sent", "status"),
    keys=(COUNTRY, STATUS, REP, REP_TITLE, CUSTOMER),
    filtered=(["orders"], ["customers"], ["orders", "customers"], ["employees"]),
    days=(2, 3, 4, 5, 6),
)
DATES_CHAPTER = Dates(
    periods=PERIODS,
    dates=DATES,
    durations=(TO_SHIP,),
    bounds=(
        ("orders", (COUNTRY, STATUS, CUSTOMER, REP)),
        ("customers", (COUNTRY,)),
        ("employees", (DEPARTMENT,)),
        ("reviews", (CUSTOMER, COUNTRY)),
    ),
    windows=Windows(
        series=SERIES,
        firsts=FIRSTS,
        gaps_of=GAPS,
        avoid=("ordered", "reviewed", "rep"),
        gaps_avoid=("discontinued",),
    ),
    after_start=AfterStart(
        owner="customers",
        key="customer_id",
        start="c.signed_up_on",
        start_noun="sign-up",
        starting="signing up",
        events=(
            LaterEvent("orders", "order_date", "placed"),
            LaterEvent("reviews", "reviewed_on", "wrote"),
        ),
        groups=(
            ("c.country", "country", "country"),
            ("EXTRACT(YEAR FROM c.signed_up_on)", "sign-up year", "year"),
            ("c.city", "city", "city"),
        ),
        avoid=("ordered", "reviewed"),
    ),
)
