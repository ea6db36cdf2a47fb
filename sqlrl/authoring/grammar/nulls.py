"""Archetype null semantics, easy and medium: missing values, with the meanings of the notes."""

from dataclasses import dataclass

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
from sqlrl.authoring.grammar.frames import ask_list, ask_scalar, choose, every, fill, naming
from sqlrl.authoring.grammar.frames_groups import ask_grouped
from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.schema import Domain
from sqlrl.authoring.grammar.scope import Scope
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

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


@dataclass(frozen=True)
class Presence:
    """A nullable column: what rows may have, the family of filters about it."""

    base: str
    column: str
    what: str
    family: str


@dataclass(frozen=True)
class Named:
    """What rows may lack, by name.

    Attributes:
        join, parent: the outer join and the name that it finds.
        what: what may be missing; words: what stands for it.
        filters: how many conditions narrow the rows.
        named: what the name is called, where it is not "name".
    """

    base: str
    join: str
    parent: str
    what: str
    words: tuple[str, ...]
    family: str
    filters: int = 1
    named: str = "name"


@dataclass(frozen=True)
class Nulls:
    """Writers about missing values.

    Attributes:
        missing: (base, kind of filter) that a value is missing or present.
        uncounted: bases whose rows are not counted by themselves; listable: whose rows are listed;
            groupable: whose rows are grouped.
        ungrouped: names of keys that may be missing themselves.
    """

    missing: tuple[tuple[str, str], ...]
    presence: tuple[Presence, ...]
    named: tuple[Named, ...]
    listable: tuple[str, ...]
    groupable: tuple[str, ...]
    uncounted: tuple[str, ...] = ()
    ungrouped: tuple[str, ...] = ()

    def _missing(
        self, domain: Domain, draw: Draw, bases: tuple[str, ...], more: int, avoid: tuple[str, ...] = ()
    ) -> Scope:
        """A base with one condition about a missing value and some about other columns."""
        base, kind = draw.structure.pick(
            [one for one in self.missing if one[0] in bases and domain.schema.family(one[1]) not in avoid]
        )
        first = filter_of(domain, draw, base, kind)
        return domain.scope(
            base, (first, *pick_filters(domain, draw, [base] * more, (domain.schema.family(kind), *avoid)))
        )

    def scalar(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """One aggregate of rows where a value is missing or present."""
        bases = tuple(dict.fromkeys(base for base, _ in self.missing))
        scope = self._missing(domain, draw, bases, draw.structure.below(2))
        measure = pick_measure(
            domain,
            draw,
            scope,
            None,
            ("count",) if scope.base not in self.uncounted and draw.structure.chance(0.5) else None,
        )
        sql = Select((measure.sql,), scope.source(*measure.needs), scope.where())
        return Draft(ask_scalar(draw, style, scope, [measure]), sql)

    def listed(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Rows where a value is missing or present."""
        scope = self._missing(domain, draw, self.listable, 1)
        columns = pick_columns(draw, domain.schema.columns, scope.base, 1 + draw.structure.below(2))
        return Draft(
            ask_list(draw, style, scope, [one.label for one in columns]), select_rows(scope, columns)
        )

    def grouped(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Groups of rows where a value is missing or present."""
        base = draw.structure.pick(self.groupable)
        keys = [
            key
            for key in (*domain.schema.own_keys[base], *domain.schema.joined_keys.get(base, ()))
            if key.name not in self.ungrouped
        ]
        key = draw.structure.pick(keys)
        scope = self._missing(domain, draw, (base,), draw.structure.below(2), domain.schema.families_of(key))
        measure = pick_measure(domain, draw, scope, key)
        return Draft(ask_grouped(draw, style, scope, key, [measure]), grouped_select(scope, key, [measure]))

    def both_sides(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """How many rows have a value and how many don't, per group or in all."""
        one = draw.structure.pick(self.presence)
        base, column = one.base, one.column
        keys: list[Key | None] = [None, *(key for key in domain.schema.own_keys[base] if not key.numerous)]
        key = draw.structure.pick(keys)
        avoid = (one.family, *(domain.schema.families_of(key) if key else ()))
        scope = narrow(domain, draw, base, maybe(draw, 0.6, base), avoid)
        columns = (*([key.sql] if key else []), f"COUNT({column})", f"COUNT(*) - COUNT({column})")
        sql = Select(columns, scope.source(), scope.where(), (key.sql,) if key else ())
        question = fill(
            choose(draw, style, BOTH_PER_GROUP if key else BOTH_IN_ALL),
            every=every(scope, style),
            rows=scope.rows(style),
            what=one.what,
            name=column.split(".")[1],
            one=key.one if key else "",
            label=key.label if key else "",
            column=key.column if key else "",
        )
        return Draft(question, sql)

    def named_or_none(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Rows with the name of what they may lack, a word where it is missing."""
        one = draw.structure.pick(self.named)
        base, first = one.base, domain.schema.columns[one.base][0]
        word = draw.detail.pick(one.words)
        scope = narrow(domain, draw, base, [base] * one.filters, (one.family,))
        sql = Select(
            (first.sql, f"COALESCE({one.parent}, '{word}')"),
            f"{base} {domain.alias(base)} {one.join}",
            scope.where(),
        )
        label = f"{domain.one(base)} name" if first.label == "name" else first.label
        frame = naming(choose(draw, style, NAMED_FRAMES), one.named)
        return Draft(fill(frame, rows=scope.rows(style), label=label, what=one.what, word=word), sql)
