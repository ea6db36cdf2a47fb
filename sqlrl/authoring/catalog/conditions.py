"""The kinds of conditions that a table's columns allow, with their words."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlrl.authoring.catalog.names import be
from sqlrl.authoring.catalog.roles import (
    CATEGORY,
    DAY,
    KEY,
    MEASURE,
    ORDINAL,
    SHOWN,
    SWITCH,
    Meaning,
    TableMeaning,
)
from sqlrl.authoring.catalog.structure import TEXT
from sqlrl.authoring.grammar import makers
from sqlrl.authoring.grammar.filters import Maker
from sqlrl.authoring.grammar.values import HIGH, LOW, between
from sqlrl.authoring.phrasing import article

# Rows that a value must have to be asked for; numbers of few values are asked for one by one.
ROWS_OF_A_VALUE = 3
# From so many quarters on, those between the first and the last two are where a period may start or end.
QUARTERS = 6


def family_of(table: str, column: str) -> str:
    """The family of conditions on a column."""
    return f"{table}.{column}"


def conditions(table: TableMeaning, alias: str, roles: Mapping[str, str]) -> dict[str, Maker]:
    """Makers by kind; a kind is the column's family with what is asked of it.

    Args:
        alias: of the table.
        roles: by column of a foreign key, what it leads to: "sales rep".
    """
    found: dict[str, Maker] = {}
    for one in table.meanings:
        for kind, maker in _of_column(table, alias, one, roles).items():
            found[f"{family_of(table.sql, one.name)}:{kind}"] = maker
    return found


def families(kinds: Sequence[str]) -> dict[str, str]:
    """The family of every kind."""
    return {kind: kind.rpartition(":")[0] for kind in kinds}


def _of_column(table: TableMeaning, alias: str, one: Meaning, roles: Mapping[str, str]) -> dict[str, Maker]:
    found: dict[str, Maker] = {}
    column = f"{alias}.{one.sql}"
    if one.role == CATEGORY:
        found = _of_category(table.sql, column, one)
    elif one.role == SWITCH:
        found = _of_switch(table.sql, column, one)
    elif one.role == MEASURE:
        found = _of_number(table.sql, column, one)
    elif one.role == ORDINAL:
        found = _of_ordinal(table.sql, column, one)
    elif one.role == DAY:
        found = _of_day(table.sql, column, one)
    elif one.role == SHOWN and one.kind == TEXT and one.facts.starts and one == table.identity:
        found = _of_start(table.sql, column, one)
    if one.nullable and (one.role != KEY or one.name in roles):
        found |= _of_absence(table.sql, column, one, roles.get(one.name))
    return found


def _of_category(table: str, column: str, one: Meaning) -> dict[str, Maker]:
    choices = _known(value for value, rows in one.facts.values if rows >= ROWS_OF_A_VALUE)
    label = one.label
    count = len(choices(None))
    found: dict[str, Maker] = {}
    if count:
        found["equal"] = makers.equal(
            table,
            column,
            choices,
            (f"~ with {label} '{{value}}'", f"~ whose {label} is '{{value}}'"),
            (f"{{of}}{label} '{{value}}'", f"{{of}}{label} = '{{value}}'"),
        )
    if count > 2:
        found["one_of"] = makers.one_of(
            table,
            column,
            choices,
            (f"~ with {label} '{{one}}' or '{{two}}'", f"~ whose {label} is '{{one}}' or '{{two}}'"),
            (f"{{of}}{label} '{{one}}' or '{{two}}'", f"{{of}}{label} in ('{{one}}', '{{two}}')"),
        )
    if count > 2 and one.full:
        found["other_than"] = makers.other_than(
            table,
            column,
            choices,
            (f"~ with any {label} but '{{value}}'", f"~ whose {label} is not '{{value}}'"),
            (f"{{of}}{label} not '{{value}}'", f"{{of}}{label} other than '{{value}}'"),
        )
    return found


def _of_switch(table: str, column: str, one: Meaning) -> dict[str, Maker]:
    name = column.split(".")[1]
    return {
        word: makers.fixed(
            table,
            column if word == "true" else f"NOT {column}",
            (f"~ whose {one.label} is {word}", f"~ with the {one.label} {word}"),
            (f"{{of}}{one.label} {word}", f"{{of}}{one.label} = {word}"),
            (f"{{at}}{name} is {word}", f"{{at}}{name} = {word}"),
        )
        for word in ("true", "false")
    }


def _of_number(table: str, column: str, one: Meaning) -> dict[str, Maker]:
    choices = _known(between(one.facts.spread, LOW, HIGH, halves=not one.whole))
    if not choices(None):
        return {}
    label = one.label
    words = {
        ">": ("above", "above", "above"),
        "<": ("below", "below", "below"),
        ">=": ("at_least", "of at least", "at least"),
        "<=": ("at_most", "of at most", "at most"),
    }
    return {
        kind: makers.compared(
            table,
            column,
            sign,
            choices,
            (f"~ with {label} {after} {{number}}", f"~ whose {label} {be(label)} {said} {{number}}"),
            (f"{{of}}{label} {sign} {{number}}",),
        )
        for sign, (kind, after, said) in words.items()
    }


def _of_ordinal(table: str, column: str, one: Meaning) -> dict[str, Maker]:
    choices = _known(int(value) for value, rows in one.facts.values if rows >= ROWS_OF_A_VALUE)
    if not choices(None):
        return {}
    label = one.label
    return {
        "equal": makers.compared(
            table,
            column,
            "=",
            choices,
            (f"~ with {label} {{number}}", f"~ whose {label} {be(label)} {{number}}"),
            (f"{{of}}{label} {{number}}", f"{{of}}{label} = {{number}}"),
        )
    }


def _of_day(table: str, column: str, one: Meaning) -> dict[str, Maker]:
    label = one.label
    found: dict[str, Maker] = {}
    if len(one.facts.years) > 1:
        found["year"] = makers.in_year(
            table,
            column,
            _known(one.facts.years),
            (f"~ with {label} in {{year}}", f"~ whose {label} is in {{year}}"),
            (f"{{of}}{label} in {{year}}", f"{{of}}{label} {{year}}"),
        )
    if len(one.facts.months) > 3:
        found["month"] = makers.in_month(
            table,
            column,
            _known(one.facts.months),
            (f"~ with {label} in {{month}}", f"~ whose {label} is in {{month}}"),
            (f"{{of}}{label} in {{month}}", f"{{of}}{label} {{month}}"),
        )
    days = one.facts.quarters[2:-2] if len(one.facts.quarters) >= QUARTERS else one.facts.months[1:-1]
    if days:
        found["since"] = makers.since(
            table,
            column,
            _known(days),
            (f"~ with {label} on or after {{day}}", f"~ whose {label} is {{day}} or later"),
            (f"{{of}}{label} since {{iso}}", f"{{of}}{label} on/after {{iso}}"),
        )
        found["before"] = makers.before(
            table,
            column,
            _known(days),
            (f"~ with {label} before {{day}}", f"~ whose {label} is before {{day}}"),
            (f"{{of}}{label} before {{iso}}",),
        )
    return found


def _of_start(table: str, column: str, one: Meaning) -> dict[str, Maker]:
    return {
        "start": makers.starting(
            table,
            column,
            _known(one.facts.starts),
            (f"~ whose {one.label} starts with '{{value}}'",),
            (f"{{of}}{one.label} starts with '{{value}}'", f"{{of}}{one.label} starting with '{{value}}'"),
        )
    }


def _of_absence(table: str, column: str, one: Meaning, role: str | None) -> dict[str, Maker]:
    label = role or one.label
    none, some = ("no", article(label)) if role else ("no recorded", "a recorded")
    return {
        "missing": makers.missing(
            table,
            column,
            (f"~ with {none} {label}", f"~ whose {label} is missing"),
            (f"{{of}}no {label}", f"{{of}}{label} missing"),
        ),
        "present": makers.present(
            table,
            column,
            (f"~ with {some} {label}", f"~ whose {label} is known"),
            (f"{{of}}has {label}", f"{{of}}{label} present"),
        ),
    }


def _known(choices: Any) -> makers.Choices:
    """Choices that were read before."""
    found = tuple(choices)
    return lambda values: found
