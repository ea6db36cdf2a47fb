"""The shop's chapters about one table and its groups: aggregation, top-n, group having."""

from sqlrl.authoring.grammar.aggregation import Aggregation, Owner
from sqlrl.authoring.grammar.columns import Number
from sqlrl.authoring.grammar.having import Having
from sqlrl.authoring.grammar.top_n import TopN
from sqlrl.authoring.grammar.top_n_hard import TopOfGroups

from .keys import CATEGORY, COUNTRY, CUSTOMER, DEPARTMENT, PRODUCT, REP, REP_TITLE

OWNERS = (
    Owner("orders", "o.customer_id", "customer", "customers"),
    Owner("orders", "o.sales_rep_id", "sales rep", "sales reps", nullable=True, avoid=("rep",)),
    Owner("reviews", "r.product_id", "product", "products"),
    Owner("reviews", "r.customer_id", "customer", "customers"),
    Owner("payments", "pay.order_id", "order", "orders"),
    Owner("products", "p.category_id", "category", "categories"),
    Owner("order_items", "oi.order_id", "order", "orders"),
    Owner("order_items", "oi.product_id", "product", "products"),
    Owner("employees", "e.manager_id", "manager", "managers", nullable=True, avoid=("has",)),
)
AGGREGATION = Aggregation(("products", "customers", "employees", "orders", "payments", "reviews"), OWNERS)
TOP_N = TopN(
    joined=("orders", "payments", "reviews", "order_items", "products"),
    own=("customers", "employees", "products"),
    of_groups=TopOfGroups(
        rows=(("products", CATEGORY), ("employees", DEPARTMENT), ("customers", COUNTRY)),
        groups=(
            (COUNTRY, CUSTOMER, ("orders", "payments", "order_items")),
            (CATEGORY, PRODUCT, ("reviews", "order_items")),
            (REP_TITLE, REP, ("orders", "order_items")),
        ),
        places=("orders", "payments", "order_items", "reviews"),
        placed=("customer", "product", "category", "country", "rep"),
    ),
)
HAVING = Having(
    single=("customers", "employees", "products", "orders", "payments", "reviews"),
    over_joins=("orders", "payments", "reviews", "products", "order_items", "orders"),
    twice=("orders", "reviews", "payments", "order_items", "products"),
    not_twice=("status",),
    numbers=(
        ("products", Number("p.price", "list price", "price")),
        ("products", Number("p.cost", "cost", "cost")),
        ("reviews", Number("r.rating", "rating", "rating")),
        ("payments", Number("pay.amount", "amount", "amount")),
        ("orders", Number("o.shipping_fee", "shipping fee", "fee")),
        ("employees", Number("e.salary", "salary", "salary")),
    ),
    counted=(
        ("orders", CUSTOMER),
        ("orders", REP),
        ("orders", COUNTRY),
        ("reviews", PRODUCT),
        ("reviews", CUSTOMER),
        ("customers", COUNTRY),
        ("employees", DEPARTMENT),
    ),
)
