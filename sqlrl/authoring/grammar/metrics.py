"""Archetype derived metric: the formulas of the notes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.compose import filter_of, grouped_select, maybe, narrow
from sqlrl.authoring.grammar.frames import ask_list, ask_scalar, choose, every, fill
from sqlrl.authoring.grammar.frames_groups import ask_grouped
from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.measures import Measure, formula
from sqlrl.authoring.grammar.schema import Domain
from sqlrl.authoring.grammar.scope import Scope
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

SHARE = {
    "casual": (
        (
            "What share of {what} does each {one} make up, in percent? Give me {label} and the"
            " percentage. Skip {many}"
            " without any."
        ),
        (
            "How does {what} split across {many}, in percent? I want {label} and the percentage,"
            " without {many} that have"
            " none."
        ),
    ),
    "formal": (
        "Please report, for each {one} that has any, {label} and its percentage share of {what}.",
        (
            "Please provide the percentage of {what} that each {one} accounts for, with {label}. Omit"
            " {many} without any."
        ),
    ),
    "analyst": (
        "For each {column}, return {label} and its percentage of {what}. Omit {many} without such rows.",
    ),
}
# Which tables narrow the rows: one of these choices is drawn.
Choices = tuple[list[str], ...]


@dataclass(frozen=True)
class RowFormulas:
    """Formulas over the columns of one row.

    Attributes:
        formulas: (SQL, label, families of filters that would fix it).
        always: see Formulas.
    """

    base: str
    formulas: tuple[tuple[str, str, tuple[str, ...]], ...]
    narrowed: Choices
    always: str = ""

    def per_row(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """A formula for each row."""
        expression, label, avoid = draw.structure.pick(self.formulas)
        tables = draw.structure.pick(self.narrowed)
        scope = _narrow(domain, draw, self.base, tables, avoid, self.always)
        first = domain.schema.columns[self.base][0]
        sql = Select((first.sql, expression), scope.source(), scope.where())
        return Draft(ask_list(draw, style, scope, [first.label, label]), sql)


@dataclass(frozen=True)
class Formulas:
    """Formulas over the rows of one table.

    Attributes:
        sums: what is asked over all rows that count; summed: how these are narrowed.
        grouped: what is asked of groups; unnamed: what only of groups that are no rows of a table.
        avoid: families of filters that would fix a formula.
        always: the kind of filter that keeps the rows for which the formulas have a value, if not all have.
    """

    base: str
    sums: tuple[Measure, ...]
    summed: Choices
    keys: tuple[Key, ...]
    grouped: tuple[Measure, ...]
    narrowed: Choices
    unnamed: tuple[Measure, ...] = ()
    avoid: tuple[str, ...] = ()
    always: str = ""

    def one_sum(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """One formula over all rows that count."""
        measure = draw.structure.pick(self.sums)
        tables = draw.structure.pick(self.summed)
        scope = _narrow(domain, draw, self.base, tables, (*self.avoid, measure.family), self.always)
        sql = Select((measure.sql,), scope.source(*measure.needs), scope.where())
        return Draft(ask_scalar(draw, style, scope, [measure]), sql)

    def by_group(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """A formula for every group."""
        key = draw.structure.pick(self.keys)
        measures = [*self.grouped, *(() if key.entity else self.unnamed)]
        measure = draw.structure.pick([one for one in measures if key.name not in one.rivals])
        tables = self.narrowed[0] if len(self.narrowed) == 1 else draw.structure.pick(self.narrowed)
        avoid = (*domain.schema.families_of(key), *self.avoid, measure.family)
        scope = _narrow(domain, draw, self.base, tables, avoid, self.always)
        return Draft(ask_grouped(draw, style, scope, key, [measure]), grouped_select(scope, key, [measure]))


@dataclass(frozen=True)
class Mixed:
    """Two tables' formulas, the first in ``share_of_sums`` and ``share_of_groups`` of the structures."""

    first: Formulas
    second: Formulas
    share_of_sums: float
    share_of_groups: float

    def one_sum(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """One formula over all rows that count."""
        one = self.first if draw.structure.chance(self.share_of_sums) else self.second
        return one.one_sum(domain, draw, style)

    def by_group(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """A formula for every group."""
        one = self.first if draw.structure.chance(self.share_of_groups) else self.second
        return one.by_group(domain, draw, style)


@dataclass(frozen=True)
class Ratios:
    """Ratios of formulas for every group, and each group's share of a total.

    Attributes:
        always: see Formulas.
        parts: what groups have a share of; shared: the keys of these groups, to one of which every row belongs.
    """

    base: str
    keys: tuple[Key, ...]
    ratios: tuple[Measure, ...]
    narrowed: Choices
    parts: tuple[Measure, ...]
    shared: tuple[Key, ...]
    shared_narrowed: Choices
    always: str = ""

    def ratio(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """A ratio of formulas for every group."""
        key = draw.structure.pick(self.keys)
        measure = draw.structure.pick([one for one in self.ratios if key.name not in one.rivals])
        tables = draw.structure.pick(self.narrowed)
        scope = _narrow(domain, draw, self.base, tables, domain.schema.families_of(key), self.always)
        return Draft(ask_grouped(draw, style, scope, key, [measure]), grouped_select(scope, key, [measure]))

    def share_of_total(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Each group's percentage of the total of all groups."""
        key = draw.structure.pick(self.shared)
        part = draw.structure.pick(self.parts)
        tables = draw.structure.pick(self.shared_narrowed)
        scope = _narrow(domain, draw, self.base, tables, domain.schema.families_of(key), self.always)
        whole = replace(part, sql=f"100 * {part.sql} / SUM({part.sql}) OVER ()")
        sql = grouped_select(scope, key, [whole])
        if style == "terse":
            head = ", ".join(
                [f"% of total {part.terse[0].removeprefix('total ')} per {key.one}", *scope.keywords()]
            )
            return Draft(f"{head}; {key.label}, percentage; skip {key.many} without any", sql)
        said = draw.detail.pick(part.analyst if style == "analyst" else part.of)
        question = fill(
            choose(draw, style, SHARE),
            what=fill(said, rows=every(scope, style)),
            one=key.one,
            many=key.many,
            label=f"the {key.label}",
            column=key.column,
        )
        return Draft(question, sql)


@dataclass(frozen=True)
class Rate:
    """The percentage of a group's rows that have a value.

    Attributes:
        column: the column of the value; noun: what it is: "status".
        values: the values that can be asked for.
        avoid: families of filters on it.
    """

    base: str
    column: str
    noun: str
    values: Callable[[Domain], Sequence[str]]
    keys: tuple[Key, ...]
    avoid: tuple[str, ...]

    def rate(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """The percentage of a group's rows that have a value."""
        key = draw.structure.pick(self.keys)
        value = draw.detail.pick(self.values(domain))
        avoid = (*domain.schema.families_of(key), *self.avoid)
        scope = narrow(domain, draw, self.base, maybe(draw, 0.7, self.base), avoid)
        measure = formula(
            self.base,
            f"100.0 * COUNT(*) FILTER (WHERE {self.column} = '{value}') / COUNT(*)",
            "rate",
            f"the percentage with {self.noun} {value} among {{rows}} (of any {self.noun})",
            f"percentage with {self.noun} {value}",
            f"the percentage with {self.noun} '{value}' among {{rows}} (of any {self.noun})",
            "average",
        )
        return Draft(ask_grouped(draw, style, scope, key, [measure]), grouped_select(scope, key, [measure]))


def _narrow(
    domain: Domain, draw: Draw, base: str, tables: Sequence[str], avoid: Sequence[str], always: str
) -> Scope:
    if not always:
        return narrow(domain, draw, base, tables, avoid)
    scope = narrow(domain, draw, base, tables, (*avoid, domain.schema.family(always)))
    return replace(scope, filters=(*scope.filters, filter_of(domain, draw, base, always)))
