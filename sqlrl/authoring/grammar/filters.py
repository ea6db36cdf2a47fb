"""Conditions on rows: their SQL beside their words in every style."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlrl.authoring.draw import Draw

# How closely a modifier belongs to its noun: "orders placed in 2025 with a fee above 5 that were returned".
PLACES = {"in": 1, "from": 1, "outside": 1, "based": 1, "living": 1}
WITHS = {"with", "without", "above", "below", "of", "worth"}
RELATIVES = {"that", "who", "whose", "which", "whom"}


@dataclass(frozen=True)
class Filter:
    """One condition, with the wording drawn for each style.

    Attributes:
        table: the table that it is about.
        sql: the condition, columns with their house alias.
        plain: the noun with its modifier, ``~`` standing for the noun: ``~ placed in 2025``, ``delivered ~``.
        terse: keywords; ``{of}`` is where the table's word goes when another table is the subject.
        analyst: a clause; ``{at}`` is where the table's name goes when another table is the subject.
        family: which column it is about; filters of one family don't go together.
    """

    table: str
    sql: str
    plain: str
    terse: str
    analyst: str
    family: str = ""

    @property
    def is_adjective(self) -> bool:
        """Whether the words stand before the noun."""
        return self.plain.endswith("~")

    @property
    def words(self) -> str:
        """The modifier without its noun."""
        return self.plain.replace("~", "").strip()

    def keywords(self, of: str) -> str:
        """The terse words; ``of`` says another subject's word, which is not said twice: "rental rental date"."""
        lead, mark, rest = self.terse.partition("{of}")
        if mark and of and rest.startswith(f"{of.split()[-1]} "):
            rest = rest.split(" ", 1)[1]
        return f"{lead}{of if mark else ''}{rest}"

    @property
    def rank(self) -> int:
        """0 before the noun, 1 places, 2 participles, 3 with, 4 relative clauses."""
        if self.is_adjective:
            return 0
        first = self.words.split()[0]
        if first in RELATIVES:
            return 4
        return 3 if first in WITHS else PLACES.get(first, 2)


# Draws one filter of a kind from the schema's values.
Maker = Callable[[Any, Draw], Filter]


def make(
    draw: Draw, table: str, sql: str, plain: Sequence[str], terse: Sequence[str], analyst: Sequence[str]
) -> Filter:
    """A filter with one of the wordings of each style."""
    pick = draw.detail.pick
    return Filter(table, sql, pick(plain), pick(terse), pick(analyst))
