"""Archetype multi-table join: three to five tables."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.compose import (
    grouped_select,
    narrow,
    pick_filters,
    pick_measure,
    select_rows,
)
from sqlrl.authoring.grammar.frames import ask_list, ask_scalar, choose, fill, measured, naming, the
from sqlrl.authoring.grammar.frames_groups import ask_grouped
from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.measures import Measure, fitting
from sqlrl.authoring.grammar.schema import Chapter, Domain
from sqlrl.authoring.grammar.scope import Scope
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

# Base, near table, far table: the far one is read through the near one, or both hang on the base.
Chain = tuple[str, str, str]

DIFFERENT_FRAMES = {
    "casual": (
        "Can you list the {many} {rows}? Just the names, {once}.",
        "Which {many} {rows} are there? Names only, {once}.",
        "I'm after the {many} {rows}. The names will do, {once}.",
    ),
    "formal": (
        "Please list the names of the {many} {rows}, {once}.",
        "Please provide the names of all {many} {rows}, {once}.",
    ),
    "terse": ("distinct {names}: {many} {rows}", "{many} {rows}; distinct {names}"),
    "analyst": ("Return the distinct {names} of {many} {rows}.", "List distinct {names} for {many} {rows}."),
}
ONCE = ("each only once", "each of them once", "without repeats")
BEYOND = {
    "casual": (
        (
            "Per {one}, take {what}. Which {many} are {side} the average over {many} {that} have any?"
            " Give me {labels}."
        ),
        (
            "Per {one}, work out {what}. I want {labels} of the {many} {side} the average of all {many}"
            " {that} have any."
        ),
    ),
    "formal": (
        (
            "Considering, per {one}, {what}, please list the {many} {side} the average of all {many}"
            " {that} have any, with"
            " {labels}."
        ),
    ),
    "analyst": (
        "Per {column}, compute {what}; return {labels} where it is {side} the mean over these groups.",
    ),
}
NESTED = {
    "casual": (
        (
            "Work out, for each {one}, {what}. Then give me the {label} and the {word} of that per"
            " {outer}, ignoring {many}"
            " without any."
        ),
    ),
    "formal": (
        (
            "Please determine, per {one}, {what} and report, for each {outer}, the {label} and the"
            " {word} of these figures."
            " Omit {many} without any."
        ),
    ),
    "analyst": (
        (
            "Compute, per {one}, {what}; then for each {column} return the {label} and the {word} of"
            " these totals."
        ),
    ),
}


@dataclass(frozen=True)
class DifferentNames:
    """Names at the far end of a chain, each once.

    Attributes:
        many: what they are, up to the narrowed rows: "customers who bought"; narrowed: the table of these.
        filtered: the tables by one of which they are narrowed.
        named: what their names are called, where it is not "name".
    """

    base: str
    far: str
    many: str
    narrowed: str
    filtered: tuple[str, ...]
    named: str = "name"


@dataclass(frozen=True)
class Nesting:
    """Totals per row of ``table``, which are aggregated again per outer key.

    Attributes:
        filtered: choices of the tables that narrow the rows.
        key: the primary key column of ``table``.
    """

    base: str
    outer: Key
    table: str
    filtered: tuple[list[str], ...]
    key: str = "id"


@dataclass(frozen=True)
class ManyTables:
    """Writers about three to five tables.

    Attributes:
        favoured: chains that are grouped more often than the others.
        unlisted: the bases whose rows are not listed one by one.
        unfiltered: the tables that are not narrowed where they are grouped by.
        keys_of: by table, what is grouped by.
        beyond: (base, keys, choices of tables to narrow) for groups against the average group.
        summed: the kinds of measures that such groups are compared by.
    """

    chains: tuple[Chain, ...]
    favoured: tuple[Chain, ...]
    different_names: tuple[DifferentNames, ...]
    keys_of: Mapping[str, tuple[Key, ...]]
    beyond: tuple[tuple[str, tuple[Key, ...], tuple[list[str], ...]], ...]
    nestings: tuple[Nesting, ...]
    unlisted: tuple[str, ...] = ()
    unfiltered: tuple[str, ...] = ()
    summed: tuple[str, ...] = ("amount",)

    def chapter(self) -> Chapter:
        """All writers."""
        return Chapter(
            easy=(self.scalar, self.scalar, self.different, self.listed),
            medium=(self.grouped,),
            hard=(self.beyond_average_group, self.nested),
        )

    def scalar(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """One aggregate with a condition at the far end."""
        base, near, far = draw.structure.pick(self.chains)
        tables = [far] if near in _way(domain, base, far) else [near, far]
        scope = narrow(domain, draw, base, tables)
        measure = _measure(domain, draw, scope)
        sql = Select((measure.sql,), scope.source(*measure.needs), scope.where())
        return Draft(ask_scalar(draw, style, scope, [measure]), sql)

    def different(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """The different names at the far end of a chain."""
        one = draw.structure.pick(self.different_names)
        filters = pick_filters(domain, draw, [draw.structure.pick(one.filtered)])
        scope, side = domain.scope(one.base, filters), domain.scope(one.narrowed, filters)
        name = domain.schema.names[one.far]
        sql = replace(select_rows(scope, [name]), distinct=True)
        plurals = domain.schema.tables.plurals
        question = fill(
            naming(choose(draw, style, DIFFERENT_FRAMES), one.named, plurals.get(one.named, "")),
            many=one.many,
            rows=side.rows(style),
            names=plurals.get(name.label, name.label.replace("name", "names")),
            once=draw.detail.pick(ONCE),
        )
        return Draft(question, sql)

    def listed(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Rows of the base with the names of two tables beside them."""
        chains = [chain for chain in self.chains if chain[0] not in self.unlisted]
        base, near, far = draw.structure.pick(chains)
        absorbed = domain.schema.tables.absorbed.get(near, ())
        tables = [base, base] if far in absorbed else [base, far]
        scope = narrow(domain, draw, base, tables)
        columns = (domain.schema.columns[base][0], domain.schema.names[near], domain.schema.names[far])
        return Draft(
            ask_list(draw, style, scope, [one.label for one in columns]), select_rows(scope, columns)
        )

    def grouped(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """One aggregate of every group over three to five tables."""
        base, near, far = draw.structure.pick((*self.favoured, *self.chains))
        table = draw.structure.pick((near, far))
        key = draw.structure.pick(self.keys_of[table])
        other = far if table == near else near
        tables = [other] if other not in _way(domain, base, table) or draw.structure.chance(0.4) else [base]
        if draw.structure.chance(0.3):
            tables.append(base)
        if key.table in self.unfiltered:
            tables = [one for one in tables if one != key.table]
        scope = narrow(domain, draw, base, tables, domain.schema.families_of(key))
        measure = _measure(domain, draw, scope, key)
        return Draft(ask_grouped(draw, style, scope, key, [measure]), grouped_select(scope, key, [measure]))

    def beyond_average_group(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Groups above or below the average group, by a CTE."""
        base, keys, choices = draw.structure.pick(self.beyond)
        key = draw.structure.pick(keys)
        tables = draw.structure.pick(choices)
        scope = narrow(domain, draw, base, tables, domain.schema.families_of(key))
        measure = pick_measure(domain, draw, scope, key, self.summed)
        plain = grouped_select(scope, key, [measure], named=True)
        inner = replace(plain, columns=(f"{key.sql} AS name", *plain.columns[1:]))
        side, sign = draw.structure.pick((("above", ">"), ("below", "<")))
        sql = (
            f"WITH totals AS ({inner.text()}) SELECT name, {measure.alias} FROM totals"
            f" WHERE {measure.alias} {sign} (SELECT AVG({measure.alias}) FROM totals)"
        )
        labels = [key.label, measure.word]
        if style == "terse":
            head = f"{key.many} with {draw.detail.pick(measure.terse)} {side} the average {key.one}"
            return Draft(
                f"{', '.join([head, *scope.keywords()])}; only {key.many} with any; {', '.join(labels)}", sql
            )
        question = fill(
            choose(draw, style, BEYOND),
            what=measured(measure, scope, style, draw),
            one=key.one,
            many=key.many,
            that="who" if key.person else "that",
            side=side,
            column=key.column,
            labels=the(labels),
        )
        return Draft(question, sql)

    def nested(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """An aggregate per inner group, averaged or maximised per outer group."""
        nesting = draw.structure.pick(self.nestings)
        base, outer, table, one = nesting.base, nesting.outer, nesting.table, domain.one(nesting.table)
        tables = draw.structure.pick(nesting.filtered)
        scope = narrow(domain, draw, base, tables, domain.schema.families_of(outer))
        choices = fitting(domain.schema.measures[base], scope, outer)
        # The number of different patients per patient would be 1.
        fits = [one for one in choices if one.kind in self.summed and one.entity != table]
        measure = draw.structure.pick(fits)
        inner = Select(
            (f"{outer.sql} AS name", f"{measure.sql} AS {measure.alias}"),
            scope.source(outer.table, table, *measure.needs),
            scope.where(),
            (outer.sql, f"{domain.alias(table)}.{nesting.key}"),
        )
        function, word = draw.structure.pick((("AVG", "average"), ("MAX", "highest")))
        sql = f"WITH totals AS ({inner.text()}) SELECT name, {function}({measure.alias}) FROM totals GROUP BY name"
        many = domain.many(table)
        if style == "terse":
            head = f"{word} {draw.detail.pick(measure.terse)} per {one}, by {outer.one}"
            labels = f"{outer.label}, {word} per {one}"
            return Draft(f"{', '.join([head, *scope.keywords()])}; {labels}; skip {many} without any", sql)
        question = fill(
            choose(draw, style, NESTED),
            what=measured(measure, scope, style, draw),
            one=one,
            many=many,
            outer=outer.one,
            column=outer.column,
            label=outer.label,
            word=word,
        )
        return Draft(question, sql)


def _way(domain: Domain, base: str, table: str) -> tuple[str, ...]:
    return tuple(link.parent for link in domain.schema.tables.path_to(base, table))


def _measure(domain: Domain, draw: Draw, scope: Scope, key: Key | None = None) -> Measure:
    measures = fitting(domain.schema.measures[scope.base], scope, key)
    # Formulas are long; a table is joined for one only where it is read anyway.
    return draw.structure.pick([one for one in measures if set(one.needs) <= set(scope.tables())])
