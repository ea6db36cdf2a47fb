"""Archetype date and time, easy and medium: periods, parts of dates, differences of dates."""

from dataclasses import dataclass, replace

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

from .columns import COLUMNS, pick_columns
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
from .dates_windows import HARD as HARD_WRITERS
from .frames import ask_list, ask_scalar, choose, fill
from .frames_groups import ask_grouped
from .keys import COUNTRY, CUSTOMER, DEPARTMENT, REP, REP_TITLE, STATUS, Key
from .measures import DAYS_TO_SHIP, MEASURES, Measure
from .query_parts import select_rows
from .scope import Scope

PERIODS = (
    ("orders", "ordered_year"),
    ("orders", "ordered_month"),
    ("orders", "ordered_since"),
    ("orders", "ordered_before"),
    ("customers", "signed_up_year"),
    ("customers", "signed_up_since"),
    ("customers", "signed_up_before"),
    ("products", "launched_year"),
    ("products", "launched_since"),
    ("products", "launched_before"),
    ("employees", "hired_year"),
    ("employees", "hired_before"),
    ("employees", "hired_since"),
    ("payments", "paid_year"),
    ("reviews", "reviewed_year"),
)
YEARS = tuple(one for one in PERIODS if one[1].endswith("year"))


@dataclass(frozen=True)
class DateColumn:
    """A table's date: its column, what it is the date of, the family of filters on it."""

    sql: str
    event: str
    family: str


DATES = {
    "orders": DateColumn("o.order_date", "order", "ordered"),
    "customers": DateColumn("c.signed_up_on", "sign-up", "signed"),
    "products": DateColumn("p.launched_on", "launch", "launched"),
    "employees": DateColumn("e.hired_on", "hire", "hired"),
    "reviews": DateColumn("r.reviewed_on", "review", "reviewed"),
    "payments": DateColumn("pay.paid_at", "payment", "paid"),
}
# (what EXTRACT takes, the group in words, its label, for analysts)
PARTS = (
    ("MONTH", "calendar month of the {event} date", "month number (1 to 12)", "month number"),
    ("QUARTER", "calendar quarter of the {event} date", "quarter number (1 to 4)", "quarter number"),
    ("YEAR", "{event} year", "year", "year"),
    ("ISODOW", "weekday of the {event} date", "ISO weekday number (1 for Monday)", "ISO weekday number"),
)
SLOW = {
    "casual": (
        "Which {rows} took {words} {days} days to ship? Give me the order id and the number of days.",
        "Of the {rows}, which took {words} {days} days to ship? I want the order id and the number of days.",
    ),
    "formal": (
        (
            "Among {rows}, please list those that took {words} {days} days to ship, with the order"
            " id and the number of"
            " days."
        ),
    ),
    "terse": ("{rows}, days to ship {sign} {days}: order id, number of days",),
    "analyst": (
        "Return id and days to ship for orders where shipped_at::date - order_date {sign} {days}{also}.",
    ),
}
SLOW_COUNT = {
    "casual": ("How many {rows} took {words} {days} days to ship?",),
    "formal": ("Please report how many {rows} took {words} {days} days to ship.",),
    "terse": ("count {rows}, days to ship {sign} {days}",),
    "analyst": ("Count orders where shipped_at::date - order_date {sign} {days}{also}.",),
}


def _period(shop: Shop, draw: Draw, more: int) -> Scope:
    base, kind = draw.structure.pick(PERIODS)
    first = filter_of(shop, draw, base, kind)
    return Scope(base, (first, *pick_filters(shop, draw, [base] * more, (family(kind),))))


def counted(shop: Shop, draw: Draw, style: str) -> Draft:
    """One aggregate of the rows of a period."""
    scope = _period(shop, draw, draw.structure.below(2))
    measure = pick_measure(draw, scope, None, ("count",) if draw.structure.chance(0.3) else None)
    sql = Select((measure.sql,), scope.source(), scope.where())
    return Draft(ask_scalar(draw, style, scope, [measure]), sql)


def listed(shop: Shop, draw: Draw, style: str) -> Draft:
    """The rows of a period with their date."""
    scope = _period(shop, draw, draw.structure.below(2))
    dates = [one for one in COLUMNS[scope.base] if one.sql == DATES[scope.base].sql]
    columns = (COLUMNS[scope.base][0], *dates) if dates else pick_columns(draw, scope.base, 2)
    return Draft(ask_list(draw, style, scope, [one.label for one in columns]), select_rows(scope, columns))


def part_of_date(draw: Draw, base: str) -> Key:
    """A grouping by part of the base's date."""
    date = DATES[base]
    part, one, label, exact = draw.structure.pick(PARTS)
    return Key(
        name=f"part_{part}",
        table=base,
        sql=f"EXTRACT({part} FROM {date.sql})",
        one=fill(one, event=date.event),
        many=f"{fill(one, event=date.event)}s",
        label=label,
        column=f"{exact} of {date.sql.split('.')[1]}",
    )


def by_part(shop: Shop, draw: Draw, style: str) -> Draft:
    """An aggregate per part of a date."""
    base = draw.structure.pick(tuple(DATES))
    key = part_of_date(draw, base)
    avoid = (DATES[base].family,) if "YEAR" in key.sql else ()
    scope = narrow(shop, draw, base, maybe(draw, 0.8, base), avoid)
    measure = pick_measure(draw, scope, key, ("count", "amount", "average", "extreme"))
    return Draft(ask_grouped(draw, style, scope, key, [measure]), grouped_select(scope, key, [measure]))


def by_month(shop: Shop, draw: Draw, style: str) -> Draft:
    """An aggregate per month of one year."""
    base, kind = draw.structure.pick(YEARS)
    date = DATES[base]
    key = Key(
        name="month",
        table=base,
        sql=f"date_trunc('month', {date.sql})::date",
        one=f"month of the {date.event} date",
        many=f"{date.event} months",
        label="month (as its first day)",
        column=f"month of {date.sql.split('.')[1]} (as its first day)",
    )
    first = filter_of(shop, draw, base, kind)
    scope = Scope(base, (first, *pick_filters(shop, draw, maybe(draw, 0.5, base), (family(kind),))))
    measure = pick_measure(draw, scope, key, ("count", "amount", "average", "extreme"))
    return Draft(ask_grouped(draw, style, scope, key, [measure]), grouped_select(scope, key, [measure]))


def days_to_ship(shop: Shop, draw: Draw, style: str) -> Draft:
    """Days between order and shipment, per group."""
    key = draw.structure.pick((COUNTRY, STATUS, REP, REP_TITLE, CUSTOMER))
    function, word, short = draw.structure.pick(
        (("AVG", "average", "avg"), ("MAX", "highest", "max"), ("MIN", "lowest", "min"))
    )
    measure = replace(
        MEASURES["orders"][0],
        sql=f"{function}({DAYS_TO_SHIP})",
        alias="days",
        of=(f"the {word} number of days to ship for {{rows}}",),
        word=f"{word} number of days to ship",
        terse=(f"{short} days to ship",),
        analyst=(f"the {word} of shipped_at::date - order_date over {{rows}}",),
        kind="average",
    )
    # Without it, groups of which nothing was shipped would be there with NULL.
    shipped = filter_of(shop, draw, "orders", "sent")
    more = pick_filters(shop, draw, maybe(draw, 0.7, "orders"), (*families_of(key), "sent"))
    scope = Scope("orders", (*more, shipped))
    return Draft(ask_grouped(draw, style, scope, key, [measure]), grouped_select(scope, key, [measure]))


def slow_orders(shop: Shop, draw: Draw, style: str) -> Draft:
    """Orders by the days that they took to ship."""
    days = draw.detail.pick((2, 3, 4, 5, 6))
    sign, words = draw.structure.pick(((">", "more than"), ("<", "less than"), (">=", "at least")))
    tables = draw.structure.pick((["orders"], ["customers"], ["orders", "customers"], ["employees"]))
    scope = narrow(shop, draw, "orders", tables, ("sent", "status"))
    count = draw.structure.chance(0.4)
    columns = ("COUNT(*)",) if count else ("o.id", DAYS_TO_SHIP)
    sql = Select(columns, scope.source(), (*scope.where(), f"{DAYS_TO_SHIP} {sign} {days}"))
    question = fill(
        choose(draw, style, SLOW_COUNT if count else SLOW),
        rows=scope.rows(style),
        words=words,
        days=str(days),
        sign=sign,
        also=scope.clauses(" and "),
    )
    return Draft(question, sql)


def first_and_last(shop: Shop, draw: Draw, style: str) -> Draft:
    """The first and the last date of every group."""
    base, keys = draw.structure.pick(
        (
            ("orders", (COUNTRY, STATUS, CUSTOMER, REP)),
            ("customers", (COUNTRY,)),
            ("employees", (DEPARTMENT,)),
            ("reviews", (CUSTOMER, COUNTRY)),
        )
    )
    key = draw.structure.pick(keys)
    first, last = (one for one in MEASURES[base] if one.kind == "date")
    scope = narrow(shop, draw, base, [base], (*families_of(key), DATES[base].family))
    pair: list[Measure] = [first, last]
    return Draft(ask_grouped(draw, style, scope, key, pair), grouped_select(scope, key, pair))


EASY: tuple[Writer, ...] = (counted, counted, listed)
MEDIUM: tuple[Writer, ...] = (by_part, by_part, by_month, days_to_ship, slow_orders, first_and_last)
HARD: tuple[Writer, ...] = HARD_WRITERS
