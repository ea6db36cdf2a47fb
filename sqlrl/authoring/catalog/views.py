"""Parts of a schema around one table, as the library's writers see a schema.

The library wants at most one way from one table to another. A whole schema seldom is like that; what lies around
one table can be made so: the table alone, with what it leads to, or with what leads to it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sqlrl.authoring.catalog.conditions import families, family_of
from sqlrl.authoring.catalog.edges import Bridge, Edge, bridges, read_edges
from sqlrl.authoring.catalog.names import initials, plural_words, word_set
from sqlrl.authoring.catalog.roles import TableMeaning
from sqlrl.authoring.catalog.vocabulary import Vocabulary
from sqlrl.authoring.grammar.measures import Measure
from sqlrl.authoring.grammar.schema import Domain, Schema
from sqlrl.authoring.grammar.tables import Link, Tables
from sqlrl.authoring.teacher import Ask

# Aliases that the library's writers use for themselves.
TAKEN = word_set("x y z t w n name level place value chain totals firsts gaps monthly month days")
# Tables of one view, lest a table that leads everywhere fill its questions with far ones.
MOST_TABLES = 12
# Foreign keys that a reader would follow to guess which row is meant.
FAR = 3


@dataclass(frozen=True)
class View:
    """Some tables as a domain.

    Attributes:
        base: the table in the middle.
        words: by table.
        edges: by table that is led to, the foreign key on the way there.
    """

    domain: Domain
    base: str
    words: Mapping[str, Vocabulary]
    edges: Mapping[str, Edge] = field(default_factory=dict)

    def links(self) -> tuple[Link, ...]:
        """The foreign keys of the base."""
        return self.domain.schema.tables.links_from(self.base)

    @property
    def own(self) -> Vocabulary:
        """The words of the base."""
        return self.words[self.base]

    @property
    def families(self) -> set[str]:
        """The families of filters that the base has."""
        schema = self.domain.schema
        return {schema.family(kind) for kind in schema.filters[self.base]}


@dataclass(frozen=True)
class Schemas:
    """Makes views of the tables that have rows.

    Attributes:
        edges: foreign keys by child; bridges: tables of links by the table that they lead from.
    """

    tables: Mapping[str, TableMeaning]
    edges: Mapping[str, tuple[Edge, ...]]
    bridges: Mapping[str, tuple[Bridge, ...]]
    keywords: frozenset[str]
    ask: Ask

    @classmethod
    def of(cls, tables: Mapping[str, TableMeaning], keywords: frozenset[str], ask: Ask) -> "Schemas":
        """Read how the tables lead to each other."""
        edges = read_edges(tables)
        return cls(tables, edges, bridges(tables, edges), keywords, ask)

    def children(self, parent: str) -> tuple[Edge, ...]:
        """The foreign keys that lead to a table, its own to itself left out."""
        every = (edge for edges in self.edges.values() for edge in edges)
        return tuple(edge for edge in every if edge.parent == parent and not edge.loops)

    def variants(self, base: str) -> int:
        """How many ways there are to choose among foreign keys that lead from a table to the same one."""
        parents = [edge.parent for edge in self.edges[base] if not edge.loops]
        return max((parents.count(parent) for parent in parents), default=0)

    def alone(self, base: str) -> View:
        """A table by itself."""
        words = self._vocabulary(base, None, set())
        return self._view(base, {base: words}, {}, ())

    def above(self, base: str, variant: int = 0, depth: int = 1) -> View:
        """A table with what it leads to, over so many foreign keys."""
        taken: set[str] = set()
        words = {base: self._vocabulary(base, None, taken)}
        edges: dict[str, Edge] = {}
        links: list[Link] = []
        level = [base]
        for step in range(depth):
            reached: list[str] = []
            for child in level:
                for edge in self._ways(child, words, variant):
                    if len(words) < MOST_TABLES:
                        role = edge.role if step == 0 else self._far_role(base, words[child], edge)
                        words[edge.parent] = self._vocabulary(edge.parent, role, taken)
                        edges[edge.parent] = edge
                        links.append(_link(edge, words[edge.parent]))
                        reached.append(edge.parent)
            level = reached
        return self._view(base, words, edges, tuple(links))

    def below(self, base: str) -> View:
        """A table with what leads to it, each by itself, and what tables of links lead to from it."""
        taken: set[str] = set()
        words = {base: self._vocabulary(base, None, taken)}
        children = [edge.child for edge in self.children(base)]
        far = [name for bridge in self.bridges[base] for name in (bridge.near.child, bridge.far.parent)]
        for name in (*children, *far):
            if name not in words and len(words) < MOST_TABLES:
                words[name] = self._vocabulary(name, None, taken)
        return self._view(base, words, {}, ())

    def _ways(self, child: str, words: Mapping[str, Vocabulary], variant: int) -> list[Edge]:
        """One foreign key to each table that is not reached yet."""
        by_parent: dict[str, list[Edge]] = {}
        for edge in self.edges[child]:
            if edge.parent not in words:
                by_parent.setdefault(edge.parent, []).append(edge)
        return [each[variant % len(each)] for each in by_parent.values()]

    def _far_role(self, base: str, near: Vocabulary, edge: Edge) -> str:
        """What a row is called two steps away: with its child's noun where other ways lead there too."""
        if self._ways_to(edge.parent, base, FAR) < 2:
            return edge.role
        joined = f"{near.one} {edge.role}"
        is_another = any(table.one == joined for table in self.tables.values())
        return f"{near.one}'s {edge.role}" if is_another or edge.awkward or near.one.endswith(")") else joined

    def _ways_to(self, target: str, start: str, steps: int) -> int:
        """How many ways of so many foreign keys lead from one table to another."""
        if not steps:
            return 0
        edges = [edge for edge in self.edges[start] if not edge.loops]
        return sum((edge.parent == target) + self._ways_to(target, edge.parent, steps - 1) for edge in edges)

    def _vocabulary(self, name: str, role: str | None, taken: set[str]) -> Vocabulary:
        table = self.tables[name]
        edges = [edge for edge in self.edges[name] if edge.single and table.meaning(edge.names[0])]
        alias = self.alias(table.one, taken)
        return Vocabulary(
            table=table,
            alias=alias,
            one=role or table.one,
            many=plural_words(role) if role and role != table.one else table.many,
            roles={edge.names[0]: edge.role for edge in edges},
            parents={edge.names[0]: edge.parent for edge in edges},
        )

    def alias(self, noun: str, taken: set[str]) -> str:
        """A short name for a table, which is then taken too."""
        start = initials(noun)
        number = 1
        alias = start
        while alias in taken or alias in TAKEN or alias in self.keywords:
            number += 1
            alias = f"{start}{number}"
        taken.add(alias)
        return alias

    def _view(
        self, base: str, words: Mapping[str, Vocabulary], edges: Mapping[str, Edge], links: tuple[Link, ...]
    ) -> View:
        own, others = words[base], [one for name, one in words.items() if name != base]
        filters = {name: one.filters() for name, one in words.items()}
        afar = [key for one in others for key in one.keys_from_afar()] if links else []
        names = {name: column for name, one in words.items() if (column := one.name()) is not None}
        ranked, numbers = own.ranked(), own.numbers()
        schema = Schema(
            tables=Tables(
                aliases={name: one.alias for name, one in words.items()},
                nouns={name: (one.one, one.many) for name, one in words.items()},
                links=links,
                owners={name: f"the {one.one}'s" for name, one in words.items() if one.one != one.table.one},
                plurals={label: many for one in words.values() for label, many in one.plurals().items()},
            ),
            filters=filters,
            families={
                kind: kin for kinds in filters.values() for kind, kin in families(tuple(kinds)).items()
            },
            key_families=_key_families(words, edges),
            measures={base: tuple(_with_rivals(one, words) for one in own.measures())},
            own_keys={base: own.own_keys()},
            joined_keys={base: tuple(afar)},
            columns={name: one.columns() for name, one in words.items()},
            names=names,
            ranked={base: ranked} if ranked else {},
            numbers={base: numbers} if numbers else {},
        )
        return View(Domain(schema, None, self.ask), base, words, edges)


def _link(edge: Edge, parent: Vocabulary) -> Link:
    short, full = ("of", "that belong to") if edge.plain else ("that have", "that have")
    return Link(
        child=edge.child,
        parent=edge.parent,
        column=edge.columns[0],
        short=short,
        full=full,
        parents=edge.roles if parent.one != parent.table.one else parent.many,
        key=edge.keys[0],
        more=tuple(zip(edge.columns[1:], edge.keys[1:], strict=True)),
    )


def _key_families(words: Mapping[str, Vocabulary], edges: Mapping[str, Edge]) -> dict[str, tuple[str, ...]]:
    """What conditions each grouping makes pointless: on its column, on the foreign key that leads to it."""
    found: dict[str, tuple[str, ...]] = {}
    for name, one in words.items():
        edge = edges.get(name)
        way = tuple(family_of(edge.child, column) for column in edge.names) if edge else ()
        found |= {key: (*kin, *way) for key, kin in one.key_families().items()}
    return found


def _with_rivals(measure: Measure, words: Mapping[str, Vocabulary]) -> Measure:
    """The number of different customers says nothing beside a customer."""
    parent = words.get(measure.entity)
    entity = parent.entity() if parent else None
    return replace(measure, rivals=(*measure.rivals, entity.name)) if entity else measure
