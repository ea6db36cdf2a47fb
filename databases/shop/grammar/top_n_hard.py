"""Archetype top-n, hard: the first of every group, and places below the first, by window functions.

RANK and DENSE_RANK give all that share a place, so that no tie is cut.
"""

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

from .columns import COLUMNS, RANKED
from .compose import Shop, Writer, families_of, maybe, narrow, pick_measure
from .frames import choose, fill, the
from .frames_groups import superlative
from .keys import CATEGORY, COUNTRY, CUSTOMER, DEPARTMENT, JOINED_KEYS, PRODUCT, REP, REP_TITLE
from .tables import NOUNS

FIRST_ROW = {
    "casual": (
        (
            "For each {key}, which of the {rows} is the one {side}? Give me {labels}; if several tie,"
            " show them all."
        ),
        "In every {key}, find the one {side} among {rows}. I want {labels}, all of them if tied.",
    ),
    "formal": (
        (
            "For each {key}, please report the one among {rows} {side}, with {labels}. Include every one"
            " that ties."
        ),
        (
            "Please provide, per {key}, {labels} of the one among {rows} {side}, or all of them in case"
            " of a tie."
        ),
    ),
    "analyst": (
        "Per {column}, over {rows}, return {labels} of the rows with the {way} {name}, ties included.",
        "Partition {rows} by {column}; return {labels} of all rows with the {way} {name} in their partition.",
    ),
}
FIRST_GROUP = {
    "casual": (
        "In each {outer}, which {one} has {most}? Give me {labels}, and all of them if there's a tie.",
        "Who leads each {outer}: the {one} with {most}? I need {labels}, ties included.",
    ),
    "formal": (
        "For each {outer}, please report the {one} with {most}, showing {labels}. Include all that tie.",
        "Please list, per {outer}, {labels} of the {one} with {most}, including ties.",
    ),
    "analyst": (
        "Per {column}, find each {one} with {most}; return {labels}, ties included.",
        "For each {column}, return {labels} of the {one} with {most} (all of them if tied).",
    ),
}
PLACE = {
    "casual": (
        "Which {one} has {nth}? Give me {labels}, all with that value if several share it.",
        "Who or what comes {word}: I need every {one} with {nth}, as {labels}.",
    ),
    "formal": ("Please report {labels} of every {one} with {nth}, where equal values share one place.",),
    "analyst": ("Return {labels} of each {column} with {nth} (dense ranking, all that share the value).",),
}


def first_of_each(shop: Shop, draw: Draw, style: str) -> Draft:
    """The first row of every group, all of them where several share the place."""
    base, key = draw.structure.pick(
        (("products", CATEGORY), ("employees", DEPARTMENT), ("customers", COUNTRY))
    )
    ranked = draw.structure.pick(RANKED[base])
    descending = draw.structure.chance(0.6)
    avoid = (ranked.family, *families_of(key))
    scope = narrow(shop, draw, base, maybe(draw, 0.5, base), avoid)
    first, column = COLUMNS[base][0], ranked.column
    order = f"{column.sql} DESC" if descending else column.sql
    inner = Select(
        (
            f"{key.sql} AS {key.name}",
            first.sql,
            f"{column.sql} AS value",
            f"RANK() OVER (PARTITION BY {key.sql} ORDER BY {order}) AS place",
        ),
        scope.source(key.table),
        scope.where(),
    )
    sql = f"SELECT {key.name}, name, value FROM ({inner.text()}) t WHERE place = 1"
    labels = [key.label, f"{NOUNS[base][0]} name", column.label]
    is_date = "date" in column.label
    high, low = ("latest", "earliest") if is_date else ("highest", "lowest")
    if style == "terse":
        head = f"{NOUNS[base][0]} with {high if descending else low} {column.label} per {key.one}"
        return Draft(f"{', '.join([head, *scope.keywords()])}; {', '.join(labels)}; all if tied", sql)
    question = fill(
        choose(draw, style, FIRST_ROW),
        rows=scope.rows(style),
        key=key.one,
        column=key.column,
        side=ranked.highest if descending else ranked.lowest,
        labels=the(labels),
        way=high if descending else low,
        name=column.sql.split(".")[1],
    )
    return Draft(question, sql)


def first_groups_of_each(shop: Shop, draw: Draw, style: str) -> Draft:
    """The leading inner group of every outer group, by an aggregate."""
    outer, key, bases = draw.structure.pick(
        (
            (COUNTRY, CUSTOMER, ("orders", "payments", "order_items")),
            (CATEGORY, PRODUCT, ("reviews", "order_items")),
            (REP_TITLE, REP, ("orders", "order_items")),
        )
    )
    base = draw.structure.pick(bases)
    scope = narrow(shop, draw, base, maybe(draw, 0.5, base), families_of(key))
    measure = pick_measure(draw, scope, key, ("count", "amount"))
    inner = Select(
        (
            f"{outer.sql} AS {outer.name}",
            f"{key.sql} AS name",
            f"{measure.sql} AS {measure.alias}",
            f"RANK() OVER (PARTITION BY {outer.sql} ORDER BY {measure.sql} DESC) AS place",
        ),
        scope.source(outer.table, key.table, *measure.needs),
        scope.where(),
        (outer.sql, key.sql),
    )
    sql = f"SELECT {outer.name}, name, {measure.alias} FROM ({inner.text()}) t WHERE place = 1"
    labels = [outer.label, key.label, measure.word]
    if style == "terse":
        head = f"top {key.one} per {outer.one} by {draw.detail.pick(measure.terse)}"
        return Draft(f"{', '.join([head, *scope.keywords()])}; {', '.join(labels)}; all if tied", sql)
    question = fill(
        choose(draw, style, FIRST_GROUP),
        most=superlative(draw, style, scope, measure),
        outer=outer.one,
        one=key.one,
        column=outer.column,
        labels=the(labels),
    )
    return Draft(question.replace("Who leads", "What leads") if key is PRODUCT else question, sql)


def nth_place(shop: Shop, draw: Draw, style: str) -> Draft:
    """The groups at a given place, all of them where several share it."""
    base = draw.structure.pick(("orders", "payments", "order_items", "reviews"))
    names = ("customer", "product", "category", "country", "rep")
    key = draw.structure.pick([key for key in JOINED_KEYS[base] if key.name in names])
    scope = narrow(shop, draw, base, maybe(draw, 0.5, base), families_of(key))
    measure = pick_measure(draw, scope, key, ("count", "amount"))
    word, number = draw.detail.pick((("second", 2), ("third", 3), ("fourth", 4)))
    inner = Select(
        (
            f"{key.sql} AS name",
            f"{measure.sql} AS {measure.alias}",
            f"DENSE_RANK() OVER (ORDER BY {measure.sql} DESC) AS place",
        ),
        scope.source(key.table, *measure.needs),
        scope.where(),
        (key.sql,),
    )
    sql = f"SELECT name, {measure.alias} FROM ({inner.text()}) t WHERE place = {number}"
    labels = [key.label, measure.word]
    if style == "terse":
        head = f"{key.many} with the {word} highest {draw.detail.pick(measure.terse)}"
        return Draft(
            f"{', '.join([head, *scope.keywords()])}; equal values share a place; {', '.join(labels)}", sql
        )
    nth = superlative(draw, style, scope, measure)
    nth = nth.replace("the most ", f"the {word} highest number of ").replace(
        "the highest ", f"the {word} highest "
    )
    question = fill(
        choose(draw, style, PLACE), nth=nth, word=word, one=key.one, column=key.column, labels=the(labels)
    )
    person = key.name in ("customer", "rep")
    return Draft(question.replace("Who or what comes", "Who comes" if person else "What comes"), sql)


HARD: tuple[Writer, ...] = (first_of_each, first_groups_of_each, nth_place)
