"""Archetype hierarchy, easy and medium: rows beside their parents, parents by their children."""

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.phrasing import listing
from sqlrl.authoring.query import Select, quote
from sqlrl.authoring.teacher import Draft

from .compose import Shop, Writer
from .frames import choose, fill, the
from .hierarchy_deep import HARD as HARD_WRITERS
from .scope import describe
from .trees import Levels, pick_levels

BELOW = "categories cat JOIN categories top ON cat.parent_id = top.id"
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
SUBCATEGORIES = {
    "casual": (
        "Which categories sit directly under {name}? Just the names.",
        "What are the subcategories of {name}? Names only.",
    ),
    "formal": (
        "Please list the names of all subcategories of {name}.",
        "Please provide the name of every category whose parent is {name}.",
    ),
    "terse": ("subcategories of {name}, names", "category names under {name}"),
    "analyst": (
        "Return categories.name where the parent category is '{name}'.",
        "List the names of categories whose parent_id points to '{name}'.",
    ),
}
GOODS_COUNT = {
    "casual": (
        "How many products are in the subcategories of {name}?",
        "What's the number of products in the subcategories of {name}?",
    ),
    "formal": (
        (
            "Please report the number of products in the subcategories of {name}, leaving out those"
            " directly in {name}."
        ),
        "How many products are assigned to the subcategories of {name}?",
    ),
    "terse": ("count products in subcategories of {name}", "number of products in subcategories of {name}"),
    "analyst": ("Count products whose category has the parent '{name}'.",),
}
GOODS_LIST = {
    "casual": (
        "What products are in the subcategories of {name}? I want the product name and the subcategory name.",
        "Can you list the products in the subcategories of {name}, each by name with its subcategory's name?",
    ),
    "formal": (
        (
            "Please list the products in the subcategories of {name}, with the product name and the"
            " subcategory name."
        ),
    ),
    "terse": ("products in subcategories of {name}: product name, subcategory name",),
    "analyst": (
        "Return products.name and the category name for products whose category has the parent '{name}'.",
    ),
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
EXTRAS = {
    "employees": (
        ("salary", "employee's salary"),
        ("hired_on", "employee's hire date"),
        ("department", "employee's department"),
    ),
    "customers": (
        ("country", "customer's country"),
        ("signed_up_on", "customer's sign-up date"),
        ("city", "customer's city"),
    ),
}
OF_CHILDREN = {
    "employees": (
        ("COUNT(*)", "number of direct reports"),
        ("COUNT(*)", "number of direct reports"),
        ("AVG(e.salary)", "average salary of the direct reports"),
        ("MAX(e.salary)", "highest salary among the direct reports"),
        ("SUM(e.salary)", "total salary of the direct reports"),
        ("MIN(e.hired_on)", "earliest hire date among the direct reports"),
    ),
    "customers": (
        ("COUNT(*)", "number of referred customers"),
        ("COUNT(*)", "number of referred customers"),
        ("COUNT(DISTINCT c.country)", "number of different countries of the referred customers"),
        ("MIN(c.signed_up_on)", "earliest sign-up date among the referred customers"),
        ("MAX(c.signed_up_on)", "latest sign-up date among the referred customers"),
    ),
}
# (SQL, verb phrase, analyst's clause)
COMPARISONS = {
    "employees": (
        ("e.salary > m.salary", "earn more than their manager", "salary is above the manager's salary"),
        (
            "e.hired_on < m.hired_on",
            "were hired before their manager",
            "hired_on is before the manager's hired_on",
        ),
        (
            "e.department <> m.department",
            "work in another department than their manager",
            "department differs from the manager's",
        ),
        (
            "e.department = m.department",
            "work in the same department as their manager",
            "department equals the manager's",
        ),
        (
            "e.salary > m.salary / 2",
            "earn more than half of what their manager earns",
            "salary is above half of the manager's salary",
        ),
    ),
    "customers": (
        (
            "c.country = ref.country",
            "live in the same country as their referrer",
            "country equals the referrer's country",
        ),
        (
            "c.country <> ref.country",
            "live in another country than their referrer",
            "country differs from the referrer's country",
        ),
        (
            "c.city <> ref.city",
            "live in a city with another name than their referrer's",
            "city differs from the referrer's city",
        ),
        (
            "EXTRACT(YEAR FROM c.signed_up_on) = EXTRACT(YEAR FROM ref.signed_up_on)",
            "signed up in the same calendar year as their referrer",
            "signed_up_on falls in the same year as the referrer's",
        ),
        (
            "c.signed_up_on > ref.signed_up_on + 365",
            "signed up more than 365 days after their referrer",
            "signed_up_on is more than 365 days after the referrer's",
        ),
    ),
}


def pairs(shop: Shop, draw: Draw, style: str) -> Draft:
    """Rows beside their parent."""
    levels = pick_levels(shop, draw, ((1, 0), (0, 1), (1, 0)))
    tree = levels.tree
    columns, labels = (
        [f"{tree.alias}.name", f"{tree.above}.name"],
        [f"{tree.one} name", f"{tree.parent} name"],
    )
    if draw.structure.chance(0.6):
        column, label = draw.structure.pick(EXTRAS[tree.table])
        columns.append(f"{tree.alias}.{column}")
        labels.append(label)
    question = fill(
        choose(draw, style, PAIRS), rows=levels.rows(style), labels=the(labels), bare=", ".join(labels)
    )
    return Draft(question, Select(tuple(columns), tree.source, levels.where()))


def counted_pairs(shop: Shop, draw: Draw, style: str) -> Draft:
    """How many rows have a parent of a kind."""
    levels = pick_levels(shop, draw, ((0, 1), (1, 1), (0, 1), (1, 0)))
    sql = Select(("COUNT(*)",), levels.tree.source, levels.where())
    return Draft(fill(choose(draw, style, COUNTS), rows=levels.rows(style)), sql)


def subcategories(shop: Shop, draw: Draw, style: str) -> Draft:
    """Categories below a parent."""
    name = draw.detail.pick(shop.values.parents)
    sql = Select(("cat.name",), BELOW, (f"top.name = {quote(name)}",))
    return Draft(fill(choose(draw, style, SUBCATEGORIES), name=name), sql)


def goods_below(shop: Shop, draw: Draw, style: str) -> Draft:
    """Products in the subcategories of a parent."""
    name = draw.detail.pick(shop.values.parents)
    count = draw.structure.chance(0.5)
    source = "products p JOIN categories cat ON p.category_id = cat.id JOIN categories top ON cat.parent_id = top.id"
    columns = ("COUNT(*)",) if count else ("p.name", "cat.name")
    sql = Select(columns, source, (f"top.name = {quote(name)}",))
    return Draft(fill(choose(draw, style, GOODS_COUNT if count else GOODS_LIST), name=name), sql)


def per_parent(shop: Shop, draw: Draw, style: str) -> Draft:
    """How many children each parent has, or another aggregate of them."""
    levels = pick_levels(shop, draw, ((0, 0), (1, 0), (0, 1), (1, 1)))
    tree = levels.tree
    aggregate, word = draw.structure.pick(OF_CHILDREN[tree.table])
    minimum = draw.detail.pick((2, 3))
    limited = draw.structure.chance(0.4)
    having = (f"COUNT(*) >= {minimum}",) if limited else ()
    columns = (f"{tree.above}.name", aggregate)
    sql = Select(columns, tree.source, levels.where(), (f"{tree.above}.name",), having)
    labels = [f"{tree.parent} name", word]
    such = "such " if levels.own else ""
    at_least = f"at least {minimum} {such}{tree.children}" if limited else f"at least one {such}{tree.child}"
    if style == "terse":
        own = [f"{tree.child} {one.terse.replace('{of}', '')}" for one in levels.own]
        above = [one.terse.replace("{of}", f"{tree.parent} ") for one in levels.above]
        head = ", ".join([f"{word} per {tree.parent}", *own, *above])
        return Draft(f"{head}; {', '.join(labels)}; only with {at_least}", sql)
    where, only, count = _conditions(levels)
    question = fill(
        choose(draw, style, PER_PARENT),
        parents=f"all {describe(tree.table, tree.parents, levels.above)}",
        plural=tree.parents,
        parent=tree.parent,
        such=at_least,
        labels=the(labels),
        count=count,
        where=where,
        only=only,
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
    return where, only, f" Count only {describe(tree.table, tree.children, levels.own)}."


def compared(shop: Shop, draw: Draw, style: str) -> Draft:
    """Rows compared with their parent."""
    levels = pick_levels(shop, draw, ((0, 0), (1, 0), (0, 1)))
    tree = levels.tree
    test, said, exact = draw.structure.pick(COMPARISONS[tree.table])
    count = draw.structure.chance(0.35)
    columns = ("COUNT(*)",) if count else (f"{tree.alias}.name", f"{tree.above}.name")
    sql = Select(columns, tree.source, (*levels.where(), test))
    labels = [f"{tree.one} name", f"{tree.parent} name"]
    rows = levels.plain()
    question = fill(
        choose(draw, style, COMPARED_COUNT if count else COMPARED),
        rows=rows,
        keyed=", ".join([tree.many, *levels.keywords()]) + ("," if levels.keywords() else ""),
        said=said,
        labels=the(labels),
        bare=", ".join(labels),
        table=tree.table,
        exact=listing([*levels.clauses(), exact]),
    )
    return Draft(question, sql)


EASY: tuple[Writer, ...] = (pairs, pairs, pairs, counted_pairs, counted_pairs, subcategories, goods_below)
MEDIUM: tuple[Writer, ...] = (per_parent, compared)
HARD: tuple[Writer, ...] = HARD_WRITERS
