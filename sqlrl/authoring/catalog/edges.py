"""How tables lead to each other, and what a row is called at the far end of a foreign key."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlrl.authoring.catalog.names import PREPOSITIONS, column_words, plural_words, word_set
from sqlrl.authoring.catalog.roles import TableMeaning
from sqlrl.authoring.catalog.structure import ForeignKey

# Last words of a foreign key's column that say nothing of what it leads to.
ENDINGS = word_set("id code no number nr key uuid fk ref num")
# Words that tell which row is meant, not what it is: the noun of the table follows them.
ADJECTIVES = word_set(
    "parent previous next original main primary secondary first last default old new current former home away"
    " start end source target left right upper lower root top base initial final preferred billing shipping"
    " origin destination departure arrival alternative related linked child other same replaced superseded"
)
# Of two tables that one leads to; columns of its own that a table of nothing but links may have.
LINKED = 2
LINK_COLUMNS = 2


@dataclass(frozen=True)
class Edge:
    """A foreign key from a child to its parent.

    Attributes:
        columns, keys: the pairs of columns, as SQL writes them; names: the child's by name.
        role: what a parent is called here; plain: whether that is what it is called anyway.
        required: whether every child has a parent.
    """

    child: str
    parent: str
    columns: tuple[str, ...]
    keys: tuple[str, ...]
    names: tuple[str, ...]
    role: str
    plain: bool
    required: bool

    @property
    def roles(self) -> str:
        """The plural of its role."""
        return plural_words(self.role)

    @property
    def hierarchy(self) -> str:
        """What a tree made by it is called: manager hierarchy."""
        named = self.names[0] if self.awkward else self.role
        return f"{named} hierarchy"

    @property
    def awkward(self) -> bool:
        """Whether its column is no noun, and stands in brackets after one."""
        return self.role.endswith(")")

    @property
    def single(self) -> bool:
        """Whether it is one column."""
        return len(self.columns) == 1

    @property
    def loops(self) -> bool:
        """Whether the table refers to itself."""
        return self.child == self.parent

    def on(self, child: str, parent: str) -> str:
        """The condition that joins two aliases."""
        pairs = zip(self.columns, self.keys, strict=True)
        return " AND ".join(f"{child}.{one} = {parent}.{other}" for one, other in pairs)


@dataclass(frozen=True)
class Bridge:
    """A table whose rows only link two others: from the near one to the far one."""

    near: Edge
    far: Edge


def read_edges(tables: Mapping[str, TableMeaning]) -> dict[str, tuple[Edge, ...]]:
    """The foreign keys by child, of those between tables that have rows."""
    found = {}
    for name, table in tables.items():
        edges = [
            _edge(table, tables[key.parent], key)
            for key in table.relation.foreign_keys
            if key.parent in tables
        ]
        found[name] = _apart(edges)
    return found


def bridges(
    tables: Mapping[str, TableMeaning], edges: Mapping[str, tuple[Edge, ...]]
) -> dict[str, tuple[Bridge, ...]]:
    """By near table, the tables of nothing but links that lead from it to another."""
    found: dict[str, list[Bridge]] = {name: [] for name in tables}
    for name, table in tables.items():
        own = [one for one in edges[name] if not one.loops]
        keyed = {column for one in own for column in one.names}
        others = [one for one in table.relation.fields if one.name not in keyed]
        is_link = set(table.relation.primary) <= keyed and len(others) <= LINK_COLUMNS
        if len(own) == LINKED and is_link and table.relation.primary and own[0].parent != own[1].parent:
            for near, far in ((own[0], own[1]), (own[1], own[0])):
                found[near.parent].append(Bridge(near, far))
    return {name: tuple(each) for name, each in found.items()}


def _edge(child: TableMeaning, parent: TableMeaning, key: ForeignKey) -> Edge:
    fields = [child.relation.field(name) for name in key.columns]
    role = _role(key.columns, parent)
    return Edge(
        child=child.sql,
        parent=parent.sql,
        columns=tuple(one.sql for one in fields),
        keys=tuple(parent.relation.field(name).sql for name in key.parent_columns),
        names=key.columns,
        role=role,
        plain=role == parent.one and child.sql != parent.sql,
        required=all(one.required or _is_full(child, one.name) for one in fields),
    )


def _is_full(table: TableMeaning, name: str) -> bool:
    one = table.meaning(name)
    return one is not None and one.full


def _role(columns: tuple[str, ...], parent: TableMeaning) -> str:
    if len(columns) > 1:
        return parent.one
    words = column_words(columns[0]).split()
    while len(words) > 1 and words[-1] in ENDINGS:
        words.pop()
    said, noun = " ".join(words), parent.one
    if said in ENDINGS or noun == said or noun.endswith(f" {said}"):
        return noun
    is_verb = len(words) == 1 and re.search(r"[^s]s$", said) and said == columns[0].casefold()
    if words[-1] in PREPOSITIONS or is_verb or not said.isascii():
        return f"{noun} ({columns[0]})"
    if words[-1] in ADJECTIVES:
        return f"{said} {noun}"
    return said


def _apart(edges: list[Edge]) -> tuple[Edge, ...]:
    """Edges whose roles differ: where two would share one, the columns are named."""
    shared = Counter(one.role for one in edges)
    return tuple(
        one
        if shared[one.role] == 1
        else replace(one, role=f"{one.role} ({', '.join(one.names)})", plain=False)
        for one in edges
    )
