"""Archetype anti-join, hard: set operations, and rows that have something of every kind."""

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

from .compose import Shop, narrow, pick_filters
from .frames import choose, fill
from .scope import Scope, describe
from .tables import ALIASES, NOUNS

# (column, its table, what it names, base, rows in words, how the names relate to them, tables of filters)
SETS = (
    ("c.country", "customers", "customer countries", "orders", "orders", "with", ("orders",)),
    ("c.city", "customers", "customer cities", "orders", "orders", "with", ("orders",)),
    ("c.name", "customers", "customers", "orders", "orders", "with", ("orders",)),
    ("e.name", "employees", "sales reps", "orders", "orders", "with", ("orders",)),
    ("p.name", "products", "products", "order_items", "orders", "sold in", ("orders",)),
    ("cat.name", "categories", "categories", "order_items", "orders", "with products sold in", ("orders",)),
    ("c.name", "customers", "customers", "payments", "payments", "with", ("payments",)),
    ("p.name", "products", "products", "reviews", "reviews", "with", ("reviews",)),
    ("c.country", "customers", "customer countries", "reviews", "reviews", "with", ("reviews",)),
)
SET_FRAMES = {
    "casual": (
        "Which {names} are there {relation} {one}, {two}? List each {unit} once.",
        "I'm after the {names} {relation} {one}, {two}. Each {unit} once, please.",
    ),
    "formal": (
        "Please list, without repeats, {all} {relation} {one}, {two}.",
        "Please provide {all} {relation} {one}, {two}, each only once.",
    ),
}
# (base, column, its table, what it names, the set of values, how it is said, families that may not narrow it)
EVERY = (
    (
        "orders",
        "c.name",
        "customers",
        "customers",
        "EXTRACT(YEAR FROM o.order_date)",
        "in every year that has any order at all",
        "ordered",
    ),
    (
        "orders",
        "c.country",
        "customers",
        "customer countries",
        "o.status",
        "in every order status that occurs at all",
        "status",
    ),
    (
        "orders",
        "e.name",
        "employees",
        "sales reps",
        "o.status",
        "in every order status that occurs at all",
        "status",
    ),
    (
        "payments",
        "c.country",
        "customers",
        "customer countries",
        "pay.method",
        "with every payment method that occurs at all",
        "method",
    ),
    (
        "orders",
        "e.name",
        "employees",
        "sales reps",
        "EXTRACT(YEAR FROM o.order_date)",
        "in every year that has any order at all",
        "ordered",
    ),
    (
        "orders",
        "c.city",
        "customers",
        "customer cities",
        "o.status",
        "in every order status that occurs at all",
        "status",
    ),
    (
        "orders",
        "c.city",
        "customers",
        "customer cities",
        "EXTRACT(YEAR FROM o.order_date)",
        "in every year that has any order at all",
        "ordered",
    ),
)
EVERY_FRAMES = {
    "casual": (
        "Which {names} have {some} {every}? Just the {units}.",
        "I need {all} that have {some} {every}.",
    ),
    "formal": ("Please list {all} that have {some} {every}.",),
    "terse": ("{names} with {short}, {every}; {units}",),
    "analyst": ("Return {column} for which {rows} exist {every}.",),
}


def set_operation(shop: Shop, draw: Draw, style: str) -> Draft:
    """Values that are in one set of rows and not in, or also in, another."""
    column, parent, names, base, noun, relation, tables = draw.structure.pick(SETS)
    word = draw.structure.pick(("EXCEPT", "INTERSECT"))
    table = draw.structure.pick(tables)
    halves = [
        Scope(base, (one,))
        for one in pick_filters(shop, draw, [table, table], ("rep",) if parent == "employees" else ())
    ]
    sql = f" {word} ".join(Select((column,), half.source(parent), half.where()).text() for half in halves)
    sold = "sold in" in relation
    if style == "terse":
        keys = [Scope(noun, half.filters).keywords()[0] for half in halves]
        but = "but none" if word == "EXCEPT" else "and also some"
        return Draft(
            f"{names} {relation} {noun} ({keys[0]}) {but} ({keys[1]}); {_units(column)}, each once", sql
        )
    if style == "analyst":
        texts = [Scope(noun, half.filters).clauses("") for half in halves]
        how = "never" if word == "EXCEPT" else "also"
        exact = f"{parent}.{column.split('.')[1]}"
        return Draft(
            f"Return the distinct {exact} that occur with {noun} where {texts[0]} and {how} with"
            f" {noun} where {texts[1]}.",
            sql,
        )
    one, two = (describe(noun, NOUNS[noun][1], half.filters) for half in halves)
    if word == "EXCEPT":
        second = f"but not in any {two}" if sold else f"but without any {two}"
    else:
        second = f"and also in {two}" if sold else f"and also with {two}"
    question = fill(
        choose(draw, style, SET_FRAMES),
        names=names,
        unit=column.split(".")[1],
        all=_all(column, names),
        relation=relation,
        one=one,
        two=second,
    )
    return Draft(question, sql)


def all_of_a_set(shop: Shop, draw: Draw, style: str) -> Draft:
    """Rows that have something with every value of a set."""
    base, column, parent, names, values, every, avoid = draw.structure.pick(EVERY)
    families = (avoid, "rep", *(("sent",) if avoid == "status" else ()))
    scope = narrow(shop, draw, base, [base] if draw.structure.chance(0.7) else [], families)
    total = f"(SELECT COUNT(DISTINCT {values}) FROM {base} {ALIASES[base]})"
    having = f"COUNT(DISTINCT {values}) = {total}"
    sql = Select((column,), scope.source(parent), scope.where(), (column,), (having,))
    question = fill(
        choose(draw, style, EVERY_FRAMES),
        names=names,
        units=_units(column),
        all=_all(column, names),
        some=describe(base, NOUNS[base][1], scope.filters),
        short=", ".join([NOUNS[base][1], *scope.keywords()]),
        rows=scope.rows(style).removeprefix("all "),
        column=f"{parent}.{column.split('.')[1]}",
        every=every,
    )
    return Draft(question, sql)


def _all(column: str, names: str) -> str:
    return f"the names of all {names}" if column.endswith(".name") else f"all {names}"


def _units(column: str) -> str:
    """What is listed, in the plural."""
    return {"country": "countries", "city": "cities", "name": "names"}[column.split(".")[1]]
