"""A schema's tables as a grammar sees them: aliases, nouns, how they join and how the join is said."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlrl.authoring.grammar.scope import Scope


@dataclass(frozen=True)
class Link:
    """A foreign key from a child table to its parent.

    Attributes:
        short: between the two nouns: orders *by* customers.
        full: a relative clause that says the same: orders *that were placed by* customers.
        column: the foreign key column of the child.
        parents: what the parent's rows are called here, where that is not their plural: "sales reps".
        key: the primary key column of the parent.
        more: of a foreign key of several columns, the further pairs of child's and parent's.
    """

    child: str
    parent: str
    column: str
    short: str
    full: str
    parents: str = ""
    key: str = "id"
    more: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Tables:
    """The tables and their words.

    Attributes:
        aliases: the house alias of each table.
        nouns: singular and plural of a row.
        links: the foreign keys that questions follow, in the order in which joins are written. From any
            table at most one way may lead to another.
        plurals: of the labels of columns, as far as lists use them: "name" gives "names".
        roles: what a row is called in keywords where another table is the subject: "sales rep".
        absorbed: by table, the parents whose conditions are said like conditions of the row itself.
        spoken: by table, how its rows are said where the plain noun phrase does not do.
        things: by table, what rows that a group lacks are called, where that is not their plural.
        owners: by table, what analysts say before its columns where its name could mean another row:
            "the sales rep's".
    """

    aliases: Mapping[str, str]
    nouns: Mapping[str, tuple[str, str]]
    links: tuple[Link, ...]
    plurals: Mapping[str, str]
    roles: Mapping[str, str] = field(default_factory=dict)
    absorbed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    spoken: "Mapping[str, Callable[[Scope], str]]" = field(default_factory=dict)
    things: Mapping[str, str] = field(default_factory=dict)
    owners: Mapping[str, str] = field(default_factory=dict)

    def role(self, table: str) -> str:
        """What a row is called in keywords where another table is the subject."""
        return self.roles.get(table, self.nouns[table][0])

    def parents(self, link: Link) -> str:
        """What the rows at the far end of a link are called."""
        return link.parents or self.nouns[link.parent][1]

    def links_from(self, table: str) -> tuple[Link, ...]:
        """The foreign keys of a table, in the order in which joins are written."""
        return tuple(link for link in self.links if link.child == table)

    def reachable(self, table: str) -> tuple[str, ...]:
        """The tables that joins from this one lead to, itself first."""
        found = [table]
        for one in found:
            found.extend(link.parent for link in self.links_from(one) if link.parent not in found)
        return tuple(found)

    def path_to(self, base: str, table: str) -> tuple[Link, ...]:
        """The joins from a base table to another, nearest first; empty for the base itself."""
        if base == table:
            return ()
        for link in self.links_from(base):
            if table in self.reachable(link.parent):
                return (link, *self.path_to(link.parent, table))
        raise ValueError(f"no foreign keys lead from {base} to {table}")

    def source(self, base: str, tables: tuple[str, ...]) -> str:
        """The FROM clause that reads the base and joins what leads to the tables, each once."""
        needed: list[Link] = []
        for table in tables:
            needed.extend(link for link in self.path_to(base, table) if link not in needed)
        ordered = [link for link in self._joins_from(base) if link in needed]
        return " ".join([f"{base} {self.aliases[base]}", *(self.join(link) for link in ordered)])

    def join(self, link: Link) -> str:
        """The JOIN clause of a link, always written child = parent."""
        child, parent = self.aliases[link.child], self.aliases[link.parent]
        pairs = ((link.column, link.key), *link.more)
        equal = " AND ".join(f"{child}.{one} = {parent}.{other}" for one, other in pairs)
        return f"JOIN {link.parent} {parent} ON {equal}"

    def _joins_from(self, base: str) -> tuple[Link, ...]:
        """All joins that lead from a base, nearest first."""
        links = list(self.links_from(base))
        for link in links:
            links.extend(one for one in self.links_from(link.parent) if one not in links)
        return tuple(links)
