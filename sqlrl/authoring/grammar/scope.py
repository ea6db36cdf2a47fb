"""Which rows count: a base table with conditions on it and on the tables it leads to."""

from dataclasses import dataclass

from sqlrl.authoring.grammar.filters import Filter
from sqlrl.authoring.grammar.tables import Link, Tables
from sqlrl.authoring.phrasing import listing


@dataclass(frozen=True)
class Scope:
    """Rows of a base table, narrowed by filters.

    Attributes:
        words: the schema's tables.
        base: the table whose rows count.
        filters: conditions; all hold.
        noun: another plural for the base, such as "sales reps" for employees.
    """

    words: Tables
    base: str
    filters: tuple[Filter, ...] = ()
    noun: str | None = None

    def where(self) -> tuple[str, ...]:
        """The SQL conditions, the base's own first."""
        own = [one.sql for one in self.filters if one.table == self.base]
        return (*own, *(one.sql for one in self.filters if one.table != self.base))

    def tables(self) -> tuple[str, ...]:
        """The tables that the filters need, besides the base."""
        return tuple(one.table for one in self.filters if one.table != self.base)

    def source(self, *more: str) -> str:
        """The FROM clause for the filters and for further tables."""
        return self.words.source(self.base, (*self.tables(), *more))

    def singular(self) -> str:
        """The bare noun of one row."""
        return self.words.nouns[self.base][0]

    def plural(self) -> str:
        """The bare noun."""
        return self.noun or self.words.nouns[self.base][1]

    def rows(self, style: str) -> str:
        """The rows as a noun phrase in the plural, in a style."""
        if style == "terse":
            return ", ".join([self.plural(), *self.keywords()])
        if style == "analyst":
            return f"{self.base}{self.clauses()}" if self.filters else f"all {self.base}"
        spoken = self.words.spoken.get(self.base)
        return spoken(self) if spoken else self.plain(self.plural())

    def keywords(self) -> list[str]:
        """The conditions as keywords for the terse style."""
        return [one.keywords(self._of(one)) for one in self._ordered()]

    def clauses(self, lead: str = " where ") -> str:
        """The conditions as one clause for the analyst style, empty without conditions."""
        texts = [one.analyst.replace("{at}", self._at(one)) for one in self._ordered()]
        return f"{lead}{listing(texts)}" if texts else ""

    def plain(self, noun: str) -> str:
        """The noun (singular or plural) with the conditions said as a person would."""
        return describe(self.words, self.base, noun, self.filters)

    def _ordered(self) -> list[Filter]:
        return sorted(self.filters, key=lambda one: one.table != self.base)

    def _of(self, one: Filter) -> str:
        return "" if one.table == self.base else f"{self.words.role(one.table)} "

    def _at(self, one: Filter) -> str:
        owner = self.words.owners.get(one.table)
        return "" if one.table == self.base else f"{owner} " if owner else f"{one.table}."


def describe(words: Tables, base: str, noun: str, filters: tuple[Filter, ...]) -> str:
    """A noun with its own modifiers, then with the tables it leads to where these have conditions."""
    absorbed = words.absorbed.get(base, ())
    own = sorted((one for one in filters if one.table in (base, *absorbed)), key=lambda one: one.rank)
    parts = [one.words for one in own if one.rank == 0] + [noun]
    after = [one for one in own if one.rank > 0]
    for index, one in enumerate(after):
        joined = index > 0 and (after[index - 1].rank == one.rank or after[index - 1].rank == 4)
        parts.append(f"and {one.words}" if joined else one.words)
    last_rank = max((one.rank for one in own), default=0)
    text = " ".join(parts)
    said = 0
    for link in words.links_from(base):
        beneath = tuple(one for one in filters if one.table in words.reachable(link.parent))
        if beneath and link.parent not in absorbed:
            text += _linked(link, describe(words, link.parent, words.parents(link), beneath), last_rank, said)
            said += 1
    return text


def _linked(link: Link, parent: str, last_rank: int, said: int) -> str:
    """The words that tie a parent on, such that they can't be read as part of the last modifier."""
    if last_rank == 4:
        return f" and {link.full} {parent}"
    if said or last_rank == 3:
        return f" {link.full} {parent}"
    return f" {link.short} {parent}"
