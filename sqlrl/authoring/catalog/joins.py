"""Pages about several tables: two-table join, multi-table join."""

from collections.abc import Iterator

from sqlrl.authoring.catalog.conditions import family_of
from sqlrl.authoring.catalog.edges import Edge
from sqlrl.authoring.catalog.pages import Page, pages
from sqlrl.authoring.catalog.roles import CATEGORY, DAY, MEASURE
from sqlrl.authoring.catalog.views import Schemas, View
from sqlrl.authoring.catalog.vocabulary import Vocabulary
from sqlrl.authoring.grammar.many_tables import Chain, DifferentNames, ManyTables, Nesting
from sqlrl.authoring.grammar.two_tables import TwoTables
from sqlrl.authoring.grammar.two_tables_hard import AgainstOthers, Extreme, Outer, OwnAverage


def two_tables(view: View) -> Iterator[Page]:
    """A table and what it leads to directly.

    Args:
        view: a table with its parents.
    """
    schema, base = view.domain.schema, view.base
    links = view.links()
    listable = tuple(
        link
        for link in links
        if _names_both(view, link.parent) and schema.filters[link.parent] and schema.filters[base]
    )
    keys_of = {link.parent: view.words[link.parent].keys_from_afar() for link in links}
    against = AgainstOthers((), _own_averages(view), ())
    made = TwoTables(listable, (), keys_of, against)
    yield from pages(
        "two-table join",
        view.domain,
        easy=(
            *((made.listed,) if listable else ()),
            *((made.counted,) if any(schema.filters[link.parent] for link in links) else ()),
        ),
        medium=(made.grouped,) if any(keys_of.values()) else (),
        hard=(against.against_own_average,) if against.own_averages and schema.filters[base] else (),
    )


def with_children(schemas: Schemas, view: View) -> Iterator[Page]:
    """A table and what leads to it: counts with zeros, the latest child of each row.

    Args:
        view: a table with its children.
    """
    own, name = view.own, view.own.table.identity
    if name is None:
        return
    edges = [edge for edge in schemas.children(view.base) if edge.child in view.words]
    outers = tuple(_outer(view, edge) for edge in edges)
    extremes = tuple(one for edge in edges if edge.single for one in _extremes(view, edge))
    made = AgainstOthers(outers, (), extremes)
    yield from pages(
        "two-table join",
        view.domain,
        hard=(
            *((made.with_zeros, made.with_zeros) if outers and own.filters() else ()),
            *((made.extreme_child,) if extremes and own.filters() else ()),
        ),
    )


def many_tables(view: View) -> Iterator[Page]:
    """Three tables: over two foreign keys in a row, or over two of one table.

    Args:
        view: a table with its parents and theirs.
    """
    schema, base = view.domain.schema, view.base
    straight = _chains(view)
    if straight:
        made = _many(view, straight, straight)
        named = [chain for chain in straight if _names_both(view, chain[1]) and _names_both(view, chain[2])]
        listed = _many(view, tuple(named), ())
        yield from pages(
            "multi-table join",
            view.domain,
            easy=(
                *((made.scalar, made.scalar) if any(schema.filters[far] for _, _, far in straight) else ()),
                *((listed.listed,) if named and schema.columns[base] and schema.filters[base] else ()),
            ),
            medium=(made.grouped, made.grouped) if any(made.keys_of.values()) else (),
            hard=(
                *((made.beyond_average_group,) if made.beyond else ()),
                *((made.nested,) if made.nestings else ()),
            ),
        )
    forks = _forks(view)
    if forks:
        made = _many(view, forks, ())
        names = _different(view)
        other = ManyTables((), (), names, {}, (), ())
        yield from pages(
            "multi-table join",
            view.domain,
            easy=(other.different, other.different) if names else (),
            medium=(made.grouped,) if any(made.keys_of.values()) else (),
        )


def _names_both(view: View, parent: str) -> bool:
    """Whether lists can name a row and its parent, by two columns."""
    schema = view.domain.schema
    columns, name = schema.columns[view.base], schema.names.get(parent)
    return bool(columns) and name is not None and name.label != columns[0].label


def _own_averages(view: View) -> tuple[OwnAverage, ...]:
    found: list[OwnAverage] = []
    for parent, edge in view.edges.items():
        words = view.words[parent]
        name = words.name()
        if edge.child == view.base and edge.single and name is not None and _names_both(view, parent):
            found.extend(
                OwnAverage(
                    base=view.base,
                    number=number,
                    owner=edge.columns[0],
                    parent=parent,
                    label_sql=name.sql,
                    label=name.label,
                    group=edge.role,
                )
                for number in view.domain.schema.numbers.get(view.base, ())
            )
    return tuple(found)


def _outer(view: View, edge: Edge) -> Outer:
    own, child = view.own, view.words[edge.child]
    name = own.table.identity
    assert name is not None
    return Outer(
        parent=view.base,
        child=edge.child,
        label=own.column(name),
        counted=f"{child.alias}.{edge.columns[0]}",
        on=edge.on(child.alias, own.alias),
        relation="they have" if edge.plain else f"they are the {edge.role} of",
        avoid=tuple(family_of(edge.child, one) for one in edge.names),
        named=name.label,
    )


def _extremes(view: View, edge: Edge) -> Iterator[Extreme]:
    """The latest and the earliest child, where children have one date and something else to show."""
    own, child = view.own, view.words[edge.child]
    days, name = child.table.of(DAY), own.table.identity
    if len(days) != 1 or not days[0].full or name is None or not edge.plain:
        return
    for further in (*child.table.of(CATEGORY), *child.table.of(MEASURE)):
        yield Extreme(
            child=edge.child,
            parent=view.base,
            owner=edge.columns[0],
            day=days[0].sql,
            tie="of",
            event=child.one,
            further=further.sql,
            label=further.label,
            key=edge.keys[0],
            name=name.sql,
            named=name.label,
            day_label=days[0].label,
        )


def _chains(view: View) -> tuple[Chain, ...]:
    """Tables two foreign keys away, with the one between."""
    return tuple(
        (view.base, edge.child, parent) for parent, edge in view.edges.items() if edge.child != view.base
    )


def _forks(view: View) -> tuple[Chain, ...]:
    """Pairs of tables that the base leads to directly."""
    near = [parent for parent, edge in view.edges.items() if edge.child == view.base]
    return tuple((view.base, one, other) for one in near for other in near if one < other)


def _many(view: View, chains: tuple[Chain, ...], deep: tuple[Chain, ...]) -> ManyTables:
    base = view.base
    tables = {table for _, near, far in chains for table in (near, far)}
    keys_of = {table: view.words[table].keys_from_afar() for table in tables}
    keys = tuple(key for table in sorted(tables) for key in keys_of[table])
    narrowed = _narrowed(view, [base, *sorted(tables)])
    return ManyTables(
        chains=chains,
        favoured=(),
        different_names=(),
        keys_of=keys_of,
        beyond=((base, keys, narrowed),) if keys and deep else (),
        nestings=tuple(one for chain in deep for one in _nestings(view, chain)),
        summed=("amount", "count"),
    )


def _nestings(view: View, chain: Chain) -> Iterator[Nesting]:
    """Totals per row of the near table, aggregated per row or category of the far one."""
    base, near, far = chain
    narrowed = _narrowed(view, [base, near])
    key = view.words[near].table.relation.primary
    if len(key) == 1:
        column = view.words[near].table.relation.field(key[0]).sql
        for outer in view.words[far].keys_from_afar():
            yield Nesting(base, outer, near, narrowed, column)


def _narrowed(view: View, tables: list[str]) -> tuple[list[str], ...]:
    """No condition, or one on one of the tables."""
    filters = view.domain.schema.filters
    return ([], *([table] for table in tables if filters[table]))


def _different(view: View) -> tuple[DifferentNames, ...]:
    """Rows at one end of a fork, by conditions on the other end."""
    found: list[DifferentNames] = []
    schema = view.domain.schema
    for _, one, other in _forks(view):
        for far, narrowed in ((one, other), (other, one)):
            words: Vocabulary = view.words[far]
            name = words.table.identity
            if name is not None and far in schema.names and schema.filters[narrowed]:
                many = f"{words.many} linked by {view.own.many} to"
                found.append(DifferentNames(view.base, far, many, narrowed, (narrowed,), name.label))
    return tuple(found)
