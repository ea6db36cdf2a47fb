"""Archetype two-table join."""

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

from .columns import NAMES, pick_columns
from .compose import Shop, Writer, families_of, grouped_select, maybe, narrow
from .frames import ask_list, ask_scalar
from .frames_groups import ask_grouped
from .keys import CATEGORY, CITY, COUNTRY, CUSTOMER, PRODUCT, REP, REP_TITLE, STATUS, Key
from .measures import MEASURES, fitting
from .query_parts import select_rows
from .tables import LINKS, NOUNS
from .two_tables_hard import HARD as HARD_WRITERS

PAIRS = tuple(link for link in LINKS if link.child != "order_items")
ITEM_PAIRS = tuple(link for link in LINKS if link.child == "order_items")
KEYS_OF: dict[str, tuple[Key, ...]] = {
    "customers": (COUNTRY, CITY, CUSTOMER),
    "employees": (REP, REP_TITLE),
    "products": (PRODUCT,),
    "categories": (CATEGORY,),
    "orders": (STATUS,),
}


def listed(shop: Shop, draw: Draw, style: str) -> Draft:
    """Rows with the name of their parent, narrowed on either side."""
    link = draw.structure.pick(PAIRS)
    child, parent = link.child, link.parent
    if parent == "categories":
        tables = draw.structure.pick(([child], [child, child]))
    else:
        tables = draw.structure.pick(([child, parent], [child, child], [child, parent]))
    scope = narrow(shop, draw, child, tables)
    columns = (*pick_columns(draw, child, 1 + draw.structure.below(2)), NAMES[parent])
    labels = [one.label for one in columns]
    labels[0] = f"{NOUNS[child][0]} name" if labels[0] == "name" else labels[0]
    return Draft(ask_list(draw, style, scope, labels), select_rows(scope, columns))


def counted(shop: Shop, draw: Draw, style: str) -> Draft:
    """One aggregate with a condition on the parent."""
    link = draw.structure.pick(LINKS)
    base = link.child
    scope = narrow(shop, draw, base, [*maybe(draw, 0.4, base), link.parent])
    choices = [one for one in fitting(MEASURES[base], scope) if set(one.needs) <= {link.parent}]
    measure = draw.structure.pick(choices)
    sql = Select((measure.sql,), scope.source(*measure.needs), scope.where())
    return Draft(ask_scalar(draw, style, scope, [measure]), sql)


def grouped(shop: Shop, draw: Draw, style: str) -> Draft:
    """One aggregate for every group of the parent."""
    link = draw.structure.pick((*LINKS, *ITEM_PAIRS))
    key = draw.structure.pick(KEYS_OF[link.parent])
    base = link.child
    choices: tuple[list[str], ...] = ([base], [base], [link.parent], [base, base], [])
    tables = [one for one in draw.structure.pick(choices) if one != "categories"]
    scope = narrow(shop, draw, base, tables, families_of(key))
    fits = [one for one in fitting(MEASURES[base], scope, key) if set(one.needs) <= {link.parent}]
    measure = draw.structure.pick(fits)
    return Draft(ask_grouped(draw, style, scope, key, [measure]), grouped_select(scope, key, [measure]))


EASY: tuple[Writer, ...] = (listed, counted)
MEDIUM: tuple[Writer, ...] = (grouped,)
HARD: tuple[Writer, ...] = HARD_WRITERS
