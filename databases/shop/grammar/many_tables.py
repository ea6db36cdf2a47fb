"""Archetype multi-table join: three to five tables."""

from dataclasses import replace

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

from .columns import COLUMNS, NAMES
from .compose import Shop, Writer, families_of, grouped_select, narrow, pick_filters, pick_measure
from .frames import ask_list, ask_scalar, choose, fill, measured, the
from .frames_groups import ask_grouped
from .keys import CATEGORY, CITY, COUNTRY, CUSTOMER, PRODUCT, REP, REP_TITLE, STATUS, Key
from .measures import MEASURES, Measure, fitting
from .query_parts import select_rows
from .scope import Scope
from .tables import NOUNS, path_to

# (base, near table, far table): the far one is read through the near one, or both hang on the base.
CHAINS = (
    ("order_items", "products", "categories"),
    ("order_items", "orders", "customers"),
    ("order_items", "orders", "employees"),
    ("order_items", "products", "orders"),
    ("payments", "orders", "customers"),
    ("payments", "orders", "employees"),
    ("reviews", "products", "categories"),
    ("reviews", "products", "customers"),
    ("orders", "customers", "employees"),
)
KEYS_OF: dict[str, tuple[Key, ...]] = {
    "customers": (COUNTRY, CITY, CUSTOMER),
    "employees": (REP, REP_TITLE),
    "products": (PRODUCT,),
    "categories": (CATEGORY,),
    "orders": (STATUS,),
}
# (base, far table, what relates its rows to the narrowed table, the narrowed table, tables of the filter)
DIFFERENT = (
    ("order_items", "customers", "customers who bought", "products", ("products", "categories")),
    ("order_items", "products", "products bought by", "customers", ("customers",)),
    ("order_items", "categories", "categories with products bought by", "customers", ("customers",)),
    (
        "order_items",
        "employees",
        "sales reps who handled orders with",
        "products",
        ("products", "categories"),
    ),
    ("reviews", "customers", "customers who reviewed", "products", ("categories",)),
    ("payments", "customers", "customers who made", "payments", ("payments",)),
)
DIFFERENT_FRAMES = {
    "casual": (
        "Can you list the {many} {rows}? Just the names, {once}.",
        "Which {many} {rows} are there? Names only, {once}.",
        "I'm after the {many} {rows}. The names will do, {once}.",
    ),
    "formal": (
        "Please list the names of the {many} {rows}, {once}.",
        "Please provide the names of all {many} {rows}, {once}.",
    ),
    "terse": ("distinct {names}: {many} {rows}", "{many} {rows}; distinct {names}"),
    "analyst": ("Return the distinct {names} of {many} {rows}.", "List distinct {names} for {many} {rows}."),
}
ONCE = ("each only once", "each of them once", "without repeats")
BEYOND = {
    "casual": (
        (
            "Per {one}, take {what}. Which {many} are {side} the average over {many} {that} have any?"
            " Give me {labels}."
        ),
        (
            "Per {one}, work out {what}. I want {labels} of the {many} {side} the average of all {many}"
            " {that} have any."
        ),
    ),
    "formal": (
        (
            "Considering, per {one}, {what}, please list the {many} {side} the average of all {many}"
            " {that} have any, with"
            " {labels}."
        ),
    ),
    "analyst": (
        "Per {column}, compute {what}; return {labels} where it is {side} the mean over these groups.",
    ),
}
NESTED = {
    "casual": (
        (
            "Work out, for each {one}, {what}. Then give me the {label} and the {word} of that per"
            " {outer}, ignoring {many}"
            " without any."
        ),
    ),
    "formal": (
        (
            "Please determine, per {one}, {what} and report, for each {outer}, the {label} and the"
            " {word} of these figures."
            " Omit {many} without any."
        ),
    ),
    "analyst": (
        (
            "Compute, per {one}, {what}; then for each {column} return the {label} and the {word} of"
            " these totals."
        ),
    ),
}
# (base, outer key, inner key's SQL, its table, its noun)
NESTINGS = (
    ("order_items", COUNTRY, "c.id", "customers", "customer"),
    ("order_items", CATEGORY, "p.id", "products", "product"),
    ("order_items", STATUS, "o.id", "orders", "order"),
    ("order_items", COUNTRY, "o.id", "orders", "order"),
    ("order_items", REP, "o.id", "orders", "order"),
    ("payments", COUNTRY, "c.id", "customers", "customer"),
    ("payments", COUNTRY, "o.id", "orders", "order"),
    ("payments", STATUS, "o.id", "orders", "order"),
)


def scalar(shop: Shop, draw: Draw, style: str) -> Draft:
    """One aggregate with a condition at the far end."""
    base, near, far = draw.structure.pick(CHAINS)
    tables = [far] if near in _way(base, far) else [near, far]
    scope = narrow(shop, draw, base, tables)
    measure = _measure(draw, scope)
    sql = Select((measure.sql,), scope.source(*measure.needs), scope.where())
    return Draft(ask_scalar(draw, style, scope, [measure]), sql)


def different(shop: Shop, draw: Draw, style: str) -> Draft:
    """The different names at the far end of a chain."""
    base, far, many, narrowed, tables = draw.structure.pick(DIFFERENT)
    filters = pick_filters(shop, draw, [draw.structure.pick(tables)])
    scope, side = Scope(base, filters), Scope(narrowed, filters)
    sql = replace(select_rows(scope, [NAMES[far]]), distinct=True)
    question = fill(
        choose(draw, style, DIFFERENT_FRAMES),
        many=many,
        rows=side.rows(style),
        names=NAMES[far].label.replace("name", "names"),
        once=draw.detail.pick(ONCE),
    )
    return Draft(question, sql)


def listed(shop: Shop, draw: Draw, style: str) -> Draft:
    """Rows of the base with the names of two tables beside them."""
    chains = [chain for chain in CHAINS if chain[0] != "order_items"]
    base, near, far = draw.structure.pick(chains)
    tables = [base, base] if far == "categories" else [base, far]
    scope = narrow(shop, draw, base, tables)
    columns = (COLUMNS[base][0], NAMES[near], NAMES[far])
    return Draft(ask_list(draw, style, scope, [one.label for one in columns]), select_rows(scope, columns))


def grouped(shop: Shop, draw: Draw, style: str) -> Draft:
    """One aggregate of every group over three to five tables."""
    base, near, far = draw.structure.pick((*CHAINS[:4], *CHAINS))
    table = draw.structure.pick((near, far))
    key = draw.structure.pick(KEYS_OF[table])
    other = far if table == near else near
    tables = [other] if other not in _way(base, table) or draw.structure.chance(0.4) else [base]
    if draw.structure.chance(0.3):
        tables.append(base)
    if key is CATEGORY:
        tables = [one for one in tables if one != "categories"]
    scope = narrow(shop, draw, base, tables, families_of(key))
    measure = _measure(draw, scope, key)
    return Draft(ask_grouped(draw, style, scope, key, [measure]), grouped_select(scope, key, [measure]))


def beyond_average_group(shop: Shop, draw: Draw, style: str) -> Draft:
    """Groups above or below the average group, by a CTE."""
    base = draw.structure.pick(("order_items", "order_items", "payments"))
    keys = (PRODUCT, CATEGORY, COUNTRY, CUSTOMER, REP) if base == "order_items" else (COUNTRY, CUSTOMER, REP)
    key = draw.structure.pick(keys)
    tables = draw.structure.pick((["orders"], [], ["customers"], [base]))
    scope = narrow(shop, draw, base, tables, families_of(key))
    measure = pick_measure(draw, scope, key, ("amount",))
    plain = grouped_select(scope, key, [measure], named=True)
    inner = replace(plain, columns=(f"{key.sql} AS name", *plain.columns[1:]))
    side, sign = draw.structure.pick((("above", ">"), ("below", "<")))
    sql = (
        f"WITH totals AS ({inner.text()}) SELECT name, {measure.alias} FROM totals"
        f" WHERE {measure.alias} {sign} (SELECT AVG({measure.alias}) FROM totals)"
    )
    labels = [key.label, measure.word]
    if style == "terse":
        head = f"{key.many} with {draw.detail.pick(measure.terse)} {side} the average {key.one}"
        return Draft(
            f"{', '.join([head, *scope.keywords()])}; only {key.many} with any; {', '.join(labels)}", sql
        )
    question = fill(
        choose(draw, style, BEYOND),
        what=measured(measure, scope, style, draw),
        one=key.one,
        many=key.many,
        that="who" if key in (CUSTOMER, REP) else "that",
        side=side,
        column=key.column,
        labels=the(labels),
    )
    return Draft(question, sql)


def nested(shop: Shop, draw: Draw, style: str) -> Draft:
    """An aggregate per inner group, averaged or maximised per outer group."""
    base, outer, inner_sql, table, one = draw.structure.pick(NESTINGS)
    tables = draw.structure.pick((["orders"], [], [base], ["customers"]))
    scope = narrow(shop, draw, base, tables, families_of(outer))
    measure = pick_measure(draw, scope, outer, ("amount",))
    inner = Select(
        (f"{outer.sql} AS name", f"{measure.sql} AS {measure.alias}"),
        scope.source(outer.table, table, *measure.needs),
        scope.where(),
        (outer.sql, inner_sql),
    )
    function, word = draw.structure.pick((("AVG", "average"), ("MAX", "highest")))
    sql = (
        f"WITH totals AS ({inner.text()}) SELECT name, {function}({measure.alias}) FROM totals GROUP BY name"
    )
    many = NOUNS[table][1]
    if style == "terse":
        head = f"{word} {draw.detail.pick(measure.terse)} per {one}, by {outer.one}"
        labels = f"{outer.label}, {word} per {one}"
        return Draft(f"{', '.join([head, *scope.keywords()])}; {labels}; skip {many} without any", sql)
    question = fill(
        choose(draw, style, NESTED),
        what=measured(measure, scope, style, draw),
        one=one,
        many=many,
        outer=outer.one,
        column=outer.column,
        label=outer.label,
        word=word,
    )
    return Draft(question, sql)


def _way(base: str, table: str) -> tuple[str, ...]:
    return tuple(link.parent for link in path_to(base, table))


def _measure(draw: Draw, scope: Scope, key: Key | None = None) -> Measure:
    measures = fitting(MEASURES[scope.base], scope, key)
    # The formulas are long; products are joined for the margin only where they are read anyway.
    return draw.structure.pick([one for one in measures if set(one.needs) <= set(scope.tables())])


EASY: tuple[Writer, ...] = (scalar, scalar, different, listed)
MEDIUM: tuple[Writer, ...] = (grouped,)
HARD: tuple[Writer, ...] = (beyond_average_group, nested)
