"""Archetype two-table join, hard: outer joins that keep zeros, and rows against their own group."""

from dataclasses import dataclass

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

from .compose import Shop, Writer, maybe, narrow
from .frames import choose, fill, the
from .tables import ALIASES, NOUNS


@dataclass(frozen=True)
class Outer:
    """A parent whose rows may be without children, and how its relation to them is said."""

    parent: str
    child: str
    label: str
    counted: str
    on: str
    relation: str


OUTERS = (
    Outer("customers", "orders", "c.name", "o.id", "o.customer_id = c.id", "they placed"),
    Outer("products", "reviews", "p.name", "r.id", "r.product_id = p.id", "they received"),
    Outer("customers", "reviews", "c.name", "r.id", "r.customer_id = c.id", "they wrote"),
    Outer("employees", "orders", "e.name", "o.id", "o.sales_rep_id = e.id", "they handled as sales rep"),
    Outer("categories", "products", "cat.name", "p.id", "p.category_id = cat.id", "directly in them"),
)
# (base, column, noun, family, foreign key of the group, parent, its column, its label, the group in words)
OWN_AVERAGES = (
    (
        "products",
        "price",
        "list price",
        "price",
        "category_id",
        "categories",
        "cat.name",
        "category name",
        "category",
    ),
    (
        "products",
        "cost",
        "cost",
        "cost",
        "category_id",
        "categories",
        "cat.name",
        "category name",
        "category",
    ),
    (
        "products",
        "stock",
        "stock",
        "stock",
        "category_id",
        "categories",
        "cat.name",
        "category name",
        "category",
    ),
    (
        "orders",
        "shipping_fee",
        "shipping fee",
        "fee",
        "customer_id",
        "customers",
        "c.name",
        "customer name",
        "customer",
    ),
    ("payments", "amount", "amount", "amount", "order_id", "orders", "o.order_date", "order date", "order"),
)
# (child, parent, foreign key, date, "latest order by each of the customers", event, further column, its label)
EXTREMES = (
    ("orders", "customers", "customer_id", "order_date", "placed by", "order", "status", "status"),
    ("orders", "employees", "sales_rep_id", "order_date", "handled by", "order", "status", "status"),
    ("reviews", "products", "product_id", "reviewed_on", "of", "review", "rating", "rating"),
    ("reviews", "customers", "customer_id", "reviewed_on", "written by", "review", "rating", "rating"),
)
ZEROS = {
    "casual": (
        "For all {rows}, give me the name and how many {what} {relation}, with 0 if there are none.",
        "List all {rows} by name with the number of {what} {relation}. Include the ones with zero.",
    ),
    "formal": (
        (
            "Please list all {rows} with their name and the number of {what} {relation}, including those"
            " with zero."
        ),
        (
            "For all {rows}, please report the name and the number of {what} {relation}, showing 0 where"
            " there are none."
        ),
    ),
    "terse": ("{rows}: name and number of {what}, zero included",),
    "analyst": (
        "For every row of {rows}, return the name and the count of its {what}, 0 where there are none.",
        "From {rows}, return the name and the number of related {what}, zeros included.",
    ),
}
OWN_AVERAGE = {
    "casual": (
        "Which of the {rows} have {a} {word} {side} {average}? Give me {labels}.",
        "Of the {rows}, show me {labels} of those with {a} {word} {side} {average}.",
    ),
    "formal": (
        "Among {rows}, please list those with {a} {word} {side} {average}, showing {labels}.",
        "Among {rows}, please report {labels} of those whose {word} is {side} {average}.",
    ),
    "terse": ("{rows}, {word} {side} average of all {many} of same {one}; {bare}",),
    "analyst": (
        (
            "From {rows}, return {labels} of those with {column} {side} the average {column} over"
            " all {base} with the"
            " same {owner}."
        ),
    ),
}
EXTREME = {
    "casual": (
        (
            "What was the {when} {event} {tie} each of the {rows}? Give me {labels}, all of them if"
            " several share that"
            " day."
        ),
        (
            "For each of the {rows}, find the {when} {event}: {labels}. Skip those without any; show"
            " all that share the"
            " day."
        ),
    ),
    "formal": (
        (
            "For each of the {rows} with at least one {event}, please report the name and the date"
            " and {further} of the"
            " {when} {event}, all where several share that date."
        ),
    ),
    "terse": ("{when} {event} of each of: {rows}; {bare}; all if same date, skip those without any",),
    "analyst": (
        (
            "For each of {rows}, return the name with {day} and {further} of the {child} with the"
            " {when} {day}; all that"
            " tie, none for those without any."
        ),
    ),
}


def with_zeros(shop: Shop, draw: Draw, style: str) -> Draft:
    """A count for every parent, those without children included."""
    outer = draw.structure.pick(OUTERS)
    avoid = ("rep",) if outer.parent == "employees" else ()
    children = narrow(shop, draw, outer.child, maybe(draw, 0.7, outer.child), avoid)
    tables = [] if outer.parent == "categories" else [outer.parent]
    parents = narrow(shop, draw, outer.parent, tables)
    conditions = " AND ".join([outer.on, *children.where()])
    sql = Select(
        (outer.label, f"COUNT({outer.counted})"),
        f"{outer.parent} {ALIASES[outer.parent]} LEFT JOIN {outer.child} {ALIASES[outer.child]} ON"
        f" {conditions}",
        parents.where(),
        (outer.label,),
    )
    what = children.plain(NOUNS[outer.child][1])
    if style == "terse":
        what = f"{NOUNS[outer.child][1]}{''.join(f' ({word})' for word in children.keywords())}"
    elif style == "analyst":
        what = f"{outer.child}{children.clauses()}"
    rows = parents.rows(style).removeprefix("all ")
    return Draft(fill(choose(draw, style, ZEROS), rows=rows, what=what, relation=outer.relation), sql)


def against_own_average(shop: Shop, draw: Draw, style: str) -> Draft:
    """Rows above or below the average of their own group."""
    base, column, word, family, owner, parent, label_sql, label, one = draw.structure.pick(OWN_AVERAGES)
    scope = narrow(shop, draw, base, [base], (family,))
    side, sign = draw.structure.pick((("above", ">"), ("below", "<")))
    alias, identity = ALIASES[base], "name" if base == "products" else "id"
    average = f"(SELECT AVG(x.{column}) FROM {base} x WHERE x.{owner} = {alias}.{owner})"
    sql = Select(
        (f"{alias}.{identity}", label_sql),
        scope.source(parent),
        (*scope.where(), f"{alias}.{column} {sign} {average}"),
    )
    many = NOUNS[base][1]
    labels = [f"{NOUNS[base][0]} {identity}", label]
    among = "in" if base == "products" else "of"
    question = fill(
        choose(draw, style, OWN_AVERAGE),
        rows=scope.rows(style),
        a="an" if word[0] in "aeiou" else "a",
        average=f"the average {word} of all {many} {among} the same {one}",
        word=word,
        side=side,
        many=many,
        one=one,
        labels=the(labels),
        bare=", ".join(labels),
        column=column,
        base=base,
        owner=owner,
    )
    return Draft(question, sql)


def extreme_child(shop: Shop, draw: Draw, style: str) -> Draft:
    """Each parent's latest or earliest child, by a correlated subquery."""
    child, parent, owner, day, tie, event, further, label = draw.structure.pick(EXTREMES)
    function, when = draw.structure.pick((("MAX", "latest"), ("MIN", "earliest")))
    noun = "sales reps" if parent == "employees" else None
    scope = narrow(shop, draw, parent, [parent], noun=noun)
    alias, above = ALIASES[child], ALIASES[parent]
    inner = f"(SELECT {function}(x.{day}) FROM {child} x WHERE x.{owner} = {above}.id)"
    sql = Select(
        (f"{above}.name", f"{alias}.{day}", f"{alias}.{further}"),
        f"{child} {alias} JOIN {parent} {above} ON {alias}.{owner} = {above}.id",
        (*scope.where(), f"{alias}.{day} = {inner}"),
    )
    labels = ["name", f"{event} date", f"{event} {label}"]
    question = fill(
        choose(draw, style, EXTREME),
        rows=scope.rows(style),
        when=when,
        event=event,
        tie=tie,
        labels=the(labels),
        bare=", ".join(labels),
        day=day,
        further=further,
        child=child,
    )
    return Draft(question, sql)


HARD: tuple[Writer, ...] = (with_zeros, against_own_average, extreme_child)
