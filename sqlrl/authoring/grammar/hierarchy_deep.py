"""Archetype hierarchy, hard: recursions and two levels at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.compose import maybe, narrow
from sqlrl.authoring.grammar.frames import choose, fill
from sqlrl.authoring.grammar.schema import Domain, Writer
from sqlrl.authoring.grammar.trees import Tree
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft
from sqlrl.database.literals import quote

PER_LEVEL = {
    "casual": (
        "What's {what}, level by level in the org chart? Here {levels}. Give me the level and the figure.",
        "Per level of the reporting line, I'd like {what}: {levels}. Show the level and the figure.",
    ),
    "formal": ("Please report, for each level of the reporting line, the level and {what}, where {levels}.",),
    "terse": ("{short} per reporting level{also}; {start} = 1, their reports = 2 and so on; level, {short}",),
    "analyst": ("Walking {column} down from the head (level 1), return each level and {what}.",),
}
# What is said of a company's levels, and of those of another tree instead.
OF_COMPANY = (
    ("in the org chart", "in the {line}"),
    ("of the reporting line", "of the {line}"),
    ("per reporting level", "per level of the {line}"),
    ("their reports = 2", "those directly below = 2"),
    ("from the head (level 1)", "from the top (level 1)"),
)
BELOW = {
    "casual": ("Which {rows} {tail}? Just the names.", "Who are the {rows} {who} {tail}? Names, please."),
    "formal": ("Among {rows}, please list by name those who {tail}.",),
    "terse": ("names: {relation} {name}, any depth{also}",),
    "analyst": ("Return the names of {rows} in the {column} tree below '{name}', at any depth.",),
}
BELOW_COUNT = {
    "casual": ("How many {rows} {tail}?",),
    "formal": ("Please report how many {rows} {tail}.",),
    "terse": ("count: {relation} {name}, any depth{also}",),
    "analyst": ("Count {rows} in the {column} tree below '{name}', at any depth.",),
}
BELOW_LEVELS = {
    "casual": ("Which {rows} {tail}? Give me the name and how many steps below they are, 1 for direct.",),
    "formal": (
        "Among {rows}, please list those who {tail}, with the name and the number of steps (1 if direct).",
    ),
    "terse": ("name, steps below (direct = 1): {relation} {name}, any depth{also}",),
    "analyst": (
        (
            "Return the name and the distance (1 = direct) of {rows} in the {column} tree below"
            " '{name}', at any depth."
        ),
    ),
}
BELOW_KINDS: tuple[tuple[Mapping[str, Sequence[str]], str], ...] = (
    (BELOW, "chain.name"),
    (BELOW_COUNT, "COUNT(*)"),
    (BELOW_LEVELS, "chain.name, chain.level - 1"),
)
TWO_UP = {
    "casual": (
        "For all {rows}, who is {far}? Give me both names and skip anyone without one.",
        "Next to the name of each of the {rows}, show me the name of {far}. Leave out those without one.",
    ),
    "formal": (
        "Please list all {rows} with their own name and the name of {far}, omitting those who have none.",
    ),
    "terse": ("{rows}, with {short}; {one} name, {short} name; skip those without",),
    "analyst": ("For {rows}, return the name and the {short}'s name, leaving out rows that have none.",),
}
TWO_UP_COUNT = {
    "casual": (
        (
            "Counting only {rows}, how often is each person somebody's {short}? Give me that"
            " person's name and the count,"
            " no zeros."
        ),
    ),
    "formal": (
        (
            "For each {short}, please report that person's name and the number of {rows} two levels"
            " below. Omit those"
            " with none."
        ),
    ),
    "terse": ("number of {rows}, per {short}; {short} name, number; no zeros",),
    "analyst": ("For each {short} over {rows}, return that person's name and the number of rows.",),
}


@dataclass(frozen=True)
class Deep:
    """Writers about more than one level.

    Attributes:
        ranks: the tree that is walked level by level from its one root.
        of_level: (SQL, words with ``{rows}``, keywords, whether the table is needed again) per level.
        levels: what the levels are, for people; start: the root in keywords.
        more: further hard writers, about classes of things; they come first.
        line: what the tree is called, where it is not an org chart: "category hierarchy".
    """

    trees: tuple[Tree, ...]
    ranks: Tree
    of_level: tuple[tuple[str, str, str, bool], ...]
    levels: str
    start: str
    more: tuple[Writer, ...]
    line: str = ""

    def writers(self) -> tuple[Writer, ...]:
        """All writers."""
        return (*self.more, self.per_level, self.below_person, self.two_up)

    def per_level(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Employees per level below the head of the company."""
        aggregate, said, short, again = draw.structure.pick(self.of_level)
        scope = narrow(domain, draw, self.ranks.table, maybe(draw, 0.6, self.ranks.table), self.ranks.avoid)
        tree = self.ranks
        joined = f" JOIN {tree.table} {tree.alias} ON chain.{tree.key} = {tree.alias}.{tree.key}"
        join = joined if again or scope.filters else ""
        where = f" WHERE {' AND '.join(scope.where())}" if scope.filters else ""
        chain = _chain(self.ranks, f"{self.ranks.alias}.{self.ranks.column} IS NULL")
        sql = f"{chain}SELECT level, {aggregate} FROM chain{join}{where} GROUP BY level"
        question = fill(
            _of_line(choose(draw, style, PER_LEVEL), self.line),
            what=fill(said, rows=scope.rows(style)),
            levels=self.levels,
            start=self.start,
            column=self.ranks.column,
            short=short,
            also="".join(f", {word}" for word in scope.keywords()),
        )
        return Draft(question, sql)

    def below_person(self, domain: Domain, draw: Draw, style: str) -> Draft | None:
        """Everybody below one person, however far."""
        tree = draw.structure.pick(self.trees)
        heads = domain.ask(
            f"SELECT x.{tree.name} FROM {tree.table} x JOIN {tree.table} y ON y.{tree.column} = x.{tree.key}"
            f" JOIN {tree.table} z ON z.{tree.column} = y.{tree.key}"
            f" GROUP BY x.{tree.name} ORDER BY x.{tree.name}"
        )
        if not heads:
            return None
        name = str(draw.detail.pick(heads)[0])
        scope = narrow(domain, draw, tree.table, maybe(draw, 0.6, tree.table), tree.avoid)
        frames, columns = draw.structure.pick(BELOW_KINDS)
        join = (
            f" JOIN {tree.table} {tree.alias} ON chain.{tree.key} = {tree.alias}.{tree.key}"
            if scope.filters
            else ""
        )
        where = " AND ".join(["chain.level > 1", *scope.where()])
        chain = _chain(tree, f"{tree.alias}.{tree.name} = {quote(name)}")
        question = fill(
            tree.said(choose(draw, style, frames)),
            rows=scope.rows(style).removeprefix("all "),
            tail=tree.below,
            who=f"and {tree.who}" if any(one.rank == 4 for one in scope.filters) else tree.who,
            relation=tree.relation,
            also="".join(f", {word}" for word in scope.keywords()),
            column=tree.column,
        )
        return Draft(fill(question, name=name), f"{chain}SELECT {columns} FROM chain{join} WHERE {where}")

    def two_up(self, domain: Domain, draw: Draw, style: str) -> Draft:
        """Rows with their parent's parent."""
        tree = draw.structure.pick(self.trees)
        scope = narrow(domain, draw, tree.table, maybe(draw, 0.8, tree.table), tree.avoid)
        count = draw.structure.chance(0.4)
        own, top = f"{tree.alias}.{tree.name}", f"{tree.top}.{tree.name}"
        columns = (top, "COUNT(*)") if count else (own, top)
        sql = Select(columns, tree.source_two_up, scope.where())
        question = fill(
            tree.said(choose(draw, style, TWO_UP_COUNT if count else TWO_UP)),
            rows=scope.rows(style).removeprefix("all "),
            far=tree.far,
            short=f"{tree.parent}'s {tree.parent}",
            one=tree.one,
        )
        return Draft(question, replace(sql, group=(top,)) if count else sql)


def _of_line(frame: str, line: str) -> str:
    """A frame about a company's levels, or what it is for another tree."""
    if not line:
        return frame
    for company, other in OF_COMPANY:
        frame = frame.replace(company, other.replace("{line}", line))
    return frame


def _chain(tree: Tree, start: str) -> str:
    """A recursive CTE that walks down from the rows of a condition, counting levels from 1."""
    table, alias = tree.table, tree.alias
    named = tree.name if tree.name == "name" else f"{tree.name} AS name"
    return (
        f"WITH RECURSIVE chain AS (SELECT {alias}.{tree.key}, {alias}.{named}, 1 AS level FROM {table} {alias}"
        f" WHERE {start}"
        f" UNION ALL SELECT {alias}.{tree.key}, {alias}.{tree.name}, chain.level + 1 FROM {table} {alias}"
        f" JOIN chain ON {alias}.{tree.column} = chain.{tree.key}) "
    )
