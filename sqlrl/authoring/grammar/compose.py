"""Drawing the parts of a question: filters, measures, keys and thresholds that fit together."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.columns import Column
from sqlrl.authoring.grammar.filters import Filter
from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.measures import Measure, fitting
from sqlrl.authoring.grammar.schema import Domain
from sqlrl.authoring.grammar.scope import Scope
from sqlrl.authoring.grammar.values import between
from sqlrl.authoring.query import Select


def filter_of(domain: Domain, draw: Draw, table: str, kind: str) -> Filter:
    """One filter of a given kind; its literals and words are drawn."""
    made = domain.schema.filters[table][kind](domain.values, draw)
    return replace(made, family=domain.schema.family(kind))


def pick_filters(
    domain: Domain, draw: Draw, tables: Sequence[str], avoid: Sequence[str] = ()
) -> tuple[Filter, ...]:
    """One filter on each table named (a table may be named twice), no two of one family.

    Args:
        avoid: families that must not be used.
    """
    family = domain.schema.family
    used = list(avoid)
    chosen = []
    for table in tables:
        kinds = [kind for kind in domain.schema.filters[table] if family(kind) not in used]
        kind = draw.structure.pick(kinds)
        used.append(family(kind))
        chosen.append(filter_of(domain, draw, table, kind))
    return tuple(chosen)


def narrow(
    domain: Domain,
    draw: Draw,
    base: str,
    tables: Sequence[str],
    avoid: Sequence[str] = (),
    noun: str | None = None,
) -> Scope:
    """The rows of a base with one filter on each table named; see pick_filters."""
    idle = [one for table in tables if table != base for one in domain.schema.idle.get(table, ())]
    return domain.scope(base, pick_filters(domain, draw, tables, (*avoid, *idle)), noun)


def maybe(draw: Draw, share: float, *tables: str) -> list[str]:
    """The tables to filter in this share of the structures, else none."""
    return list(tables) if draw.structure.chance(share) else []


def pick_measure(
    domain: Domain, draw: Draw, scope: Scope, key: Key | None = None, kinds: Sequence[str] | None = None
) -> Measure:
    """A measure of the scope's base that makes sense over it, of one of the kinds where given."""
    choices = fitting(domain.schema.measures[scope.base], scope, key)
    return draw.structure.pick([one for one in choices if kinds is None or one.kind in kinds])


def select_rows(scope: Scope, columns: Sequence[Column]) -> Select:
    """The columns of every row of the scope."""
    tables = [one.table for one in columns if one.table != scope.base]
    return Select(tuple(one.sql for one in columns), scope.source(*tables), scope.where())


def grouped_select(scope: Scope, key: Key, measures: Sequence[Measure], named: bool = False) -> Select:
    """The key and the measures of each group; measures get their aliases where something refers to them."""
    needs = [table for one in measures for table in one.needs]
    columns = [f"{one.sql} AS {one.alias}" if named else one.sql for one in measures]
    return Select(
        columns=(key.sql, *columns),
        source=scope.source(key.table, *needs),
        where=scope.where(),
        group=(key.sql,),
    )


def threshold(domain: Domain, draw: Draw, scope: Scope, key: Key, measure: Measure) -> Decimal | None:
    """A round number that some groups pass and others don't."""
    rows = domain.ask(grouped_select(scope, key, [measure]).text())
    found = between([row[1] for row in rows], 0.4, 0.85, halves=measure.kind == "average")
    return draw.detail.pick(found) if found else None
