"""Archetype aggregation: aggregates of one table."""

from dataclasses import replace

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

from .compose import Shop, Writer, families_of, grouped_select, maybe, narrow, pick_filters, pick_measure
from .frames import ask_scalar, choose, every, fill, request
from .frames_groups import ask_grouped
from .keys import OWN_KEYS
from .measures import MEASURES, Measure, fitting
from .scope import Scope
from .tables import ALIASES, NOUNS

BASES = ("products", "customers", "employees", "orders", "payments", "reviews")

# (base, foreign key, singular and plural of what it leads to); rows without one are nobody's.
OWNERS = (
    ("orders", "o.customer_id", "customer", "customers"),
    ("orders", "o.sales_rep_id", "sales rep", "sales reps"),
    ("reviews", "r.product_id", "product", "products"),
    ("reviews", "r.customer_id", "customer", "customers"),
    ("payments", "pay.order_id", "order", "orders"),
    ("products", "p.category_id", "category", "categories"),
    ("order_items", "oi.order_id", "order", "orders"),
    ("order_items", "oi.product_id", "product", "products"),
    ("employees", "e.manager_id", "manager", "managers"),
)
NULLABLE = ("o.sales_rep_id", "e.manager_id")
# (column, noun, family of filters on it)
NUMBERS = {
    "products": (
        ("p.price", "list price", "price"),
        ("p.cost", "cost", "cost"),
        ("p.stock", "stock", "stock"),
    ),
    "employees": (("e.salary", "salary", "salary"),),
    "orders": (("o.shipping_fee", "shipping fee", "fee"),),
    "payments": (("pay.amount", "amount", "amount"),),
}
SHARE = {
    "casual": (
        "Out of {rows}, what percentage are {part}?",
        "What percentage of {rows} are {part}?",
        "Of {rows}, how many percent are {part}?",
    ),
    "formal": (
        "Please state what percentage of {rows} are {part}.",
        "Of {rows}, please report the percentage that are {part}.",
    ),
}
BEYOND = {
    "casual": (
        "How many {rows} have {a} {word} {side} the average {word} of all {many}?",
        "Of {every}, how many have {a} {word} {side} the average {word} of all {many}?",
    ),
    "formal": (
        "Please report how many {rows} have {a} {word} {side} the average {word} of all {many}.",
        "Among {every}, please count those with {a} {word} {side} the average {word} of all {many}.",
    ),
    "analyst": (
        "Count {base} whose {name} is {side} the average {name} over all {base}{also}.",
        "Return the number of {base} with {name} {side} the average {name} over all {base}{also}.",
    ),
}
SIDES = {
    "casual": (
        "For each {one}, give me the {label}, {a} and, next to it, {b}.",
        "Per {one}, can you put {a} beside {b}? The {label} comes first.",
    ),
    "formal": (
        "For each {one}, please report the {label}, {a} and, in a third column, {b}.",
        "Please show, by {one}, the {label}, {a}, and {b} in a column of its own.",
    ),
    "terse": ("per {one}: {label}, {a}, {b}",),
    "analyst": ("For each {column} in {base}, return the {label}, {a}, and {b}.",),
}


def scalar(shop: Shop, draw: Draw, style: str) -> Draft:
    """One aggregate, at most one condition."""
    base = draw.structure.pick(BASES)
    scope = narrow(shop, draw, base, maybe(draw, 0.85, base))
    one = pick_measure(draw, scope)
    return Draft(ask_scalar(draw, style, scope, [one]), _select(scope, one))


def scalar_two_filters(shop: Shop, draw: Draw, style: str) -> Draft:
    """One aggregate, two conditions."""
    base = draw.structure.pick(BASES)
    scope = narrow(shop, draw, base, [base, base])
    one = pick_measure(draw, scope)
    return Draft(ask_scalar(draw, style, scope, [one]), _select(scope, one))


def two_measures(shop: Shop, draw: Draw, style: str) -> Draft | None:
    """Two aggregates of the same rows."""
    base = draw.structure.pick(BASES)
    scope = narrow(shop, draw, base, [base])
    measures = draw.structure.sample(fitting(MEASURES[base], scope), 2)
    if len(measures) < 2:
        return None
    return Draft(ask_scalar(draw, style, scope, measures), _select(scope, *measures))


def grouped(shop: Shop, draw: Draw, style: str) -> Draft:
    """One aggregate of every group."""
    base = draw.structure.pick(BASES)
    key = draw.structure.pick(OWN_KEYS[base])
    scope = narrow(shop, draw, base, maybe(draw, 0.7, base), families_of(key))
    one = pick_measure(draw, scope, key)
    return Draft(ask_grouped(draw, style, scope, key, [one]), grouped_select(scope, key, [one]))


def average_per_owner(shop: Shop, draw: Draw, style: str) -> Draft:
    """An average or an extreme of counts."""
    base, column, one, many = draw.structure.pick(OWNERS)
    avoid = {"o.sales_rep_id": ("rep",), "e.manager_id": ("has",)}.get(column, ())
    scope = narrow(shop, draw, base, maybe(draw, 0.6, base), avoid)
    function, word = draw.structure.pick((("AVG", "average"), ("MAX", "highest"), ("MIN", "lowest")))
    where = (*scope.where(), *((f"{column} IS NOT NULL",) if column in NULLABLE else ()))
    inner = Select(("COUNT(*) AS n",), scope.source(), where, (column,)).text()
    noun = NOUNS[base][1]
    note = f"counting only {many} with at least one"
    if style == "terse":
        head = f"{word} number of {noun} per {one}"
        question = ", ".join([head, *scope.keywords(), f"only {many} with at least one"])
    elif style == "analyst":
        what = (
            f"the {word} count of {base} per {one}{scope.clauses()}, over {many} with at least one such row"
        )
        question = request(draw, style, what)
    else:
        question = request(draw, style, f"the {word} number of {scope.plain(noun)} per {one}, {note}")
    return Draft(question, f"SELECT {function}(n) FROM ({inner}) t")


def share(shop: Shop, draw: Draw, style: str) -> Draft:
    """A percentage of rows."""
    base = draw.structure.pick(BASES)
    part, *others = pick_filters(shop, draw, [base, base])
    whole = Scope(base, tuple(others) if draw.structure.chance(0.7) else ())
    share_sql = f"100.0 * COUNT(*) FILTER (WHERE {part.sql}) / COUNT(*)"
    sql = Select((share_sql,), whole.source(), whole.where())
    noun, of_part = NOUNS[base][1], Scope(base, (part,))
    if style == "terse":
        lead = f"among {whole.rows(style)}: percentage" if whole.filters else f"percentage of {noun}"
        return Draft(f"{lead} with {of_part.keywords()[0]}", sql)
    if style == "analyst":
        return Draft(f"Over {whole.rows(style)}, compute the percentage of rows{of_part.clauses()}.", sql)
    return Draft(fill(choose(draw, style, SHARE), rows=every(whole, style), part=of_part.plain(noun)), sql)


def beyond_average(shop: Shop, draw: Draw, style: str) -> Draft:
    """Rows counted against the average of all."""
    base = draw.structure.pick(tuple(NUMBERS))
    column, word, family = draw.structure.pick(NUMBERS[base])
    scope = narrow(shop, draw, base, maybe(draw, 0.6, base), (family,))
    side, sign = draw.structure.pick((("above", ">"), ("below", "<")))
    name, many = column.split(".")[1], NOUNS[base][1]
    test = f"{column} {sign} (SELECT AVG({name}) FROM {base})"
    sql = Select(("COUNT(*)",), scope.source(), (*scope.where(), test))
    if style == "terse":
        head = f"count {many} with {word} {side} the average of all {many}"
        return Draft(", ".join([head, *scope.keywords()]), sql)
    question = fill(
        choose(draw, style, BEYOND),
        rows=scope.plain(many),
        every=every(scope, style),
        a="an" if word[0] in "aeiou" else "a",
        word=word,
        side=side,
        many=many,
        base=base,
        name=name,
        also=scope.clauses(" and where "),
    )
    return Draft(question, sql)


def two_sides(shop: Shop, draw: Draw, style: str) -> Draft:
    """Two conditional counts of every group."""
    base = draw.structure.pick(BASES)
    key = draw.structure.pick(OWN_KEYS[base])
    halves = [Scope(base, (one,)) for one in pick_filters(shop, draw, [base, base], families_of(key))]
    counts = tuple(f"COUNT(*) FILTER (WHERE {half.where()[0]})" for half in halves)
    sql = Select((key.sql, *counts), f"{base} {ALIASES[base]}", group=(key.sql,))
    noun = NOUNS[base][1]
    if style == "terse":
        words = [f"number of {noun} with {half.keywords()[0]}" for half in halves]
    elif style == "analyst":
        words = [f"the count of rows{half.clauses()}" for half in halves]
    else:
        words = [f"the number of {half.plain(noun)}" for half in halves]
    frame = choose(draw, style, SIDES)
    question = fill(frame, one=key.one, label=key.label, column=key.column, base=base, a=words[0], b=words[1])
    return Draft(question, sql)


def spread(shop: Shop, draw: Draw, style: str) -> Draft:
    """The difference between the extremes, or the median, of every group."""
    base = draw.structure.pick(tuple(NUMBERS))
    column, noun, family = draw.structure.pick(NUMBERS[base])
    name = column.split(".")[1]
    key = draw.structure.pick(OWN_KEYS[base])
    scope = narrow(shop, draw, base, maybe(draw, 0.5, base), (*families_of(key), family))
    kind = draw.structure.pick(("range", "median"))
    one = {
        "range": _measure(
            base,
            f"MAX({column}) - MIN({column})",
            f"difference between the highest and the lowest {noun}",
            f"max minus min {noun}",
            f"MAX({name}) - MIN({name})",
        ),
        "median": _measure(
            base,
            f"percentile_cont(0.5) WITHIN GROUP (ORDER BY {column})",
            f"median {noun}",
            f"median {noun}",
            f"the median of {name}",
        ),
    }[kind]
    return Draft(ask_grouped(draw, style, scope, key, [one]), grouped_select(scope, key, [one]))


def _measure(base: str, sql: str, word: str, terse: str, exact: str) -> Measure:
    plain = MEASURES[base][0]
    return replace(
        plain,
        sql=sql,
        alias="value",
        of=(f"the {word} among {{rows}}",),
        word=word,
        terse=(terse,),
        analyst=(f"{exact} over {{rows}}",),
        kind="amount",
    )


def _select(scope: Scope, *measures: Measure) -> Select:
    return Select(tuple(one.sql for one in measures), scope.source(), scope.where())


EASY: tuple[Writer, ...] = (scalar,)
MEDIUM: tuple[Writer, ...] = (scalar_two_filters, two_measures, grouped, grouped)
HARD: tuple[Writer, ...] = (average_per_owner, share, beyond_average, two_sides, spread)
