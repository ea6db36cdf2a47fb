"""Pages about missing values."""

from collections.abc import Iterator

from sqlrl.authoring.catalog.conditions import family_of
from sqlrl.authoring.catalog.edges import Edge
from sqlrl.authoring.catalog.facts import has_value
from sqlrl.authoring.catalog.pages import Page, pages
from sqlrl.authoring.catalog.roles import CATEGORY, KEY, MEASURE, Meaning
from sqlrl.authoring.catalog.structure import TEXT
from sqlrl.authoring.catalog.views import Schemas, View
from sqlrl.authoring.grammar.nulls import Named, Nulls, Presence
from sqlrl.authoring.grammar.nulls_hard import Beside, HardNulls, MissingAsZero, MissingGroup
from sqlrl.authoring.phrasing import article

# What stands for a missing value, where no value is called that.
STANDINS = ("none", "n/a", "unknown")


def nulls(view: View) -> Iterator[Page]:
    """Rows of a table where something is missing.

    Args:
        view: a table with its parents.
    """
    schema, base = view.domain.schema, view.base
    missing = tuple((base, kind) for kind in schema.filters[base] if kind.endswith((":missing", ":present")))
    if not missing:
        return
    keys = (*schema.own_keys[base], *schema.joined_keys[base])
    named = tuple(_named(view)) if schema.columns[base] else ()
    made = Nulls(
        missing=missing,
        presence=tuple(_presence(view)),
        named=named,
        listable=(base,),
        groupable=(base,),
    )
    others = view.families
    yield from pages(
        "null semantics",
        view.domain,
        easy=(made.scalar, *((made.listed,) if schema.columns[base] and len(others) > 1 else ())),
        medium=(
            *((made.grouped, made.grouped) if keys else ()),
            made.both_sides,
            *((made.named_or_none,) if named and len(others) > 1 else ()),
        ),
        hard=tuple(one.averages for one in _averages(view)),
    )
    groups = tuple(_groups(view))
    if groups and len(others) > 1 and keys:
        avoid = tuple(schema.family(kind) for _, kind in missing)
        hard = HardNulls(groups, (), like=keys[0], avoid=avoid)
        yield from pages("null semantics", view.domain, hard=(hard.grouped_with_none,))


def nulls_beside(schemas: Schemas, view: View) -> Iterator[Page]:
    """Something is missing in a row, and rows elsewhere are there or not.

    Args:
        view: a table with its children.
    """
    own, base = view.own, view.base
    name = own.table.identity
    kinds = [kind for kind in view.domain.schema.filters[base] if kind.endswith((":missing", ":present"))]
    if name is None or not kinds:
        return
    links = {one.near.child for one in schemas.bridges[base]}
    besides = tuple(
        Beside(
            base=base,
            kind=kind,
            child=edge.child,
            on=edge.on(view.words[edge.child].alias, own.alias),
            has=f"have {article(view.words[edge.child].one)} {view.words[edge.child].one}",
            lacks=f"have no {view.words[edge.child].one}",
            column=own.column(name),
            label=name.labels,
        )
        for edge in schemas.children(base)
        if edge.child in view.words and edge.plain and edge.child not in links
        for kind in kinds
    )
    others = view.families
    entity = own.entity()
    if besides and entity and len(others) > 1:
        made = HardNulls((), besides, like=entity, avoid=())
        yield from pages("null semantics", view.domain, hard=(made.missing_beside,))


def _presence(view: View) -> Iterator[Presence]:
    for one in view.own.table.meanings:
        if one.nullable and (one.role != KEY or one.name in view.own.roles):
            role = view.own.roles.get(one.name)
            what = f"{article(role)} {role}" if role else f"a recorded {one.label}"
            yield Presence(view.base, view.own.column(one), what, view.own.family(one))


def _edges(view: View) -> Iterator[Edge]:
    """The foreign keys of the base that may lead nowhere, to rows with a name that is a text."""
    for parent, edge in view.edges.items():
        name = view.words[parent].table.identity
        is_ours = edge.child == view.base and edge.single
        if is_ours and not edge.required and name is not None and name.kind == TEXT:
            yield edge


def _join(view: View, edge: Edge) -> str:
    alias = view.words[edge.parent].alias
    return f"LEFT JOIN {edge.parent} {alias} ON {edge.on(view.own.alias, alias)}"


def _named(view: View) -> Iterator[Named]:
    for edge in _edges(view):
        words = view.words[edge.parent]
        name = words.table.identity
        assert name is not None
        family = family_of(edge.child, edge.names[0])
        yield Named(
            base=view.base,
            join=_join(view, edge),
            parent=words.column(name),
            what=edge.role,
            words=_free(view, edge.parent, name),
            family=family,
            named=name.label,
        )


def _groups(view: View) -> Iterator[MissingGroup]:
    for edge in _edges(view):
        words = view.words[edge.parent]
        name = words.table.identity
        assert name is not None
        standins = _free(view, edge.parent, name)
        yield MissingGroup(
            view.base, _join(view, edge), words.column(name), edge.role, standins, words.label(name)
        )
    for one in view.own.table.of(CATEGORY):
        if one.nullable and one.kind == TEXT and one.facts.distinct > 1:
            standins = _free(view, view.base, one)
            yield MissingGroup(view.base, "", view.own.column(one), one.label, standins, one.label)


def _free(view: View, table: str, one: Meaning) -> tuple[str, ...]:
    """Words that the column does not have."""
    return tuple(word for word in STANDINS if not has_value(view.domain.ask, table, one.sql, word))[:2]


def _averages(view: View) -> Iterator[MissingAsZero]:
    keys = (*view.domain.schema.own_keys[view.base], *view.domain.schema.joined_keys[view.base])
    for one in view.own.table.of(MEASURE):
        if one.nullable and keys:
            yield MissingAsZero(
                base=view.base,
                column=view.own.column(one),
                noun=one.label,
                present=f"{view.own.family(one)}:present",
                keys=keys,
                narrowed=([view.base], []),
                row=view.own.one,
                zero=f"{view.own.many} with no recorded {one.label}",
                short=f"no {one.label}",
            )
