"""Archetype null semantics, hard: missing values in averages, in comparisons, beside absent rows."""

from dataclasses import dataclass

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

from .compose import (
    Shop,
    Writer,
    families_of,
    family,
    filter_of,
    grouped_select,
    narrow,
    pick_filters,
    pick_measure,
)
from .filters_people import place
from .frames import choose, fill, measured
from .frames_groups import ask_grouped
from .keys import CATEGORY, COUNTRY, CUSTOMER, PRODUCT, REP, STATUS
from .measures import Measure
from .scope import Scope
from .tables import ALIASES, NOUNS

# (base, join, what is shown, what rows may lack, words for the missing)
GROUPS = (
    ("orders", "LEFT JOIN employees e ON o.sales_rep_id = e.id", "e.name", "sales rep", ("online", "none")),
    (
        "orders",
        "LEFT JOIN employees e ON o.sales_rep_id = e.id",
        "e.job_title",
        "sales rep's job title",
        ("online", "none"),
    ),
    (
        "customers",
        "LEFT JOIN customers ref ON c.referred_by = ref.id",
        "ref.country",
        "referrer's country",
        ("none", "unknown"),
    ),
    (
        "customers",
        "LEFT JOIN customers ref ON c.referred_by = ref.id",
        "ref.name",
        "referrer",
        ("none", "nobody"),
    ),
)
GROUP_FRAMES = {
    "casual": (
        "Per {what}, what's {of}? Put those without one under '{word}'. I want the {name} and the {figure}.",
        (
            "By {what}, with '{word}' for those that have none, break down {of}: the {name} and the"
            " {figure}, please."
        ),
    ),
    "formal": (
        (
            "For each {what}, please report {of}, with those that have none grouped as '{word}'."
            " Show the {name} and the"
            " {figure}."
        ),
    ),
    "analyst": ("Group by the {name}, with NULL shown as '{word}', and return that and {of}.",),
}
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


@dataclass(frozen=True)
class Beside:
    """A missing or present value beside the presence or absence of rows elsewhere."""

    base: str
    kind: str
    child: str
    on: str
    has: str
    lacks: str
    column: str
    label: str


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
BESIDE = {
    "casual": (
        "Which {rows} {tail}? Give me the {label}.",
        "Of the {rows}, which {tail}? I need the {label}.",
    ),
    "formal": ("Among {rows}, please list the {label} of those that {tail}.",),
    "terse": ("{label} of {rows}, {short}",),
    "analyst": ("Return the {label} of {rows} that {tail}.",),
}
BESIDE_COUNT = {
    "casual": ("How many {rows} {tail}?", "Of the {rows}, how many {tail}?"),
    "formal": ("Among {rows}, please report how many {tail}.",),
    "terse": ("count {rows}, {short}",),
    "analyst": ("Count {rows} that {tail}.",),
}


def averages(shop: Shop, draw: Draw, style: str) -> Draft:
    """An average in which a missing discount counts as zero, or in which only given ones count."""
    key = draw.structure.pick((CATEGORY, PRODUCT, COUNTRY, STATUS, CUSTOMER, REP))
    zero = draw.structure.chance(0.6)
    tables = draw.structure.pick((["orders"], [], ["customers"], ["products"]))
    filters = pick_filters(shop, draw, tables, families_of(key))
    if not zero:
        filters = (*filters, filter_of(shop, draw, "order_items", "discounted"))
    scope = Scope("order_items", filters)
    note = ", counting items without a discount as 0" if zero else ""
    measure = Measure(
        base="order_items",
        sql="AVG(COALESCE(oi.discount_pct, 0))" if zero else "AVG(oi.discount_pct)",
        alias="avg_discount",
        of=(f"the average discount percentage per order item over {{rows}}{note}",),
        word="average discount percentage",
        terse=(f"avg discount percentage{' (no discount = 0)' if zero else ''}",),
        analyst=(f"the average discount_pct over {{rows}}{', NULL counted as 0' if zero else ''}",),
        kind="average",
    )
    return Draft(ask_grouped(draw, style, scope, key, [measure]), grouped_select(scope, key, [measure]))


def grouped_with_none(shop: Shop, draw: Draw, style: str) -> Draft:
    """Groups by what may be missing, the missing ones as a group of their own."""
    base, join, shown, what, words = draw.structure.pick(GROUPS)
    word = draw.detail.pick(words)
    scope = narrow(shop, draw, base, [base], ("rep", "referred"))
    measure = pick_measure(draw, scope, STATUS)
    label = f"COALESCE({shown}, '{word}')"
    sql = Select((label, measure.sql), f"{base} {ALIASES[base]} {join}", scope.where(), (label,))
    name = what if "'" in what else f"{what} name"
    if style == "terse":
        head = ", ".join(
            [f"{draw.detail.pick(measure.terse)} per {what}, missing as '{word}'", *scope.keywords()]
        )
        return Draft(f"{head}; {name}, {measure.word}", sql)
    of = measured(measure, scope, style, draw)
    frame = choose(draw, style, GROUP_FRAMES)
    return Draft(fill(frame, what=what, of=of, word=word, name=name, figure=measure.word), sql)


def elsewhere_or_missing(shop: Shop, draw: Draw, style: str) -> Draft:
    """Customers whose referrer is elsewhere, those without a referrer counted or not."""
    value = draw.detail.pick(shop.values.countries)
    scope = narrow(shop, draw, "customers", ["customers"], ("referred",))
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


def missing_beside(shop: Shop, draw: Draw, style: str) -> Draft:
    """A missing value beside the presence or absence of rows elsewhere."""
    one = draw.structure.pick(BESIDES)
    there, count = draw.structure.chance(0.5), draw.structure.chance(0.5)
    first = filter_of(shop, draw, one.base, one.kind)
    scope = Scope(one.base, (first, *pick_filters(shop, draw, [one.base], (family(one.kind), "sent"))))
    word = "EXISTS" if there else "NOT EXISTS"
    test = f"{word} (SELECT 1 FROM {one.child} {ALIASES[one.child]} WHERE {one.on})"
    sql = Select(("COUNT(*)",) if count else (one.column,), scope.source(), (*scope.where(), test))
    question = fill(
        choose(draw, style, BESIDE_COUNT if count else BESIDE),
        rows=scope.rows(style),
        tail=one.has if there else one.lacks,
        label=one.label,
        short=f"{'with' if there else 'without'} any {NOUNS[one.child][0]}",
    )
    return Draft(question, sql)


HARD: tuple[Writer, ...] = (averages, grouped_with_none, elsewhere_or_missing, missing_beside)
