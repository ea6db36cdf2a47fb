"""Archetype top-n, easy and medium: the first rows or groups in an order."""

from dataclasses import replace

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.teacher import Draft

from .columns import COLUMNS, RANKED
from .compose import Shop, Writer, families_of, grouped_select, maybe, narrow, pick_measure
from .frames import choose, fill, request, the
from .frames_groups import ask_top, sorting
from .keys import JOINED_KEYS, OWN_KEYS, Key
from .measures import RANKABLE
from .query_parts import select_rows
from .tables import NOUNS
from .top_n_hard import HARD as HARD_WRITERS

COUNTS = (3, 5, 10)
FEW = (2, 3, 5)
AMONG = {
    "casual": (
        "Among {rows}, which are the {n} {side}? Give me {labels}, {order}.",
        "Looking only at {rows}, show me the {n} {side}: {labels}, {order}.",
        "Out of {rows}, I need the {n} {side}, with {labels}, {order}.",
    ),
    "formal": (
        "Among {rows}, please list the {n} {side}, showing {labels}, {order}.",
        "Considering only {rows}, please report {labels} of the {n} {side}, {order}.",
    ),
}
OF_ALL = {
    "casual": (
        "Which {n} {many} are the ones {side}? Give me {labels}, {order}.",
        "Show me the {n} {many} {side}: {labels}, {order}.",
        "What are the {n} {many} {side}? I want {labels}, {order}.",
    ),
    "formal": (
        "Please list the {n} {many} {side}, showing {labels}, {order}.",
        "Please report {labels} of the {n} {many} {side}, {order}.",
    ),
}


def top_rows(shop: Shop, draw: Draw, style: str) -> Draft:
    """The first rows of a table by a column."""
    base = draw.structure.pick(tuple(RANKED))
    ranked = draw.structure.pick(RANKED[base])
    descending = not ranked.lowest or draw.structure.chance(0.65)
    scope = narrow(shop, draw, base, maybe(draw, 0.75, base), (ranked.family,))
    tie = draw.structure.chance(0.5)
    count = draw.detail.pick(FEW if scope.filters else COUNTS)
    first, column = COLUMNS[base][0], ranked.column
    order = (f"{column.sql} DESC" if descending else column.sql, *([first.sql] if tie else []))
    sql = replace(select_rows(scope, (first, column)), order=order, limit=count)
    labels = [first.label, column.label]
    sorts = _sorting(draw, style, column.label, descending, first.label if tie else None)
    if style == "terse":
        head = (
            f"{_side(column.label, descending, 'top', 'bottom')} {count} {NOUNS[base][1]} by {column.label}"
        )
        return Draft("; ".join([", ".join([head, *scope.keywords()]), ", ".join(labels), sorts]), sql)
    if style == "analyst":
        way = _side(column.label, descending, "largest", "smallest")
        rows = f"the {count} {base}{scope.clauses()}"
        question = request(draw, style, f"{the(labels)} for {rows} with the {way} {column.sql.split('.')[1]}")
        return Draft(f"{question.rstrip('.')}, {sorts}.", sql)
    question = fill(
        choose(draw, style, AMONG if scope.filters else OF_ALL),
        rows=scope.plain(NOUNS[base][1]),
        many=NOUNS[base][1],
        n=str(count),
        side=ranked.highest if descending else ranked.lowest,
        labels=the(labels),
        order=sorts,
    )
    return Draft(question, sql)


def top_groups(shop: Shop, draw: Draw, style: str) -> Draft:
    """The first groups by an aggregate over a join."""
    base = draw.structure.pick(("orders", "payments", "reviews", "order_items", "products"))
    return _top(shop, draw, style, base, draw.structure.pick(JOINED_KEYS[base]))


def top_own_groups(shop: Shop, draw: Draw, style: str) -> Draft:
    """The first groups of one table by an aggregate."""
    base = draw.structure.pick(("customers", "employees", "products"))
    keys = [key for key in OWN_KEYS[base] if key.name != "discontinued"]
    return _top(shop, draw, style, base, draw.structure.pick(keys))


def _top(shop: Shop, draw: Draw, style: str, base: str, key: Key) -> Draft:
    scope = narrow(shop, draw, base, maybe(draw, 0.5, base), families_of(key))
    measure = pick_measure(draw, scope, key, RANKABLE)
    # The lowest groups could be those without rows, unless the measure has none for them.
    descending = measure.kind != "average" or draw.structure.chance(0.7)
    tie = measure.kind == "count" or draw.structure.chance(0.3)
    order = (f"{measure.alias} DESC" if descending else measure.alias, *([key.sql] if tie else []))
    count = draw.detail.pick(COUNTS if key.name in ("customer", "product", "city") else FEW)
    sql = replace(grouped_select(scope, key, [measure], named=True), order=order, limit=count)
    return Draft(ask_top(draw, style, scope, key, measure, count, descending, tie), sql)


def _side(label: str, descending: bool, high: str, low: str) -> str:
    if "date" in label:
        return "latest" if descending else "earliest"
    return high if descending else low


def _sorting(draw: Draw, style: str, label: str, descending: bool, tie: str | None) -> str:
    if "date" not in label:
        return sorting(draw, style, label, descending, tie)
    if style == "terse":
        return f"{'newest' if descending else 'oldest'} first" + (f", then {tie}" if tie else "")
    first = "latest first" if descending else "earliest first"
    return first + (f", ties by {tie}" if tie else "")


EASY: tuple[Writer, ...] = (top_rows,)
MEDIUM: tuple[Writer, ...] = (top_groups, top_groups, top_own_groups)
HARD: tuple[Writer, ...] = HARD_WRITERS
