"""Archetype date and time, easy and medium: periods, parts of dates, differences of dates."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.columns import pick_columns
from sqlrl.authoring.grammar.compose import (
    filter_of,
    grouped_select,
    maybe,
    narrow,
    pick_filters,
    pick_measure,
    select_rows,
)
from sqlrl.authoring.grammar.dates_after_start import AfterStart
from sqlrl.authoring.grammar.dates_windows import Windows
from sqlrl.authoring.grammar.frames import ask_list, ask_scalar, choose, fill
from sqlrl.authoring.grammar.frames_groups import ask_grouped
from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.measures import Measure
from sqlrl.authoring.grammar.schema import Chapter, Domain
from sqlrl.authoring.grammar.scope import Scope
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

# (what EXTRACT takes, the group in words, its label, for analysts)
PARTS = (
    ("MONTH", "calendar month of the {event} date", "month number (1 to 12)", "month number"),
    ("QUARTER", "calendar quarter of the {event} date", "quarter number (1 to 4)", "quarter number"),
    ("YEAR", "{event} year", "year", "year"),
    ("ISODOW", "weekday of the {event} date", "ISO weekday number (1 for Monday)", "ISO weekday number"),
)
SLOW = {
    "casual": (
        "Which {rows} {did} {words} {days} days{to}? Give me the {label} and the number of days.",
        "Of the {rows}, which {did} {words} {days} days{to}? I want the {label} and the number of days.",
    ),
    "formal": (
        (
            "Among {rows}, please list those that {did} {words} {days} days{to}, with the {label}"
            " and the number of"
            " days."
        ),
    ),
    "terse": ("{rows}, {noun} {sign} {days}: {label}, number of days",),
    "analyst": ("Return {key} and {noun} for {base} where {exact} {sign} {days}{also}.",),
}
SLOW_COUNT = {
    "casual": ("How many {rows} {did} {words} {days} days{to}?",),
    "formal": ("Please report how many {rows} {did} {words} {days} days{to}.",),
    "terse": ("count {rows}, {noun} {sign} {days}",),
    "analyst": ("Count {base} where {exact} {sign} {days}{also}.",),
}


@dataclass(frozen=True)
class DateColumn:
    """A table's date: its column, what it is the date of, the family of filters on it."""

    sql: str
    event: str
    family: str


@dataclass(frozen=True)
class Duration:
    """The days from one event of a row to another.

    Attributes:
        sql: the number of days.
        of: with ``{rows}``: "number of days to ship for {rows}"; noun: "days to ship".
        exact: for analysts; may name columns.
        did, to: around the number: orders that *took* 3 days *to ship*.
        ended: the kind of filter that keeps the rows that have a number of days, if not all have.
        avoid: families of filters that would fix it.
        keys: what it is grouped by; filtered: choices of tables to narrow lists.
        days: numbers that rows are set against.
    """

    base: str
    sql: str
    of: str
    noun: str
    exact: str
    did: str
    to: str
    ended: str
    avoid: tuple[str, ...]
    keys: tuple[Key, ...]
    filtered: tuple[list[str], ...]
    days: tuple[int, ...]

    def days_between(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Days from one event to another, per group."""
        key = draw.structure.pick(self.keys)
        function, word, short = draw.structure.pick(
            (("AVG", "average", "avg"), ("MAX", "highest", "max"), ("MIN", "lowest", "min"))
        )
        measure = replace(
            domain.schema.measures[self.base][0],
            sql=f"{function}({self.sql})",
            alias="days",
            of=(f"the {word} {self.of}",),
            word=f"{word} number of {self.noun}",
            terse=(f"{short} {self.noun}",),
            analyst=(f"the {word} of {self.exact} over {{rows}}",),
            kind="average",
        )
        # Without it, groups in which it has not ended would be there with NULL.
        ended = [filter_of(domain, draw, self.base, self.ended)] if self.ended else []
        taken = [domain.schema.family(self.ended)] if self.ended else []
        more = pick_filters(
            domain, draw, maybe(draw, 0.7, self.base), (*domain.schema.families_of(key), *taken)
        )
        scope = domain.scope(self.base, (*more, *ended))
        return Draft(ask_grouped(draw, style, scope, key, [measure]), grouped_select(scope, key, [measure]))

    def slow_rows(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Rows by the days that they took."""
        days = draw.detail.pick(self.days)
        sign, words = draw.structure.pick(((">", "more than"), ("<", "less than"), (">=", "at least")))
        scope = narrow(domain, draw, self.base, draw.structure.pick(self.filtered), self.avoid)
        count = draw.structure.chance(0.4)
        first = domain.schema.columns[self.base][0]
        columns = ("COUNT(*)",) if count else (first.sql, self.sql)
        sql = Select(columns, scope.source(), (*scope.where(), f"{self.sql} {sign} {days}"))
        question = fill(
            choose(draw, style, SLOW_COUNT if count else SLOW),
            rows=scope.rows(style),
            did=self.did,
            to=self.to,
            words=words,
            days=str(days),
            sign=sign,
            label=first.label,
            key=first.name,
            noun=self.noun,
            base=self.base,
            exact=self.exact,
            also=scope.clauses(" and "),
        )
        return Draft(question, sql)


@dataclass(frozen=True)
class Dates:
    """Writers about dates.

    Attributes:
        periods: (base, kind of filter on its date); one whose name ends in year fixes the year.
        dates: by table, its date.
        bounds: (base, keys) of whose groups the first and the last date are asked for.
    """

    periods: tuple[tuple[str, str], ...]
    dates: Mapping[str, DateColumn]
    durations: tuple[Duration, ...]
    bounds: tuple[tuple[str, tuple[Key, ...]], ...]
    windows: Windows
    after_start: AfterStart

    def chapter(self) -> Chapter:
        """All writers."""
        many = self.windows
        return Chapter(
            easy=(self.counted, self.counted, self.listed),
            medium=(
                self.by_part,
                self.by_part,
                self.by_month,
                *(one.days_between for one in self.durations),
                *(one.slow_rows for one in self.durations),
                self.first_and_last,
            ),
            hard=(
                many.monthly,
                many.monthly,
                many.first_events,
                many.gaps,
                self.after_start.soon_after,
                self.after_start.wait_for_first,
            ),
        )

    def _period(self, domain: Domain, draw: Draw, more: int) -> Scope:
        base, kind = draw.structure.pick(self.periods)
        first = filter_of(domain, draw, base, kind)
        return domain.scope(
            base, (first, *pick_filters(domain, draw, [base] * more, (domain.schema.family(kind),)))
        )

    def counted(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """One aggregate of the rows of a period."""
        scope = self._period(domain, draw, draw.structure.below(2))
        measure = pick_measure(domain, draw, scope, None, ("count",) if draw.structure.chance(0.3) else None)
        sql = Select((measure.sql,), scope.source(), scope.where())
        return Draft(ask_scalar(draw, style, scope, [measure]), sql)

    def listed(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """The rows of a period with their date."""
        scope = self._period(domain, draw, draw.structure.below(2))
        dates = [one for one in domain.schema.columns[scope.base] if one.sql == self.dates[scope.base].sql]
        columns = (
            (domain.schema.columns[scope.base][0], *dates)
            if dates
            else pick_columns(draw, domain.schema.columns, scope.base, 2)
        )
        return Draft(
            ask_list(draw, style, scope, [one.label for one in columns]), select_rows(scope, columns)
        )

    def part_of_date(self, draw: Draw, base: str) -> Key:
        """A grouping by part of the base's date."""
        date = self.dates[base]
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

    def by_part(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """An aggregate per part of a date."""
        base = draw.structure.pick(tuple(self.dates))
        key = self.part_of_date(draw, base)
        avoid = (self.dates[base].family,) if "YEAR" in key.sql else ()
        scope = narrow(domain, draw, base, maybe(draw, 0.8, base), avoid)
        measure = pick_measure(domain, draw, scope, key, ("count", "amount", "average", "extreme"))
        return Draft(ask_grouped(draw, style, scope, key, [measure]), grouped_select(scope, key, [measure]))

    def by_month(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """An aggregate per month of one year."""
        base, kind = draw.structure.pick([one for one in self.periods if one[1].endswith("year")])
        date = self.dates[base]
        key = Key(
            name="month",
            table=base,
            sql=f"date_trunc('month', {date.sql})::date",
            one=f"month of the {date.event} date",
            many=f"{date.event} months",
            label="month (as its first day)",
            column=f"month of {date.sql.split('.')[1]} (as its first day)",
        )
        first = filter_of(domain, draw, base, kind)
        scope = domain.scope(
            base, (first, *pick_filters(domain, draw, maybe(draw, 0.5, base), (domain.schema.family(kind),)))
        )
        measure = pick_measure(domain, draw, scope, key, ("count", "amount", "average", "extreme"))
        return Draft(ask_grouped(draw, style, scope, key, [measure]), grouped_select(scope, key, [measure]))

    def first_and_last(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """The first and the last date of every group."""
        base, keys = draw.structure.pick(self.bounds)
        key = draw.structure.pick(keys)
        first, last = (one for one in domain.schema.measures[base] if one.kind == "date")
        scope = narrow(domain, draw, base, [base], (*domain.schema.families_of(key), self.dates[base].family))
        pair: list[Measure] = [first, last]
        return Draft(ask_grouped(draw, style, scope, key, pair), grouped_select(scope, key, pair))
