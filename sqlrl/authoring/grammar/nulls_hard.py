"""Archetype null semantics, hard: missing values as a group of their own, and beside absent rows."""

from dataclasses import dataclass

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.compose import (
    filter_of,
    grouped_select,
    narrow,
    pick_filters,
    pick_measure,
)
from sqlrl.authoring.grammar.frames import choose, fill, measured
from sqlrl.authoring.grammar.frames_groups import ask_grouped
from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.measures import Measure
from sqlrl.authoring.grammar.schema import Domain
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

GROUP_FRAMES = {
    "casual": (
        "Per {what}, what's {of}? Put {many} without one under '{word}'. I want the {name} and the {figure}.",
        (
            "By {what}, with '{word}' for {many} that have none, break down {of}: the {name} and the"
            " {figure}, please."
        ),
    ),
    "formal": (
        (
            "For each {what}, please report {of}, with {many} that have none grouped as '{word}'."
            " Show the {name} and the"
            " {figure}."
        ),
    ),
    "analyst": ("Group by the {name}, with NULL shown as '{word}', and return that and {of}.",),
}
BESIDE = {
    "casual": (
        "Which {rows} {tail}? Give me the {label}.",
        "Of the {rows}, which {tail}? I need the {label}.",
    ),
    "formal": ("Among {rows}, please list the {label} of those that {tail}.",),
    "terse": ("{label} of {rows}, {short}",),
    "analyst": ("Return the {label} of {rows} that {tail}.",),
}
BESIDE_COUNT = {
    "casual": ("How many {rows} {tail}?", "Of the {rows}, how many {tail}?"),
    "formal": ("Among {rows}, please report how many {tail}.",),
    "terse": ("count {rows}, {short}",),
    "analyst": ("Count {rows} that {tail}.",),
}


@dataclass(frozen=True)
class Beside:
    """A missing or present value beside the presence or absence of rows elsewhere."""

    base: str
    kind: str
    child: str
    on: str
    has: str
    lacks: str
    column: str
    label: str
    avoid: tuple[str, ...] = ()


@dataclass(frozen=True)
class MissingGroup:
    """Groups by what may be missing.

    Attributes:
        join, shown: the outer join and what groups show of what it finds.
        what: what may be missing; words: what stands for it.
        label: names what is shown, where that is not the name of ``what``.
    """

    base: str
    join: str
    shown: str
    what: str
    words: tuple[str, ...]
    label: str = ""


@dataclass(frozen=True)
class MissingAsZero:
    """An average in which a missing value counts as zero, or in which only given ones count.

    Attributes:
        column: the nullable column; present: the kind of filter that it has a value.
        noun: what it is; row: what one row is; zero: what counts as 0; short: the same in keywords.
        keys: what is grouped by; narrowed: choices of tables to narrow.
    """

    base: str
    column: str
    noun: str
    present: str
    keys: tuple[Key, ...]
    narrowed: tuple[list[str], ...]
    row: str
    zero: str
    short: str

    def averages(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """The average per group."""
        key = draw.structure.pick(self.keys)
        zero = draw.structure.chance(0.6)
        tables = draw.structure.pick(self.narrowed)
        avoid = domain.schema.families_of(key)
        if self.base in tables:
            avoid = (*avoid, domain.schema.family(self.present))
        filters = pick_filters(domain, draw, tables, avoid)
        if not zero:
            filters = (*filters, filter_of(domain, draw, self.base, self.present))
        scope = domain.scope(self.base, filters)
        note = f", counting {self.zero} as 0" if zero else ""
        name = self.column.split(".")[1]
        measure = Measure(
            base=self.base,
            sql=f"AVG(COALESCE({self.column}, 0))" if zero else f"AVG({self.column})",
            alias="average",
            of=(f"the average {self.noun} per {self.row} over {{rows}}{note}",),
            word=f"average {self.noun}",
            terse=(f"avg {self.noun}{f' ({self.short} = 0)' if zero else ''}",),
            analyst=(f"the average {name} over {{rows}}{', NULL counted as 0' if zero else ''}",),
            kind="average",
        )
        return Draft(ask_grouped(draw, style, scope, key, [measure]), grouped_select(scope, key, [measure]))


@dataclass(frozen=True)
class HardNulls:
    """Writers about missing values among others.

    Attributes:
        like: a key beside which measures are picked for groups of what may be missing.
        avoid: families of filters that would say whether it is missing.
    """

    groups: tuple[MissingGroup, ...]
    besides: tuple[Beside, ...]
    like: Key
    avoid: tuple[str, ...]

    def grouped_with_none(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Groups by what may be missing, the missing ones as a group of their own."""
        one = draw.structure.pick(self.groups)
        base, what = one.base, one.what
        word = draw.detail.pick(one.words)
        scope = narrow(domain, draw, base, [base], self.avoid)
        measure = pick_measure(domain, draw, scope, self.like)
        label = f"COALESCE({one.shown}, '{word}')"
        sql = Select(
            (label, measure.sql), f"{base} {domain.alias(base)} {one.join}".rstrip(), scope.where(), (label,)
        )
        name = one.label or (what if "'" in what else f"{what} name")
        if style == "terse":
            head = ", ".join(
                [f"{draw.detail.pick(measure.terse)} per {what}, missing as '{word}'", *scope.keywords()]
            )
            return Draft(f"{head}; {name}, {measure.word}{'; only groups with any' if one.join else ''}", sql)
        question = fill(
            choose(draw, style, GROUP_FRAMES),
            what=what,
            of=measured(measure, scope, style, draw),
            word=word,
            name=name,
            figure=measure.word,
            many=domain.many(base),
        )
        return Draft(f"{question}{' Show only groups that have any.' if one.join else ''}", sql)

    def missing_beside(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """A missing value beside the presence or absence of rows elsewhere."""
        one = draw.structure.pick(self.besides)
        there, count = draw.structure.chance(0.5), draw.structure.chance(0.5)
        first = filter_of(domain, draw, one.base, one.kind)
        scope = domain.scope(
            one.base,
            (first, *pick_filters(domain, draw, [one.base], (domain.schema.family(one.kind), *one.avoid))),
        )
        word = "EXISTS" if there else "NOT EXISTS"
        test = f"{word} (SELECT 1 FROM {one.child} {domain.alias(one.child)} WHERE {one.on})"
        sql = Select(("COUNT(*)",) if count else (one.column,), scope.source(), (*scope.where(), test))
        question = fill(
            choose(draw, style, BESIDE_COUNT if count else BESIDE),
            rows=scope.rows(style),
            tail=one.has if there else one.lacks,
            label=one.label,
            short=f"{'with' if there else 'without'} any {domain.one(one.child)}",
        )
        return Draft(question, sql)
