"""Archetype date and time, hard: windows over periods, first events, gaps between events."""

from dataclasses import dataclass

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

from .compose import Shop, Writer, filter_of, maybe, narrow, pick_filters
from .dates_after_signup import soon_after, wait_for_first
from .frames import choose, fill, measured
from .measures import MEASURES
from .scope import Scope
from .tables import NOUNS


@dataclass(frozen=True)
class Series:
    """What can be followed month by month: a base, its date, the filter on a year, measures, further filters."""

    base: str
    date: str
    table: str
    year: str
    family: str
    aliases: tuple[str, ...]
    more: tuple[str, ...]


SERIES = (
    Series(
        "orders",
        "o.order_date",
        "orders",
        "ordered_year",
        "ordered",
        ("orders", "fees", "avg_fee"),
        ("orders", "customers"),
    ),
    Series(
        "order_items",
        "o.order_date",
        "orders",
        "ordered_year",
        "ordered",
        ("units", "revenue"),
        ("orders", "customers", "products"),
    ),
    Series(
        "payments",
        "pay.paid_at",
        "payments",
        "paid_year",
        "paid",
        ("payments", "paid", "avg_paid"),
        ("payments", "customers"),
    ),
    Series(
        "customers", "c.signed_up_on", "customers", "signed_up_year", "signed", ("customers",), ("customers",)
    ),
    Series(
        "reviews",
        "r.reviewed_on",
        "reviews",
        "reviewed_year",
        "reviewed",
        ("reviews", "avg_rating"),
        ("reviews", "customers"),
    ),
)
# The third column: its SQL, in words, keywords; averages don't add up.
WINDOWS = {
    "before": (
        "LAG({alias}) OVER (ORDER BY month)",
        "the same figure of the previous month listed (empty for the first)",
        "previous month listed",
    ),
    "change": (
        "{alias} - LAG({alias}) OVER (ORDER BY month)",
        "the change from the previous month listed (empty for the first)",
        "change from previous month listed",
    ),
    "running": (
        "SUM({alias}) OVER (ORDER BY month)",
        "the running total up to and including that month",
        "running total",
    ),
}
MONTHLY = {
    "casual": (
        (
            "Month by month, what's {what}? Give me the first day of the month, that figure and"
            " {third}. Only months with"
            " any."
        ),
        (
            "Per month, I'd like {what}: the month's first day, the figure, and {third}. Skip months"
            " without any."
        ),
    ),
    "formal": (
        "Please report, for each month that has any, its first day, {what}, and {third}.",
        "For each month that has any, please provide its first day, {what}, and {third}.",
    ),
    "terse": ("{short} per month{also}; month (first day), {word}, {window}; only months with any",),
    "analyst": ("Per month (as its first day), return {what} and {third}; skip months without rows.",),
}
# (base, owner's column, date, who, event, what they did)
FIRSTS = (
    ("orders", "customer_id", "o.order_date", "customers", "order", "placed their first"),
    ("reviews", "customer_id", "r.reviewed_on", "customers", "review", "wrote their first"),
    ("reviews", "product_id", "r.reviewed_on", "products", "review", "received their first"),
    ("orders", "sales_rep_id", "o.order_date", "sales reps", "order", "handled their first"),
)
PERIODS = (
    ("date_trunc('month', first_day)::date", "month (as its first day)", "month"),
    ("EXTRACT(YEAR FROM first_day)", "year", "year"),
    ("date_trunc('quarter', first_day)::date", "quarter (as its first day)", "quarter"),
)
FIRST = {
    "casual": (
        (
            "How many {many} {verb} {event} in each {period}? Give me the {label} and the number,"
            " skipping {period}s with"
            " none.{only}"
        ),
        (
            "When do {many} start? For each {period}, count the {many} who {verb} {event} in it: the"
            " {label} and the"
            " number, no zeros.{only}"
        ),
    ),
    "formal": (
        (
            "Please report, for each {period} in which any {many} {verb} {event}, the {label} and"
            " the number of these"
            " {many}.{only}"
        ),
    ),
    "terse": (
        (
            "number of {many} by {period} of first {event}{also}; {label}, number of {many}; skip empty"
            " {period}s"
        ),
    ),
    "analyst": (
        (
            "Take the earliest {date} per {owner} over {rows}, then count {many} per {period} of it;"
            " return the {label} and"
            " the count."
        ),
    ),
}
# (base, owner's name, date, who, who in the plural, owner's table)
GAPS = (
    ("orders", "c.name", "o.order_date", "customer", "customers", "customers"),
    ("orders", "e.name", "o.order_date", "sales rep", "sales reps", "employees"),
    ("reviews", "c.name", "r.reviewed_on", "customer", "customers", "customers"),
    ("reviews", "p.name", "r.reviewed_on", "product", "products", "products"),
)
GAP = {
    "casual": (
        (
            "For each {one}, what's the {word} gap in days between consecutive {rows}? Give me the"
            " {one} name and the days,"
            " for {many} with at least two."
        ),
        (
            "Per {one} with at least two, find the {word} number of days between one and the next of"
            " the {rows}: the {one}"
            " name and the days."
        ),
    ),
    "formal": (
        (
            "Please report, for each {one} with at least two, the {one} name and the {word} number"
            " of days between"
            " consecutive {rows}."
        ),
    ),
    "terse": (
        "{word} gap in days between consecutive {rows}, per {one}; {one} name, days; only {many} with 2+",
    ),
    "analyst": (
        (
            "Per {one}, order {rows} by {date} and return the {one} name and the {word} difference"
            " in days between"
            " neighbours; skip single rows."
        ),
    ),
}


def monthly(shop: Shop, draw: Draw, style: str) -> Draft:
    """Each month beside the month before, or beside all months so far."""
    series = draw.structure.pick(SERIES)
    alias = draw.structure.pick(series.aliases)
    measure = next(one for one in MEASURES[series.base] if one.alias == alias)
    windows = [name for name in WINDOWS if name != "running" or measure.kind != "average"]
    third, third_said, third_short = WINDOWS[draw.structure.pick(windows)]
    more = maybe(draw, 0.7, draw.structure.pick(series.more))
    period = filter_of(shop, draw, series.table, series.year)
    avoid = (series.family, measure.family) if measure.family else (series.family,)
    scope = Scope(series.base, (period, *pick_filters(shop, draw, more, avoid)))
    month = f"date_trunc('month', {series.date})::date"
    columns = (f"{month} AS month", f"{measure.sql} AS {measure.alias}")
    inner = Select(columns, scope.source(series.table), scope.where(), (month,)).text()
    window = fill(third, alias=measure.alias)
    sql = f"WITH monthly AS ({inner}) SELECT month, {measure.alias}, {window} FROM monthly"
    question = fill(
        choose(draw, style, MONTHLY),
        what=measured(measure, scope, style, draw),
        third=third_said,
        window=third_short,
        short=draw.detail.pick(measure.terse),
        word=measure.word,
        also="".join(f", {word}" for word in scope.keywords()),
    )
    return Draft(question, sql)


def first_events(shop: Shop, draw: Draw, style: str) -> Draft:
    """Customers, products or sales reps by when something first happened to them."""
    base, owner, date, many, event, verb = draw.structure.pick(FIRSTS)
    part, label, period = draw.structure.pick(PERIODS)
    alias = date.split(".")[0]
    avoid = ("ordered", "reviewed", "rep")
    scope = narrow(shop, draw, base, maybe(draw, 0.6, base), avoid)
    known = (f"{alias}.{owner} IS NOT NULL",) if owner == "sales_rep_id" else ()
    columns = (f"{alias}.{owner}", f"MIN({date}) AS first_day")
    inner = Select(columns, scope.source(), (*scope.where(), *known), (f"{alias}.{owner}",)).text()
    question = fill(
        choose(draw, style, FIRST),
        many=many,
        verb=verb,
        event=event,
        period=period,
        label=label,
        only=f" Only {scope.plain(NOUNS[base][1])} count." if scope.filters else "",
        also="".join(f", {word}" for word in scope.keywords()),
        date=date.split(".")[1],
        owner=owner,
        rows=scope.rows(style),
    )
    if many == "products":
        question = question.replace("products who", "products that")
    return Draft(question, f"WITH firsts AS ({inner}) SELECT {part}, COUNT(*) FROM firsts GROUP BY 1")


def gaps(shop: Shop, draw: Draw, style: str) -> Draft:
    """Days between consecutive events of one owner."""
    base, name, date, one, many, table = draw.structure.pick(GAPS)
    function, word = draw.structure.pick((("MAX", "longest"), ("AVG", "average"), ("MIN", "shortest")))
    tables = draw.structure.pick(([base], [table], [base, table]))
    scope = narrow(shop, draw, base, tables, ("ordered", "reviewed", "rep", "discontinued"))
    days = f"{date} - LAG({date}) OVER (PARTITION BY {name} ORDER BY {date}) AS days"
    inner = Select((f"{name} AS name", days), scope.source(table), scope.where()).text()
    sql = (
        f"WITH gaps AS ({inner}) SELECT name, {function}(days) FROM gaps WHERE days IS NOT NULL GROUP BY name"
    )
    frame = choose(draw, style, GAP)
    question = fill(frame, one=one, many=many, word=word, rows=scope.rows(style), date=date.split(".")[1])
    return Draft(question, sql)


HARD: tuple[Writer, ...] = (monthly, monthly, first_events, gaps, soon_after, wait_for_first)
