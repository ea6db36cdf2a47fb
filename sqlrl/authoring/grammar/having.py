"""Archetype group having: conditions on groups."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.columns import Number
from sqlrl.authoring.grammar.compose import grouped_select, maybe, narrow, threshold
from sqlrl.authoring.grammar.frames import choose, every, fill, is_row_count, measured, the
from sqlrl.authoring.grammar.frames_groups import ask_having
from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.measures import RANKABLE, Measure, fitting
from sqlrl.authoring.grammar.schema import Chapter, Domain
from sqlrl.authoring.grammar.scope import Scope
from sqlrl.authoring.phrasing import article, number_text
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

LONG = 60  # characters of a measure's SQL
BOTH = {
    "casual": (
        "Looking at {rows}, which {many} have {both}? Just the {label}, please.",
        "Which {many} show {both}, going by {rows}? I only need the {label}.",
    ),
    "formal": (
        "Based on {rows}, please list the {label} of every {one} with {both}.",
        "Please provide, from {rows}, the {label} of each {one} that has {both}.",
    ),
    "analyst": (
        "Over {rows}, group by {column} and return the {label} of groups with {both}.",
        "For {column} over {rows}, return the {label} where there is {both}.",
    ),
}
OVERALL = {
    "casual": (
        (
            "For which {many} is the average {word} of {rows} {side} the average {word} of all {rows}?"
            " Give me {labels}."
        ),
        "Which {many} have an average {word} of {rows} {side} the overall average? I want {labels}.",
    ),
    "formal": (
        (
            "Please list every {one} whose average {word} of {rows} is {side} the average over all"
            " {rows}, with {labels}."
        ),
        "Please report {labels} of each {one} where {rows} have an average {word} {side} that of all {rows}.",
    ),
    "terse": ("{many} with avg {word} of {rows} {side} the overall average; {bare}",),
    "analyst": (
        (
            "Group {base} by {column}; keep groups with average {name} {side} the average {name}"
            " over all {base}; return"
            " {labels}."
        ),
    ),
}
LARGER = {
    "casual": ("Which {many} have more {rows} than the average {one} that has any? Give me {labels}.",),
    "formal": (
        (
            "Please list the {many} with more {rows} than the average {one} that has at least one,"
            " showing {labels}."
        ),
    ),
    "analyst": (
        "Per {column}, take {what}; return {labels} of groups above the mean count over these groups.",
    ),
}


@dataclass(frozen=True)
class Having:
    """Writers about conditions on groups.

    Attributes:
        single: the tables grouped by a column of their own; over_joins: by a joined one.
        twice: the tables whose groups pass two conditions; not_twice: names of keys that make too few groups.
        numbers: (base, number) whose average of a group is set against that of all rows.
        counted: (base, key) whose groups are set against the average size.
        counts_apart: whether two conditions must not both be on counts, where one mostly implies the other.
    """

    single: tuple[str, ...]
    over_joins: tuple[str, ...]
    twice: tuple[str, ...]
    not_twice: tuple[str, ...]
    numbers: tuple[tuple[str, Number], ...]
    counted: tuple[tuple[str, Key], ...]
    counts_apart: bool = False

    def chapter(self) -> Chapter:
        """All writers."""
        return Chapter(
            easy=(self.one_table,),
            medium=(self.joined,),
            hard=(self.two_conditions, self.against_overall, self.larger_than_average),
        )

    def one_table(self, domain: Domain, draw: Draw, style: str) -> Draft | None:
        """Groups of one table by their size, or by another simple aggregate."""
        base = draw.structure.pick(self.single)
        key = draw.structure.pick([key for key in domain.schema.own_keys[base] if not key.flag])
        scope = narrow(domain, draw, base, maybe(draw, 0.5, base), domain.schema.families_of(key))
        measures = fitting(domain.schema.measures[base], scope, key)
        return self._having(
            domain, draw, style, scope, key, [one for one in measures if one.kind in RANKABLE]
        )

    def joined(self, domain: Domain, draw: Draw, style: str) -> Draft | None:
        """Groups over a join."""
        base = draw.structure.pick(self.over_joins)
        key = draw.structure.pick([key for key in domain.schema.joined_keys[base] if not key.flag])
        scope = narrow(domain, draw, base, maybe(draw, 0.5, base), domain.schema.families_of(key))
        measures = [one for one in fitting(domain.schema.measures[base], scope, key) if one.kind != "date"]
        # A long formula would stand there twice.
        short = [one for one in measures if len(one.sql) < LONG]
        return self._having(domain, draw, style, scope, key, short)

    def _having(
        self, domain: Domain, draw: Draw, style: str, scope: Scope, key: Key, measures: Sequence[Measure]
    ) -> Draft | None:
        measure = draw.structure.pick(measures)
        # Fewer than a number could also mean none, and groups without rows are not there.
        sign = draw.structure.pick((">", ">=") if measure.kind in ("count", "amount") else (">", "<"))
        shown = draw.structure.chance(0.6)
        number = threshold(domain, draw, scope, key, measure)
        if number is None or number <= 0:
            return None
        select = grouped_select(scope, key, [measure])
        columns = select.columns if shown else select.columns[:1]
        sql = replace(select, columns=columns, having=(f"{measure.sql} {sign} {number_text(number)}",))
        return Draft(ask_having(draw, style, scope, key, measure, sign, number, shown), sql)

    def two_conditions(self, domain: Domain, draw: Draw, style: str) -> Draft | None:
        """Groups that pass two conditions."""
        base = draw.structure.pick(self.twice)
        key = draw.structure.pick(
            [key for key in domain.schema.joined_keys[base] if key.name not in self.not_twice]
        )
        scope = narrow(domain, draw, base, maybe(draw, 0.4, base), domain.schema.families_of(key))
        pool = [
            one
            for one in fitting(domain.schema.measures[base], scope, key)
            if one.kind in RANKABLE and not one.needs
        ]
        pair = draw.structure.sample(pool, 2)
        if self.counts_apart and all(one.kind == "count" for one in pair):
            return None
        numbers = [threshold(domain, draw, scope, key, one) for one in pair]
        texts = [number_text(number) for number in numbers if number is not None and number > 0]
        if len(texts) < 2:
            return None
        having = tuple(f"{one.sql} > {text}" for one, text in zip(pair, texts, strict=True))
        select = grouped_select(scope, key, pair)
        sql = replace(select, columns=(key.sql,), having=having)
        if style == "terse":
            words = " and ".join(
                f"{draw.detail.pick(one.terse)} > {text}" for one, text in zip(pair, texts, strict=True)
            )
            return Draft(
                f"{', '.join([f'{key.many} with {words}', *scope.keywords()])}; {key.label} only", sql
            )
        both = " as well as ".join(
            f"{_article(one)}{one.word} above {text}" for one, text in zip(pair, texts, strict=True)
        )
        question = fill(
            choose(draw, style, BOTH),
            rows=every(scope, style),
            many=key.many,
            one=key.one,
            column=key.column,
            label=key.label,
            both=both,
        )
        return Draft(question, sql)

    def against_overall(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Groups whose average is beyond the overall average."""
        base, number = draw.structure.pick(self.numbers)
        column, word, name = number.sql, number.noun, number.name
        own = [key for key in domain.schema.own_keys[base] if key.sql != column and not key.flag]
        joined = [key for key in domain.schema.joined_keys.get(base, ()) if not key.flag]
        key = draw.structure.pick((*joined, *own))
        side, sign = draw.structure.pick((("above", ">"), ("below", "<")))
        measure = next(one for one in domain.schema.measures[base] if one.sql == f"AVG({column})")
        scope = domain.scope(base)
        condition = f"AVG({column}) {sign} (SELECT AVG({name}) FROM {base})"
        sql = replace(grouped_select(scope, key, [measure]), having=(condition,))
        labels = [key.label, measure.word]
        question = fill(
            choose(draw, style, OVERALL),
            rows=scope.plural(),
            many=key.many,
            one=key.one,
            column=key.column,
            word=word,
            side=side,
            labels=the(labels),
            bare=", ".join(labels),
            base=base,
            name=name,
        )
        return Draft(question, sql)

    def larger_than_average(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Groups larger than the average group."""
        base, key = draw.structure.pick(self.counted)
        scope = narrow(domain, draw, base, maybe(draw, 0.7, base), domain.schema.families_of(key))
        measure = next(one for one in domain.schema.measures[base] if is_row_count(one))
        select = grouped_select(scope, key, [measure])
        counts = Select(("COUNT(*) AS n",), select.source, select.where, select.group).text()
        sql = replace(select, having=(f"COUNT(*) > (SELECT AVG(n) FROM ({counts}) t)",))
        labels = [key.label, measure.word]
        if style == "terse":
            head = f"{key.many} with more {scope.plural()} than the average {key.one} that has any"
            return Draft(f"{', '.join([head, *scope.keywords()])}; {', '.join(labels)}", sql)
        question = fill(
            choose(draw, style, LARGER),
            rows=scope.rows(style),
            what=measured(measure, scope, style, draw),
            many=key.many,
            one=key.one,
            column=key.column,
            labels=the(labels),
        )
        return Draft(question, sql)


def _article(measure: Measure) -> str:
    return "" if measure.mass else f"{article(measure.word)} "
