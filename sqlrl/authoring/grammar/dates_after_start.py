"""Archetype date and time, hard: what happens how soon after somebody's start."""

from dataclasses import dataclass

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.compose import maybe, narrow
from sqlrl.authoring.grammar.frames import choose, fill
from sqlrl.authoring.grammar.schema import Domain
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

SOON = {
    "casual": ("Which {rows} {did}? Just names.", "Which of the {rows} {did}? The names will do."),
    "formal": ("Among {rows}, please list the names of those who {did}.",),
    "terse": ("names of {rows}: {short} within {days} days of {start}",),
    "analyst": (
        "Return the name of {rows} with {some} whose {date} is from 0 to {days} days after {column}.",
    ),
}
SOON_COUNT = {
    "casual": ("How many {rows} {did}?", "How many of the {rows} {did}?"),
    "formal": ("Please report how many {rows} {did}.", "Among {rows}, please count those who {did}."),
    "terse": ("count {rows}: {short} within {days} days of {start}",),
    "analyst": ("Count {rows} with {some} whose {date} is from 0 to {days} days after {column}.",),
}
WAIT = {
    "casual": (
        (
            "By {said} of the {one}, what's the {word} number of days from {start} to the first"
            " of the {rows}? Give me"
            " the {label} and the days; ignore {many} without one."
        ),
    ),
    "formal": (
        (
            "Please report, per {said} of the {one}, the {label} and the {word} number of days"
            " from {start} to the"
            " {one}'s first of the {rows}. {many} without one do not count."
        ),
    ),
    "terse": (
        (
            "{word} days from {start} to first of {one}'s {rows}, per {said}; {label}, days; only"
            " {many} with one"
        ),
    ),
    "analyst": (
        (
            "Per {one}, take the earliest {date} over {rows}; for each {said} return the {label}"
            " and the {word} of that"
            " date minus {column}."
        ),
    ),
}


@dataclass(frozen=True)
class LaterEvent:
    """Something that owners do: its table, its date column, the verb before it."""

    table: str
    date: str
    verb: str


@dataclass(frozen=True)
class AfterStart:
    """Writers about what follows a start.

    Attributes:
        owner: the table of those who start; key: the foreign key of events to it.
        start: the date of the start, with its alias; start_noun, starting: in words: "sign-up", "signing up".
        groups: (SQL, words, label) of what owners are grouped by.
        avoid: families of filters that would fix which event is the first.
    """

    owner: str
    key: str
    start: str
    start_noun: str
    starting: str
    events: tuple[LaterEvent, ...]
    groups: tuple[tuple[str, str, str], ...]
    avoid: tuple[str, ...]

    def soon_after(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Customers with or without an event within some days of their sign-up."""
        days = draw.detail.pick((14, 30, 45, 60, 90, 120))
        one = draw.structure.pick(self.events)
        table, alias, date, verb = one.table, domain.alias(one.table), one.date, one.verb
        scope = narrow(domain, draw, self.owner, [self.owner])
        event = narrow(domain, draw, table, maybe(draw, 0.5, table), self.avoid)
        count, negative = draw.structure.chance(0.5), draw.structure.chance(0.4)
        within = f"{alias}.{date} BETWEEN {self.start} AND {self.start} + {days}"
        inner = " AND ".join([f"{alias}.{self.key} = {domain.alias(self.owner)}.id", within, *event.where()])
        test = f"{'NOT ' if negative else ''}EXISTS (SELECT 1 FROM {table} {alias} WHERE {inner})"
        sql = Select(
            ("COUNT(*)",) if count else (f"{domain.alias(self.owner)}.name",),
            scope.source(),
            (*scope.where(), test),
        )
        some = "no" if negative else "some"
        question = fill(
            choose(draw, style, SOON_COUNT if count else SOON),
            rows=scope.rows(style),
            did=f"{verb} {some} {event.plain(domain.many(table))} within {days} days of {self.starting},"
            " counting the day itself",
            short=f"{some} {', '.join([domain.many(table), *event.keywords()])},",
            some=f"{some} {table}{event.clauses()},",
            date=date,
            days=str(days),
            start=self.start_noun,
            column=self.start.split(".")[1],
        )
        return Draft(question, sql)

    def wait_for_first(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """The wait from sign-up to the first event, per group of customers."""
        key, said, label = draw.structure.pick(self.groups)
        one = draw.structure.pick(self.events)
        base, alias, date = one.table, domain.alias(one.table), one.date
        function, word = draw.structure.pick((("AVG", "average"), ("MAX", "highest"), ("MIN", "lowest")))
        scope = narrow(domain, draw, base, maybe(draw, 0.6, base), self.avoid)
        columns = (f"{alias}.{self.key}", f"MIN({alias}.{date}) AS first_day")
        inner = Select(columns, scope.source(), scope.where(), (f"{alias}.{self.key}",)).text()
        owner = domain.alias(self.owner)
        sql = (
            f"WITH firsts AS ({inner}) SELECT {key}, {function}(f.first_day - {self.start})"
            f" FROM firsts f JOIN {self.owner} {owner} ON f.{self.key} = {owner}.id GROUP BY {key}"
        )
        rows = scope.rows(style)
        if not scope.filters and style != "analyst":
            rows = f"{domain.many(base)}"
        question = fill(
            choose(draw, style, WAIT),
            said=said,
            label=label,
            word=word,
            rows=rows,
            date=date,
            one=domain.one(self.owner),
            many=domain.many(self.owner),
            start=self.start_noun,
            column=self.start.split(".")[1],
        )
        return Draft(question, sql)
