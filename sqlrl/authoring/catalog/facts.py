"""What the data say about a column: how full it is, which values it has and how they are spread."""

import datetime
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from sqlrl.authoring.catalog.structure import DATE, ENUM, FLAG, MOMENT, NUMBER, TEXT, Field, Relation
from sqlrl.authoring.grammar.values import read_months, read_quarters, read_years
from sqlrl.authoring.teacher import Ask
from sqlrl.database.literals import quote

# Columns with more values than this have none that questions list; so many shares of the numbers are read.
MOST_VALUES = 40
SHARES = 40
LONGEST_VALUE = 40
COMPARABLE = (NUMBER, TEXT, ENUM, FLAG, DATE, MOMENT)
# What a question can write between quotes such that nobody doubts where it ends.
SAYABLE = re.compile(r"[^\W_](?:[\w .&+/#()%€$£°:,-]*[\w.+%)])?")


@dataclass(frozen=True)
class Facts:
    """What a column holds on main.

    Attributes:
        rows: of the table; filled: those with a value; distinct: different values.
        longest: characters of the longest text.
        values: (value as text, rows) that questions can name, most frequent first, of columns with few values.
        spread: numbers at equal shares of the rows, least first.
        years, months, quarters: of dates, as far as they have some rows; starts: first letters of texts.
    """

    rows: int
    filled: int
    distinct: int
    longest: int = 0
    values: tuple[tuple[str, int], ...] = ()
    spread: tuple[Decimal, ...] = ()
    years: tuple[int, ...] = ()
    months: tuple[datetime.date, ...] = ()
    quarters: tuple[datetime.date, ...] = ()
    starts: tuple[str, ...] = ()

    @property
    def full(self) -> bool:
        """Whether every row has a value."""
        return self.filled == self.rows > 0

    @property
    def unique(self) -> bool:
        """Whether no two rows share a value."""
        return self.full and self.distinct == self.rows


def read_facts(ask: Ask, relation: Relation) -> Mapping[str, Facts]:
    """The facts of a table's columns, those left out that no question can be about."""
    fields = [
        one for one in relation.fields if one.kind in COMPARABLE and re.fullmatch(r"[^.'{}~\"]+", one.name)
    ]
    if not fields:
        return {}
    counted = [f"count({one.sql}), count(DISTINCT {one.sql}), {_length(one)}" for one in fields]
    ((rows, *counts),) = ask(f"SELECT count(*), {', '.join(counted)} FROM {relation.sql}")
    found = {}
    for number, field in enumerate(fields):
        filled, distinct, longest = counts[3 * number : 3 * number + 3]
        plain = Facts(int(rows), int(filled), int(distinct), int(longest or 0))
        found[field.name] = _look_closer(ask, relation, field, plain)
    return found


def _length(field: Field) -> str:
    return f"max(length({field.sql}))" if field.kind == TEXT else "0"


def _look_closer(ask: Ask, relation: Relation, field: Field, plain: Facts) -> Facts:
    table, column = relation.sql, field.sql
    few = _values(ask, table, field, plain)
    rows, filled, distinct, longest = plain.rows, plain.filled, plain.distinct, plain.longest
    if field.kind == NUMBER and filled:
        shares = ",".join(str(Decimal(step) / SHARES) for step in range(SHARES + 1))
        ((numbers,),) = ask(
            f"SELECT percentile_disc(ARRAY[{shares}]) WITHIN GROUP (ORDER BY {column}::numeric) FROM {table}"
        )
        spread = tuple(one for one in map(_decimal, numbers) if one.is_finite())
        return Facts(rows, filled, distinct, values=few, spread=spread)
    if field.kind in (DATE, MOMENT) and filled:
        return Facts(
            rows,
            filled,
            distinct,
            years=read_years(ask, table, column),
            months=read_months(ask, table, column),
            quarters=read_quarters(ask, table, column),
        )
    if field.kind == TEXT and not few and filled:
        return Facts(rows, filled, distinct, longest, starts=_starts(ask, table, column))
    return Facts(rows, filled, distinct, longest, few)


def _values(ask: Ask, table: str, field: Field, plain: Facts) -> tuple[tuple[str, int], ...]:
    if field.kind in (DATE, MOMENT) or not 0 < plain.distinct <= MOST_VALUES:
        return ()
    text = f"{field.sql}::text"
    rows = ask(
        f"SELECT {text}, count(*) FROM {table} WHERE {field.sql} IS NOT NULL GROUP BY 1"
        f' ORDER BY 2 DESC, {text} COLLATE "C"'
    )
    return tuple((value, int(count)) for value, count in sayable(rows))


def sayable(rows: Iterable[tuple[str, int]]) -> Iterable[tuple[str, int]]:
    """The values that can stand in a question as they are stored."""
    return (row for row in rows if len(row[0]) <= LONGEST_VALUE and is_sayable(row[0]))


def is_sayable(text: str) -> bool:
    """Whether a text can stand between quotes in a question."""
    return bool(SAYABLE.fullmatch(text) or re.fullmatch(r"-?\d+(\.\d+)?", text)) and "  " not in text


def _starts(ask: Ask, table: str, column: str) -> tuple[str, ...]:
    rows = ask(
        f"SELECT left({column}, 1), count(*) FROM {table} WHERE {column} IS NOT NULL GROUP BY 1"
        f' HAVING count(*) >= 3 ORDER BY left({column}, 1) COLLATE "C"'
    )
    return tuple(str(row[0]) for row in rows if str(row[0]).isalnum())


def _decimal(value: object) -> Decimal:
    return Decimal(str(value))


def read_acyclic(ask: Ask, table: str, key: str, parent: str) -> bool:
    """Whether every row of a table that refers to itself can be reached from a row without a parent."""
    ((reached, rows),) = ask(
        f"WITH RECURSIVE chain (id) AS (SELECT {key} FROM {table} WHERE {parent} IS NULL"
        f" UNION SELECT t.{key} FROM {table} t JOIN chain ON t.{parent} = chain.id)"
        f" SELECT (SELECT count(*) FROM chain), (SELECT count(*) FROM {table})"
    )
    return bool(reached == rows)


def has_value(ask: Ask, table: str, column: str, text: str) -> bool:
    """Whether a column has this text."""
    return bool(ask(f"SELECT 1 FROM {table} WHERE {column} = {quote(text)} LIMIT 1"))
