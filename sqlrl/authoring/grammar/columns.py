"""Columns that lists show and rows are ranked by, with the words that name them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlrl.authoring.draw import Draw


@dataclass(frozen=True)
class Column:
    """A column of a list: its SQL and its label."""

    table: str
    sql: str
    label: str

    @property
    def name(self) -> str:
        """The column's name without its table."""
        return self.sql.split(".")[1]


@dataclass(frozen=True)
class Ranked:
    """A column by which rows are ranked.

    Attributes:
        highest, lowest: superlatives after the noun; empty where one makes little sense.
        family: the family of filters on this column.
    """

    column: Column
    highest: str
    lowest: str
    family: str


@dataclass(frozen=True)
class Number:
    """A column that is averaged and compared: its SQL, its noun, the family of filters on it."""

    sql: str
    noun: str
    family: str

    @property
    def name(self) -> str:
        """The column's name without its table."""
        return self.sql.split(".")[1]


def columns(table: str, *pairs: tuple[str, str]) -> tuple[Column, ...]:
    """Columns of one table by SQL and label; the first names its row."""
    return tuple(Column(table, sql, label) for sql, label in pairs)


def by_number(table: str, sql: str, label: str, family: str, low: bool = True) -> Ranked:
    """Rows with the highest or lowest number; ``low`` says whether the lowest can be asked for."""
    lowest = f"with the lowest {label}" if low else ""
    return Ranked(Column(table, sql, label), f"with the highest {label}", lowest, family)


def by_date(table: str, sql: str, label: str, family: str, verb: str) -> Ranked:
    """Rows by a date, such as products *launched* most recently."""
    return Ranked(Column(table, sql, label), f"{verb} most recently", f"{verb} first", family)


def pick_columns(
    draw: Draw,
    columns_of: Mapping[str, tuple[Column, ...]],
    table: str,
    count: int,
    avoid: Sequence[str] = (),
) -> tuple[Column, ...]:
    """The column that names the row and some others, in the order of the table."""
    first, *others = columns_of[table]
    chosen = draw.structure.sample([one for one in others if one.sql not in avoid], count - 1)
    return (first, *(one for one in others if one in chosen))
