"""The shop's chapter about missing values, with the meanings of its notes."""

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.compose import narrow
from sqlrl.authoring.grammar.frames import choose, fill
from sqlrl.authoring.grammar.nulls import Named, Nulls, Presence
from sqlrl.authoring.grammar.nulls_hard import Beside, HardNulls, MissingAsZero, MissingGroup
from sqlrl.authoring.grammar.schema import Chapter, Domain
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

from .filters_people import place
from .keys import CATEGORY, COUNTRY, CUSTOMER, PRODUCT, REP, STATUS

MISSING = (
    ("orders", "without_rep"),
    ("orders", "with_rep"),
    ("orders", "unshipped"),
    ("orders", "sent"),
    ("customers", "referred"),
    ("customers", "not_referred"),
    ("reviews", "untitled"),
    ("reviews", "titled"),
    ("order_items", "discounted"),
    ("order_items", "undiscounted"),
    ("employees", "has_manager"),
)
PRESENCE = (
    Presence("orders", "o.shipped_at", "a shipping date", "sent"),
    Presence("orders", "o.sales_rep_id", "a sales rep", "rep"),
    Presence("customers", "c.referred_by", "a referrer", "referred"),
    Presence("reviews", "r.title", "a title", "titled"),
)
SALES_REP = "LEFT JOIN employees e ON o.sales_rep_id = e.id"
REFERRER = "LEFT JOIN customers ref ON c.referred_by = ref.id"
MANAGER = "LEFT JOIN employees m ON e.manager_id = m.id"
NAMED = (
    Named("orders", SALES_REP, "e.name", "sales rep", ("online", "none"), "rep", filters=2),
    Named("customers", REFERRER, "ref.name", "referrer", ("nobody", "none"), "referred"),
    Named("employees", MANAGER, "m.name", "manager", ("nobody", "none"), "has"),
)
GROUPS = (
    MissingGroup("orders", SALES_REP, "e.name", "sales rep", ("online", "none")),
    MissingGroup("orders", SALES_REP, "e.job_title", "sales rep's job title", ("online", "none")),
    MissingGroup("customers", REFERRER, "ref.country", "referrer's country", ("none", "unknown")),
    MissingGroup("customers", REFERRER, "ref.name", "referrer", ("none", "nobody")),
)
BESIDES = (
    *(
        Beside(
            "orders",
            kind,
            "payments",
            "pay.order_id = o.id",
            "have at least one payment",
            "have no payment at all",
            "o.id",
            "order ids",
            avoid=("sent",),
        )
        for kind in ("unshipped", "sent", "without_rep", "with_rep")
    ),
    *(
        Beside(
            "customers",
            kind,
            "orders",
            "o.customer_id = c.id",
            "have placed an order",
            "have never placed an order",
            "c.name",
            "names",
        )
        for kind in ("referred", "not_referred")
    ),
    *(
        Beside(
            "customers",
            kind,
            "reviews",
            "r.customer_id = c.id",
            "have written a review",
            "have never written a review",
            "c.name",
            "names",
        )
        for kind in ("referred", "not_referred")
    ),
)
ELSEWHERE = {
    "casual": ("Which {rows} {tail}? Just the names.", "I'm looking for {rows} {who} {tail}. Names only."),
    "formal": ("Among {rows}, please list the names of those who {tail}.",),
    "terse": ("names of {rows}, {short}",),
    "analyst": ("Return the names of {base} where {exact}.",),
}
ELSEWHERE_COUNT = {
    "casual": ("How many {rows} {tail}?",),
    "formal": ("Please report how many {rows} {tail}.",),
    "terse": ("count {rows}, {short}",),
    "analyst": ("Count {base} where {exact}.",),
}


def elsewhere_or_missing(domain: Domain, draw: Draw, style: str) -> Draft:
    """Customers whose referrer is elsewhere, those without a referrer counted or not."""
    value = draw.detail.pick(domain.values.countries)
    scope = narrow(domain, draw, "customers", ["customers"], ("referred",))
    with_none, literal, count = (draw.structure.chance(0.5) for _ in range(3))
    other = f"'{value}'" if literal else "c.country"
    test = f"ref.country IS DISTINCT FROM {other}" if with_none else f"ref.country <> {other}"
    join = f"{'LEFT JOIN' if with_none else 'JOIN'} customers ref ON c.referred_by = ref.id"
    sql = Select(("COUNT(*)",) if count else ("c.name",), f"customers c {join}", (*scope.where(), test))
    place_said = f"from outside {place(value)}" if literal else "from another country than their own"
    other_said = f"'{value}'" if literal else "their own country"
    exact = f"the referrer's country is not {other_said}"
    short = f"referrer country not {value}" if literal else "referrer country differs from own"
    conditions = scope.clauses("")
    question = fill(
        choose(draw, style, ELSEWHERE_COUNT if count else ELSEWHERE),
        rows=scope.rows(style),
        who="and who" if any(one.rank == 4 for one in scope.filters) else "who",
        tail=f"were referred by someone {place_said}{' or by nobody' if with_none else ''}",
        short=f"{short}{' or no referrer' if with_none else ''}",
        base="customers",
        exact=f"{conditions} and {exact} (no referrer {'counts too' if with_none else 'does not count'})",
    )
    return Draft(question, sql)


NULLS = Nulls(
    missing=MISSING,
    presence=PRESENCE,
    named=NAMED,
    listable=("orders", "customers", "reviews"),
    groupable=("orders", "customers", "reviews", "order_items"),
    uncounted=("order_items",),
    ungrouped=("rep", "rep_title"),
)
DISCOUNTS = MissingAsZero(
    base="order_items",
    column="oi.discount_pct",
    noun="discount percentage",
    present="discounted",
    keys=(CATEGORY, PRODUCT, COUNTRY, STATUS, CUSTOMER, REP),
    narrowed=(["orders"], [], ["customers"], ["products"]),
    row="order item",
    zero="items without a discount",
    short="no discount",
)
HARD = HardNulls(GROUPS, BESIDES, like=STATUS, avoid=("rep", "referred"))
CHAPTER = Chapter(
    easy=(NULLS.scalar, NULLS.scalar, NULLS.listed),
    medium=(NULLS.grouped, NULLS.grouped, NULLS.both_sides, NULLS.named_or_none),
    hard=(DISCOUNTS.averages, HARD.grouped_with_none, elsewhere_or_missing, HARD.missing_beside),
)
