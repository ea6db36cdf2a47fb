"""Which rows count: a base table with conditions on it and on the tables it leads to."""

from dataclasses import dataclass

from sqlrl.authoring.phrasing import listing

from .filters import Filter
from .tables import NOUNS, Link, links_from, reachable, source


@dataclass(frozen=True)
class Scope:
    """Rows of a base table, narrowed by filters.

    Attributes:
        base: the table whose rows count.
        filters: conditions; all hold.
        noun: another plural for the base, such as "sales reps" for employees.
    """

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
        return source(self.base, (*self.tables(), *more))

    def plural(self) -> str:
        """The bare noun."""
        return self.noun or NOUNS[self.base][1]

    def rows(self, style: str) -> str:
        """The rows as a noun phrase in the plural, in a style."""
        if style == "terse":
            return ", ".join([self.plural(), *self.keywords()])
        if style == "analyst":
            return f"{self.base}{self.clauses()}" if self.filters else f"all {self.base}"
        return self.sales() if self.base == "order_items" else self.plain(self.plural())

    def keywords(self) -> list[str]:
        """The conditions as keywords for the terse style."""
        return [one.terse.replace("{of}", self._of(one)) for one in self._ordered()]

    def clauses(self, lead: str = " where ") -> str:
        """The conditions as one clause for the analyst style, empty without conditions."""
        texts = [one.analyst.replace("{at}", self._at(one)) for one in self._ordered()]
        return f"{lead}{listing(texts)}" if texts else ""

    def plain(self, noun: str) -> str:
        """The noun (singular or plural) with the conditions said as a person would."""
        return describe(self.base, noun, self.filters)

    def sales(self) -> str:
        """Order items said by what was sold and where: "products in the Audio category in orders ..."."""
        goods = tuple(one for one in self.filters if one.table in ("products", "categories"))
        own = tuple(one for one in self.filters if one.table == "order_items")
        orders = tuple(one for one in self.filters if one not in (*goods, *own))
        if own:
            return self.plain(self.plural())
        if not goods:
            return describe("orders", "orders", orders) if orders else "all orders"
        text = describe("products", "products", goods)
        if not orders:
            return text
        comma = "," if max(one.rank for one in goods) > 2 else ""
        return f"{text}{comma} sold in {describe('orders', 'orders', orders)}"

    def _ordered(self) -> list[Filter]:
        return sorted(self.filters, key=lambda one: one.table != self.base)

    def _of(self, one: Filter) -> str:
        if one.table == self.base:
            return ""
        return "sales rep " if one.table == "employees" else f"{NOUNS[one.table][0]} "

    def _at(self, one: Filter) -> str:
        return "" if one.table == self.base else f"{one.table}."


def describe(base: str, noun: str, filters: tuple[Filter, ...]) -> str:
    """A noun with its own modifiers, then with the tables it leads to where these have conditions."""
    # A category is said like a condition of the product itself.
    own_tables = (base, "categories") if base == "products" else (base,)
    own = sorted((one for one in filters if one.table in own_tables), key=lambda one: one.rank)
    words = [one.words for one in own if one.rank == 0] + [noun]
    after = [one for one in own if one.rank > 0]
    for index, one in enumerate(after):
        joined = index > 0 and (after[index - 1].rank == one.rank or after[index - 1].rank == 4)
        words.append(f"and {one.words}" if joined else one.words)
    last_rank = max((one.rank for one in own), default=0)
    text = " ".join(words)
    said = 0
    for link in links_from(base):
        beneath = tuple(one for one in filters if one.table in reachable(link.parent))
        if beneath and link.parent != "categories":
            text += _linked(link, describe(link.parent, _noun(link), beneath), last_rank, said)
            said += 1
    return text


def _noun(link: Link) -> str:
    return "sales reps" if link.column == "sales_rep_id" else NOUNS[link.parent][1]


def _linked(link: Link, parent: str, last_rank: int, said: int) -> str:
    """The words that tie a parent on, such that they can't be read as part of the last modifier."""
    if last_rank == 4:
        return f" and {link.full} {parent}"
    if said or last_rank == 3:
        return f" {link.full} {parent}"
    return f" {link.short} {parent}"
