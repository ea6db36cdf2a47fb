"""What rows are grouped by."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Key:
    """A grouping column.

    Attributes:
        table: where it is read from.
        sql: the column or expression.
        one: what a group is, in the singular: "country".
        many: the same in the plural.
        label: names the column in what is returned: "country", "customer name".
        column: how an analyst names it.
        entity: whether groups are rows of a table, such that some may have nothing to count.
        person: whether groups are people.
        numerous: whether there are so many that the first ten can be asked for.
        flag: whether it is true or false, which leaves nothing to rank.
        skipped: rows that are of no group, and what they lack: ("orders", "a sales rep").
    """

    name: str
    table: str
    sql: str
    one: str
    many: str
    label: str
    column: str
    entity: bool = False
    person: bool = False
    numerous: bool = False
    flag: bool = False
    skipped: tuple[str, str] = ("", "")


def year_of(table: str, column: str, one: str, name: str) -> Key:
    """A year of a date column."""
    return Key(
        f"year_{name}",
        table,
        f"EXTRACT(YEAR FROM {column})",
        one,
        f"{one}s",
        "year",
        f"year of {name}",
    )
