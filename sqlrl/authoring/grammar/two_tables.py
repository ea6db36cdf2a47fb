"""Archetype two-table join."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.columns import pick_columns
from sqlrl.authoring.grammar.compose import grouped_select, maybe, narrow, select_rows
from sqlrl.authoring.grammar.frames import ask_list, ask_scalar
from sqlrl.authoring.grammar.frames_groups import ask_grouped
from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.measures import fitting
from sqlrl.authoring.grammar.schema import Chapter, Domain
from sqlrl.authoring.grammar.tables import Link
from sqlrl.authoring.grammar.two_tables_hard import AgainstOthers
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft


@dataclass(frozen=True)
class TwoTables:
    """Writers about a table and its parent.

    Attributes:
        listable: the links whose children are listed one by one.
        favoured: links that are grouped by more often than the others.
        keys_of: by parent, what its children are grouped by.
    """

    listable: tuple[Link, ...]
    favoured: tuple[Link, ...]
    keys_of: Mapping[str, tuple[Key, ...]]
    against: AgainstOthers

    def chapter(self) -> Chapter:
        """All writers."""
        hard = self.against
        return Chapter(
            easy=(self.listed, self.counted),
            medium=(self.grouped,),
            hard=(hard.with_zeros, hard.against_own_average, hard.extreme_child),
        )

    def listed(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Rows with the name of their parent, narrowed on either side."""
        link = draw.structure.pick(self.listable)
        child, parent = link.child, link.parent
        if parent in domain.schema.tables.absorbed.get(child, ()):
            tables = draw.structure.pick(([child], [child, child]))
        else:
            tables = draw.structure.pick(([child, parent], [child, child], [child, parent]))
        scope = narrow(domain, draw, child, tables)
        columns = (
            *pick_columns(draw, domain.schema.columns, child, 1 + draw.structure.below(2)),
            domain.schema.names[parent],
        )
        labels = [one.label for one in columns]
        labels[0] = f"{domain.one(child)} name" if labels[0] == "name" else labels[0]
        return Draft(ask_list(draw, style, scope, labels), select_rows(scope, columns))

    def counted(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """One aggregate with a condition on the parent."""
        link = draw.structure.pick(domain.schema.tables.links)
        base = link.child
        scope = narrow(domain, draw, base, [*maybe(draw, 0.4, base), link.parent])
        choices = [
            one for one in fitting(domain.schema.measures[base], scope) if set(one.needs) <= {link.parent}
        ]
        measure = draw.structure.pick(choices)
        sql = Select((measure.sql,), scope.source(*measure.needs), scope.where())
        return Draft(ask_scalar(draw, style, scope, [measure]), sql)

    def grouped(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """One aggregate for every group of the parent."""
        link = draw.structure.pick((*domain.schema.tables.links, *self.favoured))
        key = draw.structure.pick(self.keys_of[link.parent])
        base = link.child
        choices: tuple[list[str], ...] = ([base], [base], [link.parent], [base, base], [])
        absorbed = domain.schema.tables.absorbed.get(base, ())
        tables = [one for one in draw.structure.pick(choices) if one not in absorbed]
        scope = narrow(domain, draw, base, tables, domain.schema.families_of(key))
        fits = [
            one
            for one in fitting(domain.schema.measures[base], scope, key)
            if set(one.needs) <= {link.parent}
        ]
        measure = draw.structure.pick(fits)
        return Draft(ask_grouped(draw, style, scope, key, [measure]), grouped_select(scope, key, [measure]))
