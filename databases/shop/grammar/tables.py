"""The shop's tables as a grammar sees them: aliases, nouns, how they join and how the join is said."""

from dataclasses import dataclass

ALIASES = {
    "categories": "cat",
    "products": "p",
    "customers": "c",
    "employees": "e",
    "orders": "o",
    "order_items": "oi",
    "payments": "pay",
    "reviews": "r",
}
NOUNS = {
    "categories": ("category", "categories"),
    "products": ("product", "products"),
    "customers": ("customer", "customers"),
    "employees": ("employee", "employees"),
    "orders": ("order", "orders"),
    "order_items": ("order item", "order items"),
    "payments": ("payment", "payments"),
    "reviews": ("review", "reviews"),
}


@dataclass(frozen=True)
class Link:
    """A foreign key from a child table to its parent.

    Attributes:
        short: between the two nouns: orders *by* customers.
        full: a relative clause that says the same: orders *that were placed by* customers.
        column: the foreign key column of the child.
        outer: whether the column may be NULL.
    """

    child: str
    parent: str
    column: str
    short: str
    full: str

    @property
    def join(self) -> str:
        """The JOIN clause, always written child = parent."""
        child, parent = ALIASES[self.child], ALIASES[self.parent]
        return f"JOIN {self.parent} {parent} ON {child}.{self.column} = {parent}.id"


LINKS = (
    Link("products", "categories", "category_id", "", ""),
    Link("orders", "customers", "customer_id", "by", "that were placed by"),
    Link("orders", "employees", "sales_rep_id", "handled by", "that were handled by"),
    Link("order_items", "products", "product_id", "of", "that are for"),
    Link("order_items", "orders", "order_id", "in", "that belong to"),
    Link("payments", "orders", "order_id", "for", "that are for"),
    Link("reviews", "products", "product_id", "of", "that are about"),
    Link("reviews", "customers", "customer_id", "by", "that were written by"),
)


def links_from(table: str) -> tuple[Link, ...]:
    """The foreign keys of a table, in the order in which joins are written."""
    return tuple(link for link in LINKS if link.child == table)


def reachable(table: str) -> tuple[str, ...]:
    """The tables that joins from this one lead to, itself first."""
    found = [table]
    for one in found:
        found.extend(link.parent for link in links_from(one) if link.parent not in found)
    return tuple(found)


def path_to(base: str, table: str) -> tuple[Link, ...]:
    """The joins from a base table to another, nearest first; empty for the base itself."""
    if base == table:
        return ()
    for link in links_from(base):
        if table in reachable(link.parent):
            return (link, *path_to(link.parent, table))
    raise ValueError(f"no foreign keys lead from {base} to {table}")


def source(base: str, tables: tuple[str, ...]) -> str:
    """The FROM clause that reads the base and joins what leads to the tables, each once."""
    needed: list[Link] = []
    for table in tables:
        needed.extend(link for link in path_to(base, table) if link not in needed)
    ordered = [link for link in LINKS_IN_ORDER[base] if link in needed]
    return " ".join([f"{base} {ALIASES[base]}", *(link.join for link in ordered)])


def _walk(base: str) -> tuple[Link, ...]:
    """All joins that lead from a base, nearest first."""
    links = list(links_from(base))
    for link in links:
        links.extend(one for one in links_from(link.parent) if one not in links)
    return tuple(links)


LINKS_IN_ORDER = {table: _walk(table) for table in ALIASES}
