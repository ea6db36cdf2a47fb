"""Archetype hierarchy, easy and medium: rows beside their parents, parents by their children."""

from dataclasses import dataclass

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.frames import choose, fill, the
from sqlrl.authoring.grammar.hierarchy_deep import Deep
from sqlrl.authoring.grammar.schema import Chapter, Domain, Writer
from sqlrl.authoring.grammar.scope import describe
from sqlrl.authoring.grammar.trees import Levels, Tree, pick_levels
from sqlrl.authoring.phrasing import listing
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

PAIRS = {
    "casual": (
        "Can you list all {rows}? Give me {labels}.",
        "Show me all {rows}, with {labels}.",
        "I need all {rows}: {labels}.",
    ),
    "formal": ("Please list all {rows}, with {labels}.", "For all {rows}, please provide {labels}."),
    "terse": ("{rows}: {bare}",),
    "analyst": ("Return {labels} for {rows}.", "List {labels} for {rows}."),
}
COUNTS = {
    "casual": ("How many {rows} are there?", "How many {rows} do we have?", "What's the number of {rows}?"),
    "formal": ("Please report the number of {rows}.", "What is the number of {rows}?"),
    "terse": ("count {rows}", "number of {rows}"),
    "analyst": ("Count {rows}.", "Return the number of {rows}."),
}
PER_PARENT = {
    "casual": (
        "For {parents} with {such}, give me {labels}.{count}",
        "Can you show {labels} for {parents}?{count} Only those with {such}, please.",
    ),
    "formal": (
        "For {parents} with {such}, please report {labels}.{count}",
        "Please report {labels} for {parents} with {such}.{count}",
    ),
    "analyst": (
        "For each {parent}{where}, return {labels}{only}; keep {plural} with {such}.",
        "Group by {parent}{where} and return {labels}{only}, for {plural} with {such}.",
    ),
}
COMPARED = {
    "casual": ("Which {rows} {said}? Give me {labels}.",),
    "formal": ("Among {rows}, please list those who {said}, with {labels}.",),
    "terse": ("{keyed} who {said}: {bare}",),
    "analyst": ("Return {labels} for {table} where {exact}.",),
}
COMPARED_COUNT = {
    "casual": ("How many {rows} {said}?", "How many of the {rows} {said}?"),
    "formal": ("Please report how many {rows} {said}.", "Among {rows}, please count those who {said}."),
    "terse": ("count {keyed} who {said}",),
    "analyst": ("Count {table} where {exact}.",),
}


@dataclass(frozen=True)
class Hierarchy:
    """Writers about rows and their parents.

    Attributes:
        easy: further easy writers, about classes of things.
    """

    trees: tuple[Tree, ...]
    easy: tuple[Writer, ...]
    deep: Deep

    def chapter(self) -> Chapter:
        """All writers."""
        return Chapter(
            easy=(self.pairs, self.pairs, self.pairs, self.counted_pairs, self.counted_pairs, *self.easy),
            medium=(self.per_parent, self.compared),
            hard=self.deep.writers(),
        )

    def pairs(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Rows beside their parent."""
        levels = pick_levels(domain, draw, self.trees, ((1, 0), (0, 1), (1, 0)))
        tree = levels.tree
        columns, labels = (
            [f"{tree.alias}.{tree.name}", f"{tree.above}.{tree.name}"],
            [f"{tree.one} {tree.label}", f"{tree.parent} {tree.label}"],
        )
        if draw.structure.chance(0.6):
            column, label = draw.structure.pick(tree.extras)
            columns.append(f"{tree.alias}.{column}")
            labels.append(label)
        question = fill(
            choose(draw, style, PAIRS), rows=levels.rows(style), labels=the(labels), bare=", ".join(labels)
        )
        return Draft(question, Select(tuple(columns), tree.source, levels.where()))

    def counted_pairs(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """How many rows have a parent of a kind."""
        levels = pick_levels(domain, draw, self.trees, ((0, 1), (1, 1), (0, 1), (1, 0)))
        sql = Select(("COUNT(*)",), levels.tree.source, levels.where())
        return Draft(fill(choose(draw, style, COUNTS), rows=levels.rows(style)), sql)

    def per_parent(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """How many children each parent has, or another aggregate of them."""
        levels = pick_levels(domain, draw, self.trees, ((0, 0), (1, 0), (0, 1), (1, 1)))
        tree = levels.tree
        aggregate, word = draw.structure.pick(tree.of_children)
        minimum = draw.detail.pick((2, 3))
        limited = draw.structure.chance(0.4)
        having = (f"COUNT(*) >= {minimum}",) if limited else ()
        columns = (f"{tree.above}.{tree.name}", aggregate)
        sql = Select(columns, tree.source, levels.where(), columns[:1], having)
        labels = [f"{tree.parent} {tree.label}", word]
        such = "such " if levels.own else ""
        at_least = (
            f"at least {minimum} {such}{tree.children}" if limited else f"at least one {such}{tree.child}"
        )
        if style == "terse":
            own = [f"{tree.child} {one.keywords('')}" for one in levels.own]
            above = [one.keywords(f"{tree.parent} ") for one in levels.above]
            head = ", ".join([f"{word} per {tree.parent}", *own, *above])
            return Draft(f"{head}; {', '.join(labels)}; only with {at_least}", sql)
        where, only, count = _conditions(levels)
        question = fill(
            choose(draw, style, PER_PARENT),
            parents=f"all {describe(levels.words, tree.table, tree.parents, levels.above)}",
            plural=tree.parents,
            parent=tree.parent,
            such=at_least,
            labels=the(labels),
            count=count,
            where=where,
            only=only,
        )
        return Draft(question, sql)

    def compared(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Rows compared with their parent."""
        levels = pick_levels(domain, draw, self.trees, ((0, 0), (1, 0), (0, 1)))
        tree = levels.tree
        test, said, exact = draw.structure.pick(tree.comparisons)
        count = draw.structure.chance(0.35)
        columns = ("COUNT(*)",) if count else (f"{tree.alias}.{tree.name}", f"{tree.above}.{tree.name}")
        sql = Select(columns, tree.source, (*levels.where(), test))
        labels = [f"{tree.one} {tree.label}", f"{tree.parent} {tree.label}"]
        rows = levels.plain()
        question = fill(
            tree.said(choose(draw, style, COMPARED_COUNT if count else COMPARED)),
            rows=rows,
            keyed=", ".join([tree.many, *levels.keywords()]) + ("," if levels.keywords() else ""),
            said=said,
            labels=the(labels),
            bare=", ".join(labels),
            table=tree.table,
            exact=listing([*levels.clauses(), exact]),
        )
        return Draft(question, sql)


def _conditions(levels: Levels) -> tuple[str, str, str]:
    """For analysts the parents' and the children's conditions; for others a sentence about the children."""
    tree = levels.tree
    children = listing([one.analyst.replace("{at}", "") for one in levels.own])
    parents = listing([one.analyst.replace("{at}", f"the {tree.parent}'s ") for one in levels.above])
    where = f", where {parents}" if parents else ""
    if not levels.own:
        return where, "", ""
    only = f", counting only {tree.children} where {children}"
    return where, only, f" Count only {describe(levels.words, tree.table, tree.children, levels.own)}."
