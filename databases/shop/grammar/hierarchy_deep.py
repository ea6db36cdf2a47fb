"""Archetype hierarchy, hard: recursions, two levels at once, values rolled up to the top level."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.query import Select, quote
from sqlrl.authoring.teacher import Draft

from .compose import Shop, Writer, maybe, narrow, pick_measure
from .frames import choose, fill
from .frames_groups import ask_grouped
from .keys import Key
from .trees import STAFF, TREES, Tree

TOP_NAME = "COALESCE(top.name, cat.name)"
TOP = Key(
    name="top",
    table="categories",
    sql=TOP_NAME,
    one="top-level category",
    many="top-level categories",
    label="top-level category name",
    column="top-level category",
    entity=True,
)
ROLL_UP = {
    "casual": (
        " Count everything in a subcategory under its parent.",
        " Subcategories count towards their parent.",
    ),
    "formal": (" Subcategories are to be counted under their parent.",),
    "terse": ("; subcategories under parent",),
    "analyst": (" Use the category's parent where it has one.",),
}
# (what is selected per level, with {rows}, keywords, whether the table is needed again)
OF_LEVEL = (
    ("COUNT(*)", "the number of {rows}", "number of employees", False),
    ("AVG(e.salary)", "the average salary of {rows}", "average salary", True),
    ("MAX(e.salary)", "the highest salary of {rows}", "highest salary", True),
    ("SUM(e.salary)", "the total salary of {rows}", "total salary", True),
    ("MIN(e.hired_on)", "the earliest hire date of {rows}", "earliest hire date", True),
    (
        "COUNT(DISTINCT e.department)",
        "the number of different departments of {rows}",
        "distinct departments",
        True,
    ),
)
LEVELS = "the head of the company is level 1, those reporting to them level 2, and so on"
PER_LEVEL = {
    "casual": (
        "What's {what}, level by level in the org chart? Here {levels}. Give me the level and the figure.",
        "Per level of the reporting line, I'd like {what}: {levels}. Show the level and the figure.",
    ),
    "formal": ("Please report, for each level of the reporting line, the level and {what}, where {levels}.",),
    "terse": (
        "{short} per reporting level{also}; head of company = 1, their reports = 2 and so on; level, {short}",
    ),
    "analyst": ("Walking manager_id down from the head (level 1), return each level and {what}.",),
}
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


def _chain(tree: Tree, start: str) -> str:
    """A recursive CTE that walks down from the rows of a condition, counting levels from 1."""
    table, alias = tree.table, tree.alias
    return (
        f"WITH RECURSIVE chain AS (SELECT {alias}.id, {alias}.name, 1 AS level FROM {table} {alias}"
        f" WHERE {start}"
        f" UNION ALL SELECT {alias}.id, {alias}.name, chain.level + 1 FROM {table} {alias}"
        f" JOIN chain ON {alias}.{tree.column} = chain.id) "
    )


def rolled_up(shop: Shop, draw: Draw, style: str) -> Draft:
    """An aggregate per top-level category, subcategories counted under their parent."""
    base = draw.structure.pick(("products", "order_items", "reviews", "order_items"))
    tables = draw.structure.pick(([base], [], ["products"], ["orders"] if base == "order_items" else [base]))
    scope = narrow(shop, draw, base, tables)
    measure = pick_measure(draw, scope, TOP)
    source = scope.source("categories", *measure.needs)
    sql = Select(
        (TOP_NAME, measure.sql),
        f"{source} LEFT JOIN categories top ON cat.parent_id = top.id",
        scope.where(),
        (TOP_NAME,),
    )
    return Draft(f"{ask_grouped(draw, style, scope, TOP, [measure])}{choose(draw, style, ROLL_UP)}", sql)


def per_level(shop: Shop, draw: Draw, style: str) -> Draft:
    """Employees per level below the head of the company."""
    aggregate, said, short, again = draw.structure.pick(OF_LEVEL)
    scope = narrow(shop, draw, "employees", maybe(draw, 0.6, "employees"), STAFF.avoid)
    join = " JOIN employees e ON chain.id = e.id" if again or scope.filters else ""
    where = f" WHERE {' AND '.join(scope.where())}" if scope.filters else ""
    chain = _chain(STAFF, "e.manager_id IS NULL")
    sql = f"{chain}SELECT level, {aggregate} FROM chain{join}{where} GROUP BY level"
    question = fill(
        choose(draw, style, PER_LEVEL),
        what=fill(said, rows=scope.rows(style)),
        levels=LEVELS,
        short=short,
        also="".join(f", {word}" for word in scope.keywords()),
    )
    return Draft(question, sql)


def below_person(shop: Shop, draw: Draw, style: str) -> Draft | None:
    """Everybody below one person, however far."""
    tree = draw.structure.pick(TREES)
    heads = shop.ask(
        f"SELECT x.name FROM {tree.table} x JOIN {tree.table} y ON y.{tree.column} = x.id"
        f" JOIN {tree.table} z ON z.{tree.column} = y.id GROUP BY x.name ORDER BY x.name"
    )
    if not heads:
        return None
    name = str(draw.detail.pick(heads)[0])
    scope = narrow(shop, draw, tree.table, maybe(draw, 0.6, tree.table), tree.avoid)
    frames, columns = draw.structure.pick(BELOW_KINDS)
    join = f" JOIN {tree.table} {tree.alias} ON chain.id = {tree.alias}.id" if scope.filters else ""
    where = " AND ".join(["chain.level > 1", *scope.where()])
    chain = _chain(tree, f"{tree.alias}.name = {quote(name)}")
    verb = "report to {name}, directly or through other managers"
    if tree is not STAFF:
        verb = "were brought in by {name}, directly or through a chain of referrals"
    question = fill(
        choose(draw, style, frames),
        rows=scope.rows(style).removeprefix("all "),
        tail=verb,
        who="and who" if any(one.rank == 4 for one in scope.filters) else "who",
        relation="everyone below" if tree is STAFF else "everyone referred by",
        also="".join(f", {word}" for word in scope.keywords()),
        column=tree.column,
    )
    return Draft(fill(question, name=name), f"{chain}SELECT {columns} FROM chain{join} WHERE {where}")


def two_up(shop: Shop, draw: Draw, style: str) -> Draft:
    """Rows with their parent's parent."""
    tree = draw.structure.pick(TREES)
    scope = narrow(shop, draw, tree.table, maybe(draw, 0.8, tree.table), tree.avoid)
    count = draw.structure.chance(0.4)
    columns = (f"{tree.top}.name", "COUNT(*)") if count else (f"{tree.alias}.name", f"{tree.top}.name")
    sql = Select(columns, tree.source_two_up, scope.where())
    question = fill(
        choose(draw, style, TWO_UP_COUNT if count else TWO_UP),
        rows=scope.rows(style).removeprefix("all "),
        far="their manager's manager" if tree is STAFF else "their referrer's referrer",
        short=f"{tree.parent}'s {tree.parent}",
        one=tree.one,
    )
    return Draft(question, replace(sql, group=(f"{tree.top}.name",)) if count else sql)


HARD: tuple[Writer, ...] = (rolled_up, rolled_up, per_level, below_person, two_up)
