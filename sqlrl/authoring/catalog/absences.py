"""Pages about absence: rows without rows elsewhere, sets of rows."""

from collections.abc import Iterator

from sqlrl.authoring.catalog.conditions import family_of
from sqlrl.authoring.catalog.edges import Bridge, Edge
from sqlrl.authoring.catalog.pages import Page, pages
from sqlrl.authoring.catalog.roles import CATEGORY, ORDINAL
from sqlrl.authoring.catalog.views import Schemas, View
from sqlrl.authoring.grammar.absence import Absence, AntiJoin
from sqlrl.authoring.grammar.absence_sets import AbsenceSets, Every, Sets

# Values of a set of which something can have one each.
MOST_OF_A_SET = 8


def absences(schemas: Schemas, view: View) -> Iterator[Page]:
    """Rows that lack rows elsewhere.

    Args:
        view: a table with its children.
    """
    if view.own.table.identity is None:
        return
    edges = [edge for edge in schemas.children(view.base) if edge.child in view.words]
    linked = [
        one
        for one in schemas.bridges[view.base]
        if one.near.child in view.words and one.far.parent in view.words
    ]
    direct = {edge.child for edge in edges}
    links = {one.near.child for one in linked}
    found = [
        *(_absence(view, edge) for edge in edges if edge.child not in links),
        *(_over_bridge(view, one) for one in linked if one.far.parent not in {*direct, view.base}),
    ]
    filters = view.domain.schema.filters
    narrowed = tuple(one for one in found if one.lacking)
    made = AntiJoin(tuple(found), (view.base,) if narrowed else (), AbsenceSets((), ()))
    yield from pages(
        "anti-join",
        view.domain,
        easy=(made.never,) if found and filters[view.base] else (),
        medium=(made.never_such, made.never_such) if narrowed and filters[view.base] else (),
        hard=(made.both, made.both) if narrowed and filters[view.base] else (),
    )


def sets(view: View) -> Iterator[Page]:
    """Parents by sets of their children.

    Args:
        view: a table with its parents.
    """
    base, _schema = view.base, view.domain.schema
    several: list[Sets] = []
    every: list[Every] = []
    for parent, edge in view.edges.items():
        words = view.words[parent]
        name = words.table.identity
        if name is None or not edge.plain:
            continue
        column, avoid = words.column(name), tuple(family_of(base, one) for one in edge.names)
        several.append(Sets(column, parent, words.many, base, base, "with", (base,), avoid, label=name.label))
        every.extend(
            Every(
                base=base,
                column=column,
                parent=parent,
                names=words.many,
                values=view.own.column(one),
                said=f"with every {one.label} that occurs at all",
                avoid=(*avoid, view.own.family(one)),
                label=name.label,
            )
            for one in (*view.own.table.of(CATEGORY), *view.own.table.of(ORDINAL))
            if one.full and one.facts.distinct <= MOST_OF_A_SET
        )
    made = AbsenceSets(tuple(several), tuple(every))
    two = len(view.families) > 1
    yield from pages(
        "anti-join",
        view.domain,
        hard=(
            *((made.set_operation,) if several and two else ()),
            *((made.all_of_a_set,) if every and two else ()),
        ),
    )


def _absence(view: View, edge: Edge) -> Absence:
    """What a row lacks, or what it is not the manager of."""
    child, own = view.words[edge.child], view.own
    source = f"{edge.child} {child.alias}"
    lacking = edge.child if view.domain.schema.filters[edge.child] else ""
    avoid = tuple(family_of(edge.child, one) for one in edge.names)
    on = edge.on(child.alias, own.alias)
    if edge.plain:
        says = ("have no {rows}", "have {one}", f"have no {child.many} at all", child.one)
    else:
        role = f"the {edge.role} of"
        says = (
            f"are not {role} any {{rows}}",
            f"are {role} {{one}}",
            f"are not {role} any {child.one}",
            f"{child.one} as {edge.role}",
        )
    return _made(view, source, on, lacking, says, avoid)


def _over_bridge(view: View, bridge: Bridge) -> Absence:
    """What a row is not linked to."""
    link, far = view.words[bridge.near.child], view.words[bridge.far.parent]
    bare = f"{bridge.near.child} {link.alias}"
    source = f"{bare} JOIN {bridge.far.parent} {far.alias} ON {bridge.far.on(link.alias, far.alias)}"
    lacking = bridge.far.parent if view.domain.schema.filters[bridge.far.parent] else ""
    says = (
        "are linked to no {rows}",
        "are linked to {one}",
        f"are linked to no {far.one} at all",
        f"linked {far.one}",
    )
    on = bridge.near.on(link.alias, view.own.alias)
    return _made(view, source, on, lacking, says, (), bare)


def _made(
    view: View,
    source: str,
    on: str,
    lacking: str,
    says: tuple[str, str, str, str],
    avoid: tuple[str, ...],
    bare: str = "",
) -> Absence:
    name = view.own.table.identity
    assert name is not None
    without, having, never, thing = says
    return Absence(
        table=view.base,
        source=source,
        on=on,
        lacking=lacking,
        without=without,
        having=having,
        never=never,
        thing=thing,
        column=view.own.column(name),
        label=name.labels,
        bare=bare,
        avoid=avoid,
    )
