"""Archetype group having: conditions on groups."""

from collections.abc import Sequence
from dataclasses import replace

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.phrasing import number_text
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

from .compose import Shop, Writer, families_of, grouped_select, maybe, narrow, threshold
from .frames import choose, every, fill, is_row_count, measured, the
from .frames_groups import ask_having
from .keys import COUNTRY, CUSTOMER, DEPARTMENT, JOINED_KEYS, OWN_KEYS, PRODUCT, REP, Key
from .measures import MEASURES, RANKABLE, Measure, fitting
from .scope import Scope

SINGLE = ("customers", "employees", "products", "orders", "payments", "reviews")
NUMBERS = (
    ("products", "p.price", "list price"),
    ("products", "p.cost", "cost"),
    ("reviews", "r.rating", "rating"),
    ("payments", "pay.amount", "amount"),
    ("orders", "o.shipping_fee", "shipping fee"),
    ("employees", "e.salary", "salary"),
)
COUNTED = (
    ("orders", CUSTOMER),
    ("orders", REP),
    ("orders", COUNTRY),
    ("reviews", PRODUCT),
    ("reviews", CUSTOMER),
    ("customers", COUNTRY),
    ("employees", DEPARTMENT),
)
BOTH = {
    "casual": (
        "Looking at {rows}, which {many} have {both}? Just the {label}, please.",
        "Which {many} show {both}, going by {rows}? I only need the {label}.",
    ),
    "formal": (
        "Based on {rows}, please list the {label} of every {one} with {both}.",
        "Please provide, from {rows}, the {label} of each {one} that has {both}.",
    ),
    "analyst": (
        "Over {rows}, group by {column} and return the {label} of groups with {both}.",
        "For {column} over {rows}, return the {label} where there is {both}.",
    ),
}
OVERALL = {
    "casual": (
        (
            "For which {many} is the average {word} of {rows} {side} the average {word} of all {rows}?"
            " Give me {labels}."
        ),
        "Which {many} have an average {word} of {rows} {side} the overall average? I want {labels}.",
    ),
    "formal": (
        (
            "Please list every {one} whose average {word} of {rows} is {side} the average over all"
            " {rows}, with {labels}."
        ),
        "Please report {labels} of each {one} where {rows} have an average {word} {side} that of all {rows}.",
    ),
    "terse": ("{many} with avg {word} of {rows} {side} the overall average; {bare}",),
    "analyst": (
        (
            "Group {base} by {column}; keep groups with average {name} {side} the average {name}"
            " over all {base}; return"
            " {labels}."
        ),
    ),
}
LARGER = {
    "casual": ("Which {many} have more {rows} than the average {one} that has any? Give me {labels}.",),
    "formal": (
        (
            "Please list the {many} with more {rows} than the average {one} that has at least one,"
            " showing {labels}."
        ),
    ),
    "analyst": (
        "Per {column}, take {what}; return {labels} of groups above the mean count over these groups.",
    ),
}


def one_table(shop: Shop, draw: Draw, style: str) -> Draft | None:
    """Groups of one table by their size, or by another simple aggregate."""
    base = draw.structure.pick(SINGLE)
    key = draw.structure.pick([key for key in OWN_KEYS[base] if key.name != "discontinued"])
    scope = narrow(shop, draw, base, maybe(draw, 0.5, base), families_of(key))
    measures = fitting(MEASURES[base], scope, key)
    return _having(shop, draw, style, scope, key, [one for one in measures if one.kind in RANKABLE])


def joined(shop: Shop, draw: Draw, style: str) -> Draft | None:
    """Groups over a join."""
    base = draw.structure.pick(("orders", "payments", "reviews", "products", "order_items", "orders"))
    key = draw.structure.pick(JOINED_KEYS[base])
    scope = narrow(shop, draw, base, maybe(draw, 0.5, base), families_of(key))
    measures = [one for one in fitting(MEASURES[base], scope, key) if one.kind != "date"]
    # The formulas of revenue and margin would stand there twice.
    short = [one for one in measures if one.alias not in ("revenue", "margin")]
    return _having(shop, draw, style, scope, key, short)


def _having(
    shop: Shop, draw: Draw, style: str, scope: Scope, key: Key, measures: Sequence[Measure]
) -> Draft | None:
    measure = draw.structure.pick(measures)
    # Fewer than a number could also mean none, and groups without rows are not there.
    sign = draw.structure.pick((">", ">=") if measure.kind in ("count", "amount") else (">", "<"))
    shown = draw.structure.chance(0.6)
    number = threshold(shop, draw, scope, key, measure)
    if number is None or number <= 0:
        return None
    select = grouped_select(scope, key, [measure])
    columns = select.columns if shown else select.columns[:1]
    sql = replace(select, columns=columns, having=(f"{measure.sql} {sign} {number_text(number)}",))
    return Draft(ask_having(draw, style, scope, key, measure, sign, number, shown), sql)


def two_conditions(shop: Shop, draw: Draw, style: str) -> Draft | None:
    """Groups that pass two conditions."""
    base = draw.structure.pick(("orders", "reviews", "payments", "order_items", "products"))
    key = draw.structure.pick([key for key in JOINED_KEYS[base] if key.name != "status"])
    scope = narrow(shop, draw, base, maybe(draw, 0.4, base), families_of(key))
    pool = [
        one for one in fitting(MEASURES[base], scope, key) if one.kind in RANKABLE and one.alias != "margin"
    ]
    pair = draw.structure.sample(pool, 2)
    numbers = [threshold(shop, draw, scope, key, one) for one in pair]
    texts = [number_text(number) for number in numbers if number is not None and number > 0]
    if len(texts) < 2:
        return None
    having = tuple(f"{one.sql} > {text}" for one, text in zip(pair, texts, strict=True))
    select = grouped_select(scope, key, pair)
    sql = replace(select, columns=(key.sql,), having=having)
    if style == "terse":
        words = " and ".join(
            f"{draw.detail.pick(one.terse)} > {text}" for one, text in zip(pair, texts, strict=True)
        )
        return Draft(f"{', '.join([f'{key.many} with {words}', *scope.keywords()])}; {key.label} only", sql)
    both = " as well as ".join(
        f"{_article(one)}{one.word} above {text}" for one, text in zip(pair, texts, strict=True)
    )
    question = fill(
        choose(draw, style, BOTH),
        rows=every(scope, style),
        many=key.many,
        one=key.one,
        column=key.column,
        label=key.label,
        both=both,
    )
    return Draft(question, sql)


def against_overall(shop: Shop, draw: Draw, style: str) -> Draft:
    """Groups whose average is beyond the overall average."""
    base, column, word = draw.structure.pick(NUMBERS)
    own = [key for key in OWN_KEYS[base] if key.name not in ("rating", "discontinued")]
    key = draw.structure.pick((*JOINED_KEYS.get(base, ()), *own))
    side, sign = draw.structure.pick((("above", ">"), ("below", "<")))
    name = column.split(".")[1]
    measure = next(one for one in MEASURES[base] if one.sql == f"AVG({column})")
    scope = Scope(base)
    condition = f"AVG({column}) {sign} (SELECT AVG({name}) FROM {base})"
    sql = replace(grouped_select(scope, key, [measure]), having=(condition,))
    labels = [key.label, measure.word]
    question = fill(
        choose(draw, style, OVERALL),
        rows=scope.plural(),
        many=key.many,
        one=key.one,
        column=key.column,
        word=word,
        side=side,
        labels=the(labels),
        bare=", ".join(labels),
        base=base,
        name=name,
    )
    return Draft(question, sql)


def larger_than_average(shop: Shop, draw: Draw, style: str) -> Draft:
    """Groups larger than the average group."""
    base, key = draw.structure.pick(COUNTED)
    scope = narrow(shop, draw, base, maybe(draw, 0.7, base), families_of(key))
    measure = next(one for one in MEASURES[base] if is_row_count(one))
    select = grouped_select(scope, key, [measure])
    counts = Select(("COUNT(*) AS n",), select.source, select.where, select.group).text()
    sql = replace(select, having=(f"COUNT(*) > (SELECT AVG(n) FROM ({counts}) t)",))
    labels = [key.label, measure.word]
    if style == "terse":
        head = f"{key.many} with more {scope.plural()} than the average {key.one} that has any"
        return Draft(f"{', '.join([head, *scope.keywords()])}; {', '.join(labels)}", sql)
    question = fill(
        choose(draw, style, LARGER),
        rows=scope.rows(style),
        what=measured(measure, scope, style, draw),
        many=key.many,
        one=key.one,
        column=key.column,
        labels=the(labels),
    )
    return Draft(question, sql)


def _article(measure: Measure) -> str:
    if measure.alias in ("units", "revenue"):
        return ""
    return "an " if measure.word[0] in "aeiou" else "a "


EASY: tuple[Writer, ...] = (one_table,)
MEDIUM: tuple[Writer, ...] = (joined,)
HARD: tuple[Writer, ...] = (two_conditions, against_overall, larger_than_average)
