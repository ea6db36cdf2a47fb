"""Pages about one table and its groups: aggregation, top-n, group having."""

from collections.abc import Iterator

from sqlrl.authoring.catalog.pages import Page, pages
from sqlrl.authoring.catalog.views import Schemas, View
from sqlrl.authoring.grammar.aggregation import Aggregation, Owner
from sqlrl.authoring.grammar.columns import Number
from sqlrl.authoring.grammar.having import Having
from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.top_n import TopN
from sqlrl.authoring.grammar.top_n_hard import TopOfGroups

# Names of columns that the library's subqueries give to others.
RESERVED = ("place", "value", "name")


def aggregation(schemas: Schemas, view: View) -> Iterator[Page]:
    """Aggregates of a table by itself."""
    base, schema = view.base, view.domain.schema
    owners = tuple(
        Owner(
            base=base,
            column=f"{view.own.alias}.{edge.columns[0]}",
            one=edge.role,
            many=edge.roles,
            nullable=not edge.required,
            avoid=(f"{base}.{edge.names[0]}",),
        )
        for edge in schemas.edges[base]
        if edge.single
    )
    made = Aggregation((base,), owners)
    filters, keys, numbers = schema.filters[base], schema.own_keys[base], schema.numbers
    families = {schema.family(kind) for kind in filters}
    two = len(families) > 1
    yield from pages(
        "aggregation",
        view.domain,
        easy=(made.scalar,) if filters else (),
        medium=(
            *((made.scalar_two_filters,) if two else ()),
            *((made.two_measures,) if filters else ()),
            *((made.grouped, made.grouped) if keys else ()),
        ),
        hard=(
            *((made.average_per_owner,) if owners else ()),
            *((made.share,) if two else ()),
            *((made.beyond_average,) if numbers else ()),
            *((made.two_sides,) if two and keys else ()),
            *((made.spread,) if numbers and keys else ()),
        ),
    )


def top_n(view: View, above: View | None) -> Iterator[Page]:
    """The first rows of a table, and the first groups."""
    base, own, words = view.base, view.domain.schema, view.own
    keys = [key for key in own.own_keys[base] if not key.flag]
    made = TopN((base,), (base,), _first_of_groups(view, tuple(keys)))
    first = words.first()
    single = bool(own.ranked) and first is not None and first.sql not in RESERVED
    yield from pages(
        "top-n",
        view.domain,
        easy=(made.top_rows,) if single and words.table.identity else (),
        medium=(made.top_own_groups,) if keys else (),
        hard=(made.of_groups.first_of_each,) if single and keys else (),
    )
    if above is None or not _unflagged(above):
        return
    joined = TopN((base,), (), _first_of_groups(above, tuple(_unflagged(above))))
    hard = joined.of_groups
    yield from pages(
        "top-n",
        above.domain,
        medium=(joined.top_groups, joined.top_groups),
        hard=(
            *((hard.first_of_each,) if single else ()),
            *((hard.first_groups_of_each,) if hard.groups else ()),
            *((hard.nth_place,) if hard.placed else ()),
        ),
    )


def having(view: View, above: View | None) -> Iterator[Page]:
    """Groups of a table, by its own columns and over joins, that pass a condition."""
    base = view.base
    own = [key for key in view.domain.schema.own_keys[base] if not key.flag]
    alone = _having(view, tuple((base, key) for key in own))
    yield from pages(
        "group having",
        view.domain,
        easy=(alone.one_table,) if own else (),
        hard=(
            *((alone.against_overall,) if own and alone.numbers else ()),
            *((alone.larger_than_average,) if own else ()),
        ),
    )
    if above is None or not _unflagged(above):
        return
    joined = _having(above, tuple((base, key) for key in _unflagged(above)))
    yield from pages(
        "group having",
        above.domain,
        medium=(joined.joined,),
        hard=(
            joined.two_conditions,
            joined.larger_than_average,
            *((joined.against_overall,) if joined.numbers else ()),
        ),
    )


def _having(view: View, counted: tuple[tuple[str, Key], ...]) -> Having:
    base = view.base
    numbers: tuple[Number, ...] = view.domain.schema.numbers.get(base, ())
    return Having(
        single=(base,),
        over_joins=(base,),
        twice=(base,),
        not_twice=(),
        numbers=tuple((base, one) for one in numbers),
        counted=counted,
        counts_apart=True,
    )


def _first_of_groups(view: View, keys: tuple[Key, ...]) -> TopOfGroups:
    """The first rows of each group of the keys, and the first rows of a parent in each of its categories."""
    nested: list[tuple[Key, Key, tuple[str, ...]]] = []
    for name, words in view.words.items():
        entity = words.entity()
        if name != view.base and entity is not None:
            categories = [key for key in words.keys_from_afar() if key != entity]
            nested.extend((outer, entity, (view.base,)) for outer in categories)
    return TopOfGroups(
        rows=tuple((view.base, key) for key in keys),
        groups=tuple(nested),
        places=(view.base,),
        placed=tuple(key.name for key in view.domain.schema.joined_keys[view.base]),
    )


def _unflagged(view: View) -> list[Key]:
    return [key for key in view.domain.schema.joined_keys[view.base] if not key.flag]
