"""Archetype anti-join: absence and presence of rows elsewhere."""

from dataclasses import dataclass

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

from .absence_sets import all_of_a_set, set_operation
from .compose import Shop, Writer, maybe, narrow
from .frames import choose, fill
from .scope import Scope, describe
from .tables import NOUNS


@dataclass(frozen=True)
class Absence:
    """A table and what its rows may lack.

    Attributes:
        source: the FROM clause of the subquery, with its own joins.
        on: how it meets the outer row.
        lacking: the table by whose conditions what is lacked may be narrowed, empty for none.
        without: verb phrase for the absence; ``{rows}`` is what is lacked in the plural.
        having: the same for the presence; ``{one}`` is one of it.
        never: verb phrase for the absence of any at all.
        thing: what is lacked, in the singular, for analysts and the terse.
    """

    table: str
    source: str
    on: str
    lacking: str
    without: str
    having: str
    never: str
    thing: str
    column: str
    label: str = "names"


ABSENCES = (
    Absence(
        "customers",
        "orders o",
        "o.customer_id = c.id",
        "orders",
        "have no {rows}",
        "have {one}",
        "have never placed an order",
        "order",
        "c.name",
    ),
    Absence(
        "customers",
        "reviews r",
        "r.customer_id = c.id",
        "reviews",
        "have not written any {rows}",
        "have written {one}",
        "have never written a review",
        "review",
        "c.name",
    ),
    Absence(
        "products",
        "reviews r",
        "r.product_id = p.id",
        "reviews",
        "have no {rows}",
        "have {one}",
        "have never been reviewed",
        "review",
        "p.name",
    ),
    Absence(
        "products",
        "order_items oi JOIN orders o ON oi.order_id = o.id",
        "oi.product_id = p.id",
        "orders",
        "do not appear in any {rows}",
        "appear in {one}",
        "have never been ordered",
        "order that contains them",
        "p.name",
    ),
    Absence(
        "orders",
        "payments pay",
        "pay.order_id = o.id",
        "payments",
        "have no {rows}",
        "have {one}",
        "have no payment at all",
        "payment",
        "o.id",
        "order ids",
    ),
    Absence(
        "employees",
        "orders o",
        "o.sales_rep_id = e.id",
        "orders",
        "have not handled any {rows}",
        "have handled {one}",
        "have never handled an order",
        "order as sales rep",
        "e.name",
    ),
    Absence(
        "categories",
        "products p",
        "p.category_id = cat.id",
        "products",
        "have no {rows} directly in them",
        "have {one} directly in them",
        "have no products directly in them",
        "product",
        "cat.name",
    ),
    Absence(
        "customers",
        "order_items oi JOIN orders o ON oi.order_id = o.id JOIN products p ON oi.product_id = p.id",
        "o.customer_id = c.id",
        "products",
        "have not bought any {rows}",
        "have bought {one}",
        "have never bought a product",
        "purchase of products",
        "c.name",
    ),
    Absence(
        "employees",
        "employees x",
        "x.manager_id = e.id",
        "",
        "",
        "",
        "manage nobody",
        "direct report",
        "e.name",
    ),
    Absence(
        "customers",
        "customers x",
        "x.referred_by = c.id",
        "",
        "",
        "",
        "have never referred anyone",
        "referred customer",
        "c.name",
    ),
)
NARROWED = tuple(one for one in ABSENCES if one.lacking)
LIST = {
    "casual": (
        "Which {rows} {tail}? Just the {label}, please.",
        "Which {rows} {tail}? Give me the {label}.",
        "Are there {rows} {who} {tail}? List their {label}.",
    ),
    "formal": (
        "Among {rows}, please list the {label} of those {that} {tail}.",
        "Please list the {label} of all {rows} {who} {tail}.",
        "Please identify the {rows} {who} {tail}, by their {label}.",
    ),
    "terse": ("{label}: {rows}, {short}", "{rows}, {short}; {label}"),
    "analyst": ("Return the {label} of {rows}{comma} {exact}.", "List the {label} of {rows}{comma} {exact}."),
}
COUNT = {
    "casual": (
        "How many {rows} {tail}?",
        "How many of the {rows} {tail}?",
        "What's the number of {rows} {who} {tail}?",
    ),
    "formal": (
        "Please report how many {rows} {tail}.",
        "Among {rows}, please state how many {tail}.",
        "Please provide the number of {rows} {who} {tail}.",
    ),
    "terse": ("count: {rows}, {short}", "number of {rows}, {short}"),
    "analyst": ("Count {rows}{comma} {exact}.", "Return the number of {rows}{comma} {exact}."),
}
# Narrowing what a sales rep handled by "handled by a sales rep" says nothing.
AVOID = {"employees": ("rep",)}


def _exists(one: Absence, where: tuple[str, ...], present: bool = False) -> str:
    # Orders need no join where nothing is asked of them.
    source = one.source if where or one.thing != "order that contains them" else "order_items oi"
    tests = " AND ".join([one.on, *where])
    return f"{'EXISTS' if present else 'NOT EXISTS'} (SELECT 1 FROM {source} WHERE {tests})"


def _ask(draw: Draw, style: str, one: Absence, outer: Scope, said: "Said", count: bool) -> str:
    """Ask for the outer rows of which something is true."""
    person = one.table in ("customers", "employees")
    that = "who" if person else "that"
    return fill(
        choose(draw, style, COUNT if count else LIST),
        rows=outer.rows(style).removeprefix("all "),
        tail=said.tail,
        short=said.short,
        exact=said.exact,
        comma="," if outer.filters else "",
        label=one.label,
        that=that,
        who=f"and {that}" if any(each.rank == 4 for each in outer.filters) else that,
    )


@dataclass(frozen=True)
class Said:
    """A condition in words: a verb phrase, keywords, and for analysts."""

    tail: str
    short: str
    exact: str


def _said(one: Absence, inner: Scope | None, present: bool) -> Said:
    if inner is None:
        return Said(one.never, f"no {one.thing}", f"without any {one.thing}")
    noun = NOUNS[inner.base]
    keywords = f"({', '.join(inner.keywords())})"
    if present:
        some = f"at least one {singular(describe(inner.base, noun[0], inner.filters))}"
        exact = f"with at least one {one.thing}{inner.clauses()}"
        return Said(fill(one.having, one=some), f"with some {one.thing} {keywords}", exact)
    tail = fill(one.without, rows=describe(inner.base, noun[1], inner.filters))
    return Said(tail, f"without any {one.thing} {keywords}", f"without any {one.thing}{inner.clauses()}")


def singular(words: str) -> str:
    """The verbs of relative clauses after a singular noun."""
    for many, one in (
        (" that have ", " that has "),
        (" that were ", " that was "),
        (" that are ", " that is "),
    ):
        words = words.replace(many, one)
    return words


def never(shop: Shop, draw: Draw, style: str) -> Draft:
    """Rows without any row elsewhere."""
    # Who never bought a product never ordered: the longer way to say it is not an easy one.
    one = draw.structure.pick([one for one in ABSENCES if one.thing != "purchase of products"])
    tables = [] if one.table == "categories" else maybe(draw, 0.8, one.table)
    outer = narrow(shop, draw, one.table, tables)
    count = draw.structure.chance(0.4)
    columns = ("COUNT(*)",) if count else (one.column,)
    sql = Select(columns, outer.source(), (*outer.where(), _exists(one, ())))
    return Draft(_ask(draw, style, one, outer, _said(one, None, False), count), sql)


def never_such(shop: Shop, draw: Draw, style: str) -> Draft:
    """Rows without, or with, any row of a kind elsewhere."""
    one = draw.structure.pick(NARROWED)
    tables = [] if one.table == "categories" else maybe(draw, 0.5, one.table)
    outer = narrow(shop, draw, one.table, tables)
    inner = narrow(shop, draw, one.lacking, [one.lacking], AVOID.get(one.table, ()))
    present, count = draw.structure.chance(0.25), draw.structure.chance(0.35)
    columns = ("COUNT(*)",) if count else (one.column,)
    sql = Select(columns, outer.source(), (*outer.where(), _exists(one, inner.where(), present)))
    return Draft(_ask(draw, style, one, outer, _said(one, inner, present), count), sql)


def both(shop: Shop, draw: Draw, style: str) -> Draft:
    """Rows with one kind of row elsewhere but without another kind."""
    table = draw.structure.pick(("customers", "products", "employees", "customers"))
    choices = [one for one in NARROWED if one.table == table]
    first, second = draw.structure.pick(choices), draw.structure.pick(choices)
    some = narrow(shop, draw, first.lacking, [first.lacking], AVOID.get(table, ()))
    taken = (some.filters[0].family,) if first is second else ()
    none = narrow(shop, draw, second.lacking, [second.lacking], (*AVOID.get(table, ()), *taken))
    outer = narrow(shop, draw, table, maybe(draw, 0.2, table))
    tests = (_exists(first, some.where(), present=True), _exists(second, none.where()))
    sql = Select((first.column,), outer.source(), (*outer.where(), *tests))
    one, two = _said(first, some, True), _said(second, none, False)
    said = Said(f"{one.tail} but {two.tail}", f"{one.short}, {two.short}", f"{one.exact} but {two.exact}")
    return Draft(_ask(draw, style, first, outer, said, False), sql)


EASY: tuple[Writer, ...] = (never,)
MEDIUM: tuple[Writer, ...] = (never_such,)
HARD: tuple[Writer, ...] = (both, both, set_operation, all_of_a_set)
