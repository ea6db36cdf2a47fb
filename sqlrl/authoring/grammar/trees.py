"""Tables that refer to themselves, such as employees and their managers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.compose import pick_filters
from sqlrl.authoring.grammar.filters import Filter
from sqlrl.authoring.grammar.frames import naming
from sqlrl.authoring.grammar.schema import Domain
from sqlrl.authoring.grammar.scope import describe
from sqlrl.authoring.grammar.tables import Tables
from sqlrl.authoring.phrasing import listing

# What is said of people, and of things instead; longer texts first.
OF_THINGS = (
    ("that person's name", "its name"),
    ("somebody's", "another's"),
    ("each person", "each {one}"),
    ("skip anyone", "skip any"),
    ("those who", "those that"),
    ("Who are", "What are"),
    ("who is", "what is"),
    (" who {said}", " that {said}"),
)


@dataclass(frozen=True)
class Tree:
    """A table that refers to itself.

    Attributes:
        alias, above, top: aliases of a row, of its parent, of its parent's parent.
        one, many: nouns of rows; parent, parents: of their parents; child, children: seen from a parent.
        tie: what joins the parents on: employees *who report to* managers.
        has: what rows with a parent are said to have.
        avoid: families of filters that the join makes pointless.
        narrowed: what parents are called where conditions narrow them, if not by their own plural.
        extras: (column, label) of a row that lists may show beside both names.
        of_children: (SQL, words) of aggregates of a parent's children.
        comparisons: (SQL, verb phrase, clause for analysts) of a row with its parent.
        below: verb phrase for rows below ``{name}``, however far; relation: the same in keywords.
        far: the parent's parent, seen from the row: "their manager's manager".
        who: the relative pronoun of rows, "that" where they are no people.
        key: the primary key column.
        name: the column that names a row; label, labels: what it is called, where that is not "name".
    """

    table: str
    column: str
    alias: str
    above: str
    top: str
    one: str
    many: str
    parent: str
    parents: str
    child: str
    children: str
    tie: str
    has: str
    avoid: tuple[str, ...]
    extras: tuple[tuple[str, str], ...]
    of_children: tuple[tuple[str, str], ...]
    comparisons: tuple[tuple[str, str, str], ...]
    below: str
    relation: str
    far: str
    narrowed: str = ""
    who: str = "who"
    key: str = "id"
    name: str = "name"
    label: str = "name"
    labels: str = ""

    @property
    def source(self) -> str:
        """Rows with their parents."""
        return (
            f"{self.table} {self.alias} JOIN {self.table} {self.above}"
            f" ON {self.alias}.{self.column} = {self.above}.{self.key}"
        )

    def said(self, frame: str) -> str:
        """A frame about people with names, or what it is for things and for other labels."""
        for people, things in OF_THINGS if self.who != "who" else ():
            frame = frame.replace(people, things.replace("{one}", self.one))
        return naming(frame, self.label, self.labels)

    @property
    def source_two_up(self) -> str:
        """Rows with their parents and their parents' parents."""
        return f"{self.source} JOIN {self.table} {self.top} ON {self.above}.{self.column} = {self.top}.{self.key}"


@dataclass(frozen=True)
class Levels:
    """Rows of a tree and their parents, narrowed on both levels."""

    words: Tables
    tree: Tree
    own: tuple[Filter, ...]
    above: tuple[Filter, ...]

    def where(self) -> tuple[str, ...]:
        """The SQL conditions."""
        return tuple(one.sql for one in (*self.own, *self.above))

    def keywords(self) -> list[str]:
        """The conditions for the terse style."""
        own = [one.keywords("") for one in self.own]
        return [*own, *(one.keywords(f"{self.tree.parent} ") for one in self.above)]

    def clauses(self) -> list[str]:
        """The conditions for the analyst style."""
        own = [one.analyst.replace("{at}", "") for one in self.own]
        return [*own, *(one.analyst.replace("{at}", f"the {self.tree.parent}'s ") for one in self.above)]

    def rows(self, style: str) -> str:
        """The rows as a noun phrase; all have a parent."""
        tree = self.tree
        if style == "terse":
            return ", ".join([f"{tree.many} with a {tree.parent}", *self.keywords()])
        if style == "analyst":
            where = listing(self.clauses())
            return f"{tree.table} that have a {tree.parent}" + (f", where {where}" if where else "")
        also = "and " if any(one.rank == 4 for one in self.own) else ""
        return f"{describe(self.words, tree.table, tree.many, self.own)} {also}{self._tied()}"

    def plain(self) -> str:
        """The rows for a sentence that speaks of their parents anyway."""
        text = describe(self.words, self.tree.table, self.tree.many, self.own)
        also = "and " if any(one.rank == 4 for one in self.own) else ""
        return f"{text} {also}{self._tied()}" if self.above else text

    def _tied(self) -> str:
        if not self.above:
            return self.tree.has
        parents = self.tree.narrowed or self.tree.parents
        return f"{self.tree.tie} {describe(self.words, self.tree.table, parents, self.above)}"


def pick_levels(
    domain: Domain, draw: Draw, trees: Sequence[Tree], choices: tuple[tuple[int, int], ...]
) -> Levels:
    """A tree with so many conditions on the rows and on their parents."""
    tree = draw.structure.pick(trees)
    below, above = draw.structure.pick(choices)
    own = pick_filters(domain, draw, [tree.table] * below, tree.avoid)
    raised = pick_filters(domain, draw, [tree.table] * above, tree.avoid)
    return Levels(domain.schema.tables, tree, own, tuple(_raise(tree, one) for one in raised))


def _raise(tree: Tree, one: Filter) -> Filter:
    """The same condition on the parent; what stands in quotes is left alone."""
    pattern = rf"('(?:[^']|'')*')|\b{tree.alias}\."
    return replace(one, sql=re.sub(pattern, lambda match: match[1] or f"{tree.above}.", one.sql))
