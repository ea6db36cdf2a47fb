"""The shop's grammar: which writers fill which cell."""

from types import ModuleType

from sqlrl.authoring.cells import Cell
from sqlrl.authoring.draw import Draw
from sqlrl.authoring.teacher import Ask, Draft

from . import (
    absence,
    aggregation,
    dates,
    having,
    hierarchy,
    many_tables,
    metrics,
    nulls,
    top_n,
    two_tables,
)
from .compose import Shop, Writer
from .values import read_values

ARCHETYPES: dict[str, ModuleType] = {
    "aggregation": aggregation,
    "top-n": top_n,
    "two-table join": two_tables,
    "multi-table join": many_tables,
    "group having": having,
    "null semantics": nulls,
    "hierarchy": hierarchy,
    "date and time": dates,
    "anti-join": absence,
    "derived metric": metrics,
}


# In characters. What is not hard fits a reply of 128 tokens, a fence around it included.
LONGEST = {"easy": 240, "medium": 270}
MAXIMUM = 1000


class ShopGrammar:
    """Writes questions about the shop."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop

    def write(self, cell: Cell, draw: Draw) -> Draft | None:
        """One draft for the cell; None where the drawn structure does not fit the data."""
        writers: tuple[Writer, ...] = getattr(ARCHETYPES[cell.archetype], cell.difficulty.upper())
        draft = draw.structure.pick(writers)(self._shop, draw, cell.style)
        too_long = draft is not None and len(draft.sql()) > LONGEST.get(cell.difficulty, MAXIMUM)
        return None if too_long else draft


def open_grammar(ask: Ask) -> ShopGrammar:
    """The grammar over the data that ``ask`` reads."""
    return ShopGrammar(Shop(read_values(ask), ask))
