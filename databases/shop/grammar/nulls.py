"""Archetype null semantics, easy and medium: missing values, with the meanings of the notes."""

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

from .columns import pick_columns
from .compose import (
    Shop,
    Writer,
    families_of,
    family,
    filter_of,
    grouped_select,
    maybe,
    narrow,
    pick_filters,
    pick_measure,
)
from .frames import ask_list, ask_scalar, choose, every, fill
from .frames_groups import ask_grouped
from .keys import JOINED_KEYS, OWN_KEYS, REP, REP_TITLE, Key
from .nulls_hard import HARD as HARD_WRITERS
from .query_parts import select_rows
from .scope import Scope
from .tables import ALIASES

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
# (base, nullable column, what rows may have, the family of filters about it)
PRESENCE = (
    ("orders", "o.shipped_at", "a shipping date", "sent"),
    ("orders", "o.sales_rep_id", "a sales rep", "rep"),
    ("customers", "c.referred_by", "a referrer", "referred"),
    ("reviews", "r.title", "a title", "titled"),
)
# (base, join, name of the parent, name of the row, its label, what may be missing, words for it, family)
NAMED = (
    (
        "orders",
        "LEFT JOIN employees e ON o.sales_rep_id = e.id",
        "e.name",
        "o.id",
        "order id",
        "sales rep",
        ("online", "none"),
        "rep",
    ),
    (
        "customers",
        "LEFT JOIN customers ref ON c.referred_by = ref.id",
        "ref.name",
        "c.name",
        "customer name",
        "referrer",
        ("nobody", "none"),
        "referred",
    ),
    (
        "employees",
        "LEFT JOIN employees m ON e.manager_id = m.id",
        "m.name",
        "e.name",
        "employee name",
        "manager",
        ("nobody", "none"),
        "has",
    ),
)
BOTH_PER_GROUP = {
    "casual": (
        (
            "Taking {every}, how many are there with {what} and how many without, per {one}? Show"
            " the {label} and both"
            " counts."
        ),
        "For each {one}, give me the {label}, then how many of {every} have {what} and how many don't.",
    ),
    "formal": (
        (
            "For each {one}, please report for {every} the {label}, the number with {what} and the"
            " number without."
        ),
    ),
    "terse": ("{rows}, with {what} vs without, per {one}; {label}, count with, count without",),
    "analyst": (
        (
            "For each {column} over {rows}, return the {label}, the number with {name} set and the"
            " number with it NULL."
        ),
    ),
}
BOTH_IN_ALL = {
    "casual": (
        (
            "Taking {every}, how many are there with {what} and how many without? Both counts side by"
            " side, please."
        ),
        "How do {every} split into those with {what} and those without? Give me the two counts in one row.",
    ),
    "formal": ("In one row, please report for {every} the number with {what} and the number without.",),
    "terse": ("{rows}, with {what} vs without; two counts in one row",),
    "analyst": ("Over {rows}, return in one row the number with {name} set and the number with it NULL.",),
}
NAMED_FRAMES = {
    "casual": (
        "For all {rows}, give me the {label} and the name of the {what}, or '{word}' if there isn't one.",
        "Can you list all {rows} by {label} along with the {what}'s name? Put '{word}' where there is none.",
    ),
    "formal": (
        (
            "Please list the {label} and the {what} name of all {rows}, showing '{word}' where there is"
            " no {what}."
        ),
        (
            "For all {rows}, please provide the {label} and the {what} name; use '{word}' where none is"
            " recorded."
        ),
    ),
    "terse": ("{rows}: {label}, {what} name or '{word}' if missing",),
    "analyst": ("For {rows}, return the {label} and the {what} name, with '{word}' where it is NULL.",),
}


def _missing(shop: Shop, draw: Draw, bases: tuple[str, ...], more: int, avoid: tuple[str, ...] = ()) -> Scope:
    """A base with one condition about a missing value and some about other columns."""
    base, kind = draw.structure.pick(
        [one for one in MISSING if one[0] in bases and family(one[1]) not in avoid]
    )
    first = filter_of(shop, draw, base, kind)
    return Scope(base, (first, *pick_filters(shop, draw, [base] * more, (family(kind), *avoid))))


def scalar(shop: Shop, draw: Draw, style: str) -> Draft:
    """One aggregate of rows where a value is missing or present."""
    bases = ("orders", "customers", "reviews", "order_items", "employees")
    scope = _missing(shop, draw, bases, draw.structure.below(2))
    measure = pick_measure(
        draw, scope, None, ("count",) if scope.base != "order_items" and draw.structure.chance(0.5) else None
    )
    sql = Select((measure.sql,), scope.source(*measure.needs), scope.where())
    return Draft(ask_scalar(draw, style, scope, [measure]), sql)


def listed(shop: Shop, draw: Draw, style: str) -> Draft:
    """Rows where a value is missing or present."""
    scope = _missing(shop, draw, ("orders", "customers", "reviews"), 1)
    columns = pick_columns(draw, scope.base, 1 + draw.structure.below(2))
    return Draft(ask_list(draw, style, scope, [one.label for one in columns]), select_rows(scope, columns))


def grouped(shop: Shop, draw: Draw, style: str) -> Draft:
    """Groups of rows where a value is missing or present."""
    base = draw.structure.pick(("orders", "customers", "reviews", "order_items"))
    keys = [key for key in (*OWN_KEYS[base], *JOINED_KEYS.get(base, ())) if key not in (REP, REP_TITLE)]
    key = draw.structure.pick(keys)
    scope = _missing(shop, draw, (base,), draw.structure.below(2), families_of(key))
    measure = pick_measure(draw, scope, key)
    return Draft(ask_grouped(draw, style, scope, key, [measure]), grouped_select(scope, key, [measure]))


def both_sides(shop: Shop, draw: Draw, style: str) -> Draft:
    """How many rows have a value and how many don't, per group or in all."""
    base, column, what, taken = draw.structure.pick(PRESENCE)
    keys: list[Key | None] = [None, *(key for key in OWN_KEYS[base] if key.name != "city")]
    key = draw.structure.pick(keys)
    avoid = (taken, *(families_of(key) if key else ()))
    scope = narrow(shop, draw, base, maybe(draw, 0.6, base), avoid)
    columns = (*([key.sql] if key else []), f"COUNT({column})", f"COUNT(*) - COUNT({column})")
    sql = Select(columns, scope.source(), scope.where(), (key.sql,) if key else ())
    question = fill(
        choose(draw, style, BOTH_PER_GROUP if key else BOTH_IN_ALL),
        every=every(scope, style),
        rows=scope.rows(style),
        what=what,
        name=column.split(".")[1],
        one=key.one if key else "",
        label=key.label if key else "",
        column=key.column if key else "",
    )
    return Draft(question, sql)


def named_or_none(shop: Shop, draw: Draw, style: str) -> Draft:
    """Rows with the name of what they may lack, a word where it is missing."""
    base, join, parent, row, label, what, words, avoid = draw.structure.pick(NAMED)
    word = draw.detail.pick(words)
    scope = narrow(shop, draw, base, [base] * (2 if base == "orders" else 1), (avoid,))
    sql = Select((row, f"COALESCE({parent}, '{word}')"), f"{base} {ALIASES[base]} {join}", scope.where())
    frame = choose(draw, style, NAMED_FRAMES)
    return Draft(fill(frame, rows=scope.rows(style), label=label, what=what, word=word), sql)


EASY: tuple[Writer, ...] = (scalar, scalar, listed)
MEDIUM: tuple[Writer, ...] = (grouped, grouped, both_sides, named_or_none)
HARD: tuple[Writer, ...] = HARD_WRITERS
