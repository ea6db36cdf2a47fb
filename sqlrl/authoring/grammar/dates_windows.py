"""Archetype date and time, hard: windows over periods, first events, gaps between events."""

from dataclasses import dataclass

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.compose import filter_of, maybe, narrow, pick_filters
from sqlrl.authoring.grammar.frames import choose, fill, measured, naming
from sqlrl.authoring.grammar.schema import Domain
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

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


@dataclass(frozen=True)
class Series:
    """What can be followed month by month: a base, its date, the filter on a year, measures, further filters.

    Attributes:
        avoid: families of filters beside which it would not be clear whose month is meant.
    """

    base: str
    date: str
    table: str
    year: str
    family: str
    aliases: tuple[str, ...]
    more: tuple[str, ...]
    avoid: tuple[str, ...] = ()


@dataclass(frozen=True)
class FirstEvent:
    """When something first happened to somebody.

    Attributes:
        owner: the foreign key to whom it happened; nullable: whether it may be missing.
        many: who they are; people: whether they are people.
        event: what happened; verb: before it: "placed their first".
    """

    base: str
    owner: str
    date: str
    many: str
    event: str
    verb: str
    people: bool = True
    nullable: bool = False


@dataclass(frozen=True)
class Gap:
    """Consecutive events of one owner.

    Attributes:
        name: the column that names the owner, of ``table``; one, many: what owners are.
        date: the date of an event.
        named: what the name is called, where it is not "name".
    """

    base: str
    name: str
    date: str
    one: str
    many: str
    table: str
    named: str = "name"

    @property
    def column(self) -> str:
        """The date's column, for analysts."""
        return self.date.split("::")[0].split(".")[1]


@dataclass(frozen=True)
class Windows:
    """Writers about series of events.

    Attributes:
        avoid: families of filters that would fix which event is the first.
        gaps_avoid: further ones for gaps.
    """

    series: tuple[Series, ...]
    firsts: tuple[FirstEvent, ...]
    gaps_of: tuple[Gap, ...]
    avoid: tuple[str, ...]
    gaps_avoid: tuple[str, ...] = ()

    def monthly(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Each month beside the month before, or beside all months so far."""
        series = draw.structure.pick(self.series)
        alias = draw.structure.pick(series.aliases)
        measure = next(one for one in domain.schema.measures[series.base] if one.alias == alias)
        windows = [name for name in WINDOWS if name != "running" or measure.kind != "average"]
        third, third_said, third_short = WINDOWS[draw.structure.pick(windows)]
        more = maybe(draw, 0.7, draw.structure.pick(series.more))
        period = filter_of(domain, draw, series.table, series.year)
        avoid = (series.family, *series.avoid, *((measure.family,) if measure.family else ()))
        scope = domain.scope(series.base, (period, *pick_filters(domain, draw, more, avoid)))
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

    def first_events(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Customers, products or sales reps by when something first happened to them."""
        first = draw.structure.pick(self.firsts)
        base, owner, date, many = first.base, first.owner, first.date, first.many
        part, label, period = draw.structure.pick(PERIODS)
        alias = date.split(".")[0]
        scope = narrow(domain, draw, base, maybe(draw, 0.6, base), self.avoid)
        known = (f"{alias}.{owner} IS NOT NULL",) if first.nullable else ()
        columns = (f"{alias}.{owner}", f"MIN({date}) AS first_day")
        inner = Select(columns, scope.source(), (*scope.where(), *known), (f"{alias}.{owner}",)).text()
        question = fill(
            choose(draw, style, FIRST),
            many=many,
            verb=first.verb,
            event=first.event,
            period=period,
            label=label,
            only=f" Only {scope.plain(domain.many(base))} count." if scope.filters else "",
            also="".join(f", {word}" for word in scope.keywords()),
            date=date.split(".")[1],
            owner=owner,
            rows=scope.rows(style),
        )
        if not first.people:
            question = question.replace(f"{many} who", f"{many} that")
        return Draft(question, f"WITH firsts AS ({inner}) SELECT {part}, COUNT(*) FROM firsts GROUP BY 1")

    def gaps(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Days between consecutive events of one owner."""
        gap = draw.structure.pick(self.gaps_of)
        base, name, date, table = gap.base, gap.name, gap.date, gap.table
        function, word = draw.structure.pick((("MAX", "longest"), ("AVG", "average"), ("MIN", "shortest")))
        tables = draw.structure.pick(([base], [table], [base, table]))
        scope = narrow(domain, draw, base, tables, (*self.avoid, *self.gaps_avoid))
        days = f"{date} - LAG({date}) OVER (PARTITION BY {name} ORDER BY {date}) AS days"
        inner = Select((f"{name} AS name", days), scope.source(table), scope.where()).text()
        sql = f"WITH gaps AS ({inner}) SELECT name, {function}(days) FROM gaps WHERE days IS NOT NULL GROUP BY name"
        frame = naming(choose(draw, style, GAP), gap.named)
        question = fill(frame, one=gap.one, many=gap.many, word=word, rows=scope.rows(style), date=gap.column)
        return Draft(question, sql)
