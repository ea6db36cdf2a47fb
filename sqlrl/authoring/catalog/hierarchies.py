"""Pages about tables that refer to themselves."""

from collections.abc import Iterator

from sqlrl.authoring.catalog.conditions import family_of
from sqlrl.authoring.catalog.edges import Edge
from sqlrl.authoring.catalog.facts import read_acyclic
from sqlrl.authoring.catalog.names import bare
from sqlrl.authoring.catalog.pages import Page, pages
from sqlrl.authoring.catalog.roles import CATEGORY, DAY, MEASURE
from sqlrl.authoring.catalog.views import Schemas, View
from sqlrl.authoring.grammar.hierarchy import Hierarchy
from sqlrl.authoring.grammar.hierarchy_deep import Deep
from sqlrl.authoring.grammar.trees import Tree
from sqlrl.authoring.phrasing import article

LEVEL = "level"


def hierarchies(schemas: Schemas, view: View) -> Iterator[Page]:
    """Rows beside their parents, and trees of them.

    Args:
        view: a table by itself.
    """
    table = view.own.table
    loops = [edge for edge in schemas.edges[view.base] if edge.loops and edge.single]
    # A loop's key is what children point to, so it names a row; a reader wants a name that does, too.
    for edge in loops if table.identity is not None else []:
        tree = _tree(schemas, view, edge)
        is_tree = read_acyclic(schemas.ask, view.base, tree.key, edge.columns[0])
        deep = Deep(
            trees=(tree,),
            ranks=tree,
            of_level=_of_level(view),
            levels=f"{tree.many} without a {tree.parent} are level 1, those directly below them level 2, and so on",
            start=f"{tree.many} without a {tree.parent}",
            more=(),
            line=edge.hierarchy,
        )
        made = Hierarchy((tree,), (), deep)
        narrowed = len(_narrowing(view, tree)) > 0
        has_level = any(field.name == LEVEL for field in table.relation.fields)
        yield from pages(
            "hierarchy",
            view.domain,
            easy=(made.pairs, made.counted_pairs) if narrowed and tree.extras else (),
            medium=(
                *((made.per_parent,) if narrowed else ()),
                *((made.compared,) if narrowed and tree.comparisons else ()),
            ),
            hard=(
                *((deep.per_level,) if is_tree and not has_level and narrowed else ()),
                *((deep.below_person,) if is_tree and not has_level and narrowed else ()),
                *((deep.two_up,) if narrowed and not edge.awkward else ()),
            ),
        )


def _narrowing(view: View, tree: Tree) -> set[str]:
    return view.families - set(tree.avoid)


def _tree(schemas: Schemas, view: View, edge: Edge) -> Tree:
    own, name = view.own, view.own.table.identity
    assert name is not None
    one, many, parent = own.one, own.many, edge.role
    taken = {own.alias}
    above = schemas.alias(parent, taken)
    below = f"{one} directly below"
    return Tree(
        table=view.base,
        column=edge.columns[0],
        alias=own.alias,
        above=above,
        top=schemas.alias(parent, taken),
        one=one,
        many=many,
        parent=parent,
        parents=edge.roles,
        child=below,
        children=f"{many} directly below",
        tie=f"whose {parent} is among the",
        has=f"that have a {parent}",
        avoid=(family_of(view.base, edge.names[0]), own.family(name)),
        extras=tuple(
            (each.sql, f"{one}'s {each.label}")
            for each in (*own.table.of(MEASURE), *own.table.of(DAY), *own.table.of(CATEGORY))
        ),
        of_children=tuple(_of_children(view, many)),
        comparisons=tuple(_comparisons(view, parent, above)),
        below=f"are below {{name}} in the {edge.hierarchy}, directly or further down",
        relation=f"{many} below",
        far=f"their {parent}'s {parent}",
        narrowed=many,
        who="that",
        key=edge.keys[0],
        name=name.sql,
        label=bare(one, name.label),
        labels=bare(one, name.labels),
    )


def _of_children(view: View, many: str) -> Iterator[tuple[str, str]]:
    yield "COUNT(*)", f"number of {many} directly below"
    for one in view.own.table.of(MEASURE):
        if one.full:
            yield f"AVG({view.own.column(one)})", f"average {one.label} of the {many} directly below"
            yield f"MAX({view.own.column(one)})", f"highest {one.label} among the {many} directly below"
    for one in view.own.table.of(DAY):
        if one.full:
            yield f"MIN({view.own.column(one)})", f"earliest {one.label} among the {many} directly below"


def _comparisons(view: View, parent: str, above: str) -> Iterator[tuple[str, str, str]]:
    own = view.own
    signs = (
        *((one, "higher", "above", ">") for one in own.table.of(MEASURE)),
        *((one, "later", "after", ">") for one in own.table.of(DAY)),
        *((one, "earlier", "before", "<") for one in own.table.of(DAY)),
    )
    for one, more, beyond, sign in signs:
        test = f"{own.column(one)} {sign} {above}.{one.sql}"
        yield (
            test,
            f"have {article(more)} {more} {one.label} than their {parent}",
            f"{one.sql} is {beyond} the {parent}'s {one.sql}",
        )
    for one in own.table.of(CATEGORY):
        same, other = (f"{own.column(one)} {sign} {above}.{one.sql}" for sign in ("=", "<>"))
        yield (
            same,
            f"have the same {one.label} as their {parent}",
            f"{one.sql} equals the {parent}'s {one.sql}",
        )
        yield other, f"have another {one.label} than their {parent}", f"{one.sql} differs from the {parent}'s"


def _of_level(view: View) -> tuple[tuple[str, str, str, bool], ...]:
    many = view.own.many
    found = [("COUNT(*)", "the number of {rows}", f"number of {many}", False)]
    for one in view.own.table.of(MEASURE):
        if one.full:
            column = view.own.column(one)
            found.append(
                (f"AVG({column})", f"the average {one.label} of {{rows}}", f"average {one.label}", True)
            )
            found.append(
                (f"MAX({column})", f"the highest {one.label} of {{rows}}", f"highest {one.label}", True)
            )
    return tuple(found)
