"""The shop's self-references: employees and managers, customers and referrers."""

import re
from dataclasses import dataclass, replace

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.phrasing import listing

from .compose import Shop, pick_filters
from .filters import Filter
from .scope import describe


@dataclass(frozen=True)
class Tree:
    """A table that refers to itself.

    Attributes:
        alias, above, top: aliases of a row, of its parent, of its parent's parent.
        one, many: nouns of rows; parent, parents: of their parents; child, children: seen from a parent.
        tie: what joins the parents on: employees *who report to* managers.
        has: what rows with a parent are said to have.
        avoid: families of filters that the join makes pointless.
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

    @property
    def source(self) -> str:
        """Rows with their parents."""
        return (
            f"{self.table} {self.alias} JOIN {self.table} {self.above}"
            f" ON {self.alias}.{self.column} = {self.above}.id"
        )

    @property
    def source_two_up(self) -> str:
        """Rows with their parents and their parents' parents."""
        return f"{self.source} JOIN {self.table} {self.top} ON {self.above}.{self.column} = {self.top}.id"


STAFF = Tree(
    table="employees",
    column="manager_id",
    alias="e",
    above="m",
    top="mm",
    one="employee",
    many="employees",
    parent="manager",
    parents="managers",
    child="direct report",
    children="direct reports",
    tie="who report to",
    has="who have a manager",
    avoid=("has",),
)
REFERRALS = Tree(
    table="customers",
    column="referred_by",
    alias="c",
    above="ref",
    top="rr",
    one="customer",
    many="customers",
    parent="referrer",
    parents="referrers",
    child="referred customer",
    children="referred customers",
    tie="who were referred by",
    has="who have a referrer",
    avoid=("referred",),
)
TREES = (STAFF, REFERRALS)


@dataclass(frozen=True)
class Levels:
    """Rows of a tree and their parents, narrowed on both levels."""

    tree: Tree
    own: tuple[Filter, ...]
    above: tuple[Filter, ...]

    def where(self) -> tuple[str, ...]:
        """The SQL conditions."""
        return tuple(one.sql for one in (*self.own, *self.above))

    def keywords(self) -> list[str]:
        """The conditions for the terse style."""
        own = [one.terse.replace("{of}", "") for one in self.own]
        return [*own, *(one.terse.replace("{of}", f"{self.tree.parent} ") for one in self.above)]

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
        return f"{describe(tree.table, tree.many, self.own)} {also}{self._tied()}"

    def plain(self) -> str:
        """The rows for a sentence that speaks of their parents anyway."""
        text = describe(self.tree.table, self.tree.many, self.own)
        also = "and " if any(one.rank == 4 for one in self.own) else ""
        return f"{text} {also}{self._tied()}" if self.above else text

    def _tied(self) -> str:
        if not self.above:
            return self.tree.has
        parents = self.tree.parents if self.tree is STAFF else "customers"
        return f"{self.tree.tie} {describe(self.tree.table, parents, self.above)}"


def pick_levels(shop: Shop, draw: Draw, choices: tuple[tuple[int, int], ...]) -> Levels:
    """A tree with so many conditions on the rows and on their parents."""
    tree = draw.structure.pick(TREES)
    below, above = draw.structure.pick(choices)
    own = pick_filters(shop, draw, [tree.table] * below, tree.avoid)
    raised = pick_filters(shop, draw, [tree.table] * above, tree.avoid)
    return Levels(tree, own, tuple(_raise(tree, one) for one in raised))


def _raise(tree: Tree, one: Filter) -> Filter:
    """The same condition on the parent."""
    return replace(one, sql=re.sub(rf"\b{tree.alias}\.", f"{tree.above}.", one.sql))
