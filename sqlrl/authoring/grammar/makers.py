"""Kinds of conditions that most schemas have: values, numbers, dates, what is missing.

In the words ``~`` stands for the noun, ``{of}`` and ``{at}`` as in filters.Filter, and ``{value}``,
``{one}``, ``{two}``, ``{number}``, ``{year}``, ``{month}`` or ``{day}`` for the literal.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.filters import Filter, Maker, make
from sqlrl.authoring.phrasing import date_words, month_words, number_text
from sqlrl.database.literals import quote

# Which literals can be named: a function of the schema's values.
Choices = Callable[[Any], Sequence[Any]]
Words = Sequence[str]
# A condition in SQL, and the literals of its words by name.
Told = tuple[str, Mapping[str, str]]


def fixed(table: str, sql: str, plain: Words, terse: Words, analyst: Words) -> Maker:
    """A condition without a literal."""
    return lambda values, draw: make(draw, table, sql, plain, terse, analyst)


def missing(table: str, column: str, plain: Words, terse: Words) -> Maker:
    """The column has no value."""
    name = _name(column)
    return fixed(
        table, f"{column} IS NULL", plain, terse, (f"{{at}}{name} is NULL", f"{{at}}{name} is missing")
    )


def present(table: str, column: str, plain: Words, terse: Words) -> Maker:
    """The column has a value."""
    name = _name(column)
    return fixed(
        table, f"{column} IS NOT NULL", plain, terse, (f"{{at}}{name} is not NULL", f"{{at}}{name} is set")
    )


def equal(table: str, column: str, choices: Choices, plain: Words, terse: Words) -> Maker:
    """The column has one text of the choices."""
    name = _name(column)
    analyst = (f"{{at}}{name} is '{{value}}'", f"{{at}}{name} = '{{value}}'")

    def told(value: Any) -> Told:
        return f"{column} = {quote(str(value))}", {"value": str(value)}

    return _drawn(table, choices, told, plain, terse, analyst)


def one_of(table: str, column: str, choices: Choices, plain: Words, terse: Words) -> Maker:
    """The column has one of two texts."""
    name = _name(column)
    analyst = (f"{{at}}{name} is '{{one}}' or '{{two}}'", f"{{at}}{name} is one of '{{one}}' and '{{two}}'")

    def maker(values: Any, draw: Draw) -> Filter:
        one, two = (str(value) for value in draw.detail.sample(choices(values), 2))
        sql = f"{column} IN ({quote(one)}, {quote(two)})"
        return _make(draw, table, sql, plain, terse, analyst, {"one": one, "two": two})

    return maker


def other_than(table: str, column: str, choices: Choices, plain: Words, terse: Words) -> Maker:
    """The column has another text than one of the choices."""
    name = _name(column)
    analyst = (f"{{at}}{name} is not '{{value}}'", f"{{at}}{name} <> '{{value}}'")

    def told(value: Any) -> Told:
        return f"{column} <> {quote(str(value))}", {"value": str(value)}

    return _drawn(table, choices, told, plain, terse, analyst)


def starting(table: str, column: str, choices: Choices, plain: Words, terse: Words) -> Maker:
    """The column's text starts with a text of the choices."""
    name = _name(column)
    analyst = (f"{{at}}{name} starts with '{{value}}'", f"{{at}}{name} LIKE '{{value}}%'")

    def told(value: Any) -> Told:
        return f"{column} LIKE {quote(f'{value}%')}", {"value": str(value)}

    return _drawn(table, choices, told, plain, terse, analyst)


def compared(table: str, column: str, sign: str, choices: Choices, plain: Words, terse: Words) -> Maker:
    """The column is above (>), below (<), at least (>=), at most (<=) or equal to (=) a number of the choices."""
    name = _name(column)
    word = {">": "is above", "<": "is below", ">=": "is at least", "<=": "is at most", "=": "is"}[sign]
    analyst = (f"{{at}}{name} {word} {{number}}", f"{{at}}{name} {sign} {{number}}")

    def told(number: Any) -> Told:
        text = number_text(number)
        return f"{column} {sign} {text}", {"number": text}

    return _drawn(table, choices, told, plain, terse, analyst)


def in_year(table: str, column: str, choices: Choices, plain: Words, terse: Words) -> Maker:
    """The date lies in a year."""
    name = _name(column)
    analyst = (f"{{at}}{name} is in {{year}}", f"{{at}}{name} falls in {{year}}")

    def told(year: Any) -> Told:
        return f"EXTRACT(YEAR FROM {column}) = {year}", {"year": str(year)}

    return _drawn(table, choices, told, plain, terse, analyst)


def in_month(table: str, column: str, choices: Choices, plain: Words, terse: Words) -> Maker:
    """The date lies in a month of one year."""
    name = _name(column)
    analyst = (f"{{at}}{name} is in {{month}}", f"{{at}}{name} falls in {{month}}")

    def told(day: Any) -> Told:
        return f"date_trunc('month', {column}) = '{day}'", {"month": month_words(day)}

    return _drawn(table, choices, told, plain, terse, analyst)


def since(table: str, column: str, choices: Choices, plain: Words, terse: Words) -> Maker:
    """The date is a day or later."""
    name = _name(column)
    analyst = (f"{{at}}{name} is on or after {{iso}}", f"{{at}}{name} >= {{iso}}")
    return _of_day(table, f"{column} >= '{{iso}}'", choices, plain, terse, analyst)


def before(table: str, column: str, choices: Choices, plain: Words, terse: Words) -> Maker:
    """The date is before a day."""
    name = _name(column)
    analyst = (f"{{at}}{name} is before {{iso}}", f"{{at}}{name} < {{iso}}")
    return _of_day(table, f"{column} < '{{iso}}'", choices, plain, terse, analyst)


def under_way(
    table: str, first: str, last: str, sign: str, choices: Choices, plain: Words, terse: Words
) -> Maker:
    """A day lies within two dates, the second of which is missing where there is no end.

    Args:
        sign: ``>=`` where the last day counts, ``>`` where it does not.
    """
    one, two = _name(first), _name(last)
    word = "on or after" if sign == ">=" else "after"
    analyst = (
        f"{{at}}{one} is on or before {{iso}} and {two} is either NULL or {word} {{iso}}",
        f"{{at}}{one} <= {{iso}} and ({two} is NULL or {two} {sign} {{iso}})",
    )
    sql = f"{first} <= '{{iso}}' AND ({last} IS NULL OR {last} {sign} '{{iso}}')"
    return _of_day(table, sql, choices, plain, terse, analyst)


def _of_day(table: str, sql: str, choices: Choices, plain: Words, terse: Words, analyst: Words) -> Maker:
    """A condition about one day; ``{iso}`` stands for it in the SQL."""

    def told(day: Any) -> Told:
        return sql.replace("{iso}", str(day)), {"day": date_words(day), "iso": str(day)}

    return _drawn(table, choices, told, plain, terse, analyst)


def _drawn(
    table: str, choices: Choices, told: Callable[[Any], Told], plain: Words, terse: Words, analyst: Words
) -> Maker:
    """A condition about one of the choices, which ``told`` puts into SQL and into words."""

    def maker(values: Any, draw: Draw) -> Filter:
        sql, parts = told(draw.detail.pick(choices(values)))
        return _make(draw, table, sql, plain, terse, analyst, parts)

    return maker


def _make(
    draw: Draw,
    table: str,
    sql: str,
    plain: Words,
    terse: Words,
    analyst: Words,
    parts: Mapping[str, str],
) -> Filter:
    """A filter whose words have the literal in them."""

    def filled(texts: Words) -> list[str]:
        found = []
        for text in texts:
            for name, part in parts.items():
                text = text.replace(f"{{{name}}}", part)
            found.append(text)
        return found

    return make(draw, table, sql, filled(plain), filled(terse), filled(analyst))


def _name(column: str) -> str:
    return column.split(".")[1]
