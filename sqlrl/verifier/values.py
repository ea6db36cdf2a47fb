"""Turns a cell's text into a key: two cells are equal exactly when their keys are.

Cells arrive as PostgreSQL's own text (session in UTC, ISO dates, intervals in style ``postgres``)
and never become Python numbers or dates, which lose what PostgreSQL keeps: BC years, 24:00,
infinity, months in intervals, 30 digits. A key starts with its type's family; types of one family are those
that PostgreSQL's ``=`` compares, with the exceptions of docs/verifier.md: numbers are one family wherever they stand
(to two decimals), enum labels are text, json compares as jsonb.
"""

import json
import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_UP, Context, Decimal, DecimalException
from typing import Any

Key = Hashable
Canonical = Callable[[str], Key]

# numeric has at most 131,072 digits before the point and 16,383 after it.
_WIDE = Context(prec=160_000, rounding=ROUND_HALF_UP, Emax=MAX_EMAX, Emin=MIN_EMIN)
_SIX_DECIMALS = Decimal("0.000001")
_TWO_DECIMALS = Decimal("0.01")
_SPECIAL_NUMBERS = frozenset({"NaN", "Infinity", "-Infinity"})

_FLOATS = frozenset({"float4", "float8"})
_NUMBERS = frozenset({"int2", "int4", "int8", "numeric", "oid"}) | _FLOATS
_TEXTS = frozenset({"text", "varchar", "name", "char", "unknown", "citext"})
_DATES = frozenset({"date", "timestamp", "timestamptz"})


class ValueTooDeepError(Exception):
    """A JSON or array value is nested deeper than it can be read."""


@dataclass(frozen=True)
class ColumnType:
    """A type of a column, from pg_type.

    Attributes:
        name: ``typname``, such as ``int4`` or ``_text``.
        kind: ``typtype``: b base, c composite, e enum, r range, m multirange, p pseudo.
        element: the type of an array's elements; None for other types, and for arrays of box, the
            one type whose array has another delimiter than the comma.
    """

    name: str
    kind: str = "b"
    element: "ColumnType | None" = None


def canonical(column: ColumnType, exact: bool = False) -> Canonical:
    """The function from a cell's text to its key, for one type.

    Args:
        column: the type of the column.
        exact: keep all digits of numbers: for the keys that rows are sorted by, where 10.001 and
            10.004 are no tie.
    """
    name = column.name
    if column.element is not None:
        return _array_function(column.element, exact)
    if name in _NUMBERS:
        number = _exact_number if exact else _number_function(name)
        return lambda text: ("number", number(text))
    if name in _TEXTS or column.kind == "e":
        return lambda text: ("text", text)
    simple = _SIMPLE.get(name)
    if simple is not None:
        return simple
    if name in ("json", "jsonb"):
        return lambda text: ("json", _json_key(text, _exact_number if exact else _round))
    # Types whose = compares something else than the value (box by area), or that have none (xml,
    # point), and records: the same type and the same text.
    return lambda text: (name, text)


def _number_function(name: str) -> Callable[[str], str]:
    return _round_float if name in _FLOATS else _round


def _round(text: str) -> str:
    """A number to two decimals, half away from zero, as a plain text: ``12.5``, ``-3``, ``1E+40``.

    It is rounded to six decimals first: that takes away what another order of summation leaves behind at a
    half-way edge. Integers pass through untouched.
    """
    if text in _SPECIAL_NUMBERS:
        return text
    if text.isascii() and text.removeprefix("-").isdigit():
        return text if text != "-0" else "0"
    number = Decimal(text)
    if _exponent(number) < -2:
        number = number.quantize(_SIX_DECIMALS, context=_WIDE).quantize(_TWO_DECIMALS, context=_WIDE)
    return _plain(number)


def _round_float(text: str) -> str:
    """A float through 15 significant digits, as ``float8::numeric`` does, then as any number.

    float4 arrives with its shortest digits, at most 9, and keeps them.
    """
    return text if text in _SPECIAL_NUMBERS else _round(f"{float(text):.15g}")


def _exact_number(text: str) -> str:
    return text if text in _SPECIAL_NUMBERS else _plain(Decimal(text))


def _plain(number: Decimal) -> str:
    """One text per value: 5, 5.00 and 5E+0 are ``5``; -0 is ``0``."""
    if not number:
        return "0"
    number = number.normalize(_WIDE)
    # Written out, as integers arrive: the longest number of a numeric has 131,072 digits.
    return f"{number:f}" if _exponent(number) < 140_000 else str(number)


def _exponent(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def _number_range(text: str) -> Key:
    """Bounds as exact numbers: [1.0,2) is [1,2)."""
    return ("numrange", _NUMBER.sub(lambda found: _exact_number(found[0]), text))


def _moment(text: str) -> Key:
    """Date, timestamp and timestamptz as one family of moments, at UTC."""
    era = text.endswith(" BC")
    body = text.removesuffix(" BC").removesuffix("+00")
    if "infinity" not in body and " " not in body:
        body += " 00:00:00"
    return ("moment", body + (" BC" if era else ""))


_INTERVAL_PART = re.compile(r"([+-]?\d+) (year|mon|day)s?")
_INTERVAL_TIME = re.compile(r"([+-]?)(\d+):(\d\d):(\d\d)(?:\.(\d+))?")
_DAY = 86_400_000_000
_UNITS = {"year": 360 * _DAY, "mon": 30 * _DAY, "day": _DAY}


def _interval(text: str) -> Key:
    """Microseconds, with a month of 30 days and a day of 24 hours, as PostgreSQL's = counts them."""
    if "infinity" in text:
        return ("interval", text)
    total = sum(int(count) * _UNITS[unit] for count, unit in _INTERVAL_PART.findall(text))
    if time := _INTERVAL_TIME.search(text):
        total += _microseconds(*time.groups()[1:]) * (-1 if time[1] == "-" else 1)
    return ("interval", total)


def _microseconds(hours: str, minutes: str, seconds: str, fraction: str | None) -> int:
    whole = int(hours) * 3600 + int(minutes) * 60 + int(seconds)
    return whole * 1_000_000 + int((fraction or "").ljust(6, "0"))


def _inet(text: str) -> Key:
    return ("inet", text if "/" in text else text + ("/128" if ":" in text else "/32"))


def _mac(text: str) -> Key:
    parts = text.split(":")
    return ("mac", ":".join([*parts[:3], "ff", "fe", *parts[3:]] if len(parts) == 6 else parts))


_SIMPLE: Mapping[str, Canonical] = {
    "bpchar": lambda text: ("text", text.rstrip(" ")),
    "bool": lambda text: ("bool", text),
    "bit": lambda text: ("bit", text),
    "varbit": lambda text: ("bit", text),
    "inet": _inet,
    "cidr": _inet,
    "macaddr": _mac,
    "macaddr8": _mac,
    "interval": _interval,
    "numrange": _number_range,
    **dict.fromkeys(_DATES, _moment),
}


def _json_key(text: str, number: Callable[[str], str]) -> Key:
    def convert(value: Any) -> Key:
        if isinstance(value, dict):
            return ("object", frozenset((name, convert(item)) for name, item in value.items()))
        if isinstance(value, list):
            return ("array", tuple(convert(item) for item in value))
        return value if isinstance(value, tuple) else (type(value).__name__, value)

    def read_number(word: str) -> Key:
        try:
            return ("number", number(word))
        except DecimalException:
            return ("number", word)  # beyond what jsonb holds: only json can carry it, as it is written

    try:
        return convert(json.loads(text, parse_float=read_number, parse_int=read_number, strict=False))
    except RecursionError as error:
        raise ValueTooDeepError("a JSON value is nested too deeply to compare") from error


_ARRAY_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([{}])|([^{}",\\]+)', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def _array_function(element_type: ColumnType, exact: bool) -> Canonical:
    element = canonical(element_type, exact)
    family = _array_family(element_type)

    def convert(text: str) -> Key:
        bounds, body = "", text
        if text.startswith("["):  # lower bounds other than 1 count in PostgreSQL's =
            bounds, _, body = text.partition("=")
        return (family, bounds, _array_items(body, element))

    return convert


def _array_family(element: ColumnType) -> str:
    """Arrays of numbers compare with each other, as do arrays of text; others only with their own type."""
    if element.name in _NUMBERS:
        return "number[]"
    if element.name in _TEXTS or element.kind == "e" or element.name == "bpchar":
        return "text[]"
    return f"{element.name}[]"


def _array_items(body: str, element: Canonical) -> Key:
    """Nested tuples of the elements' keys, read without recursion."""
    stack: list[list[Key]] = [[]]
    for found in _ARRAY_TOKEN.finditer(body):
        quoted, brace, bare = found.groups()
        if brace == "{":
            stack.append([])
        elif brace == "}":
            finished = tuple(stack.pop())
            stack[-1].append(finished)
        elif quoted is not None:
            stack[-1].append(element(_ESCAPED.sub(r"\1", quoted)))
        else:
            stack[-1].append(None if bare == "NULL" else element(bare))
    return stack[0][0]


def bridge_times(
    left_types: tuple[str, ...],
    left: tuple[tuple[Key, ...], ...],
    right_types: tuple[str, ...],
    right: tuple[tuple[Key, ...], ...],
) -> "tuple[tuple[tuple[Key, ...], ...], tuple[tuple[Key, ...], ...]] | None":
    """Rewrite time columns where they meet timetz or interval, to which PostgreSQL's = casts them.

    Those two don't compare with each other, so no single family could hold all three.

    Returns:
        Both sides' columns with each time as the type that it meets, or None where nothing meets.
    """
    present = {*left_types, *right_types} & {"time", "timetz", "interval"}
    if "time" not in present or len(present) != 2:
        return None
    rewrite = _time_as_interval if "interval" in present else _time_as_timetz
    return _rewritten(left_types, left, rewrite), _rewritten(right_types, right, rewrite)


def _rewritten(
    types: tuple[str, ...], columns: tuple[tuple[Key, ...], ...], rewrite: Canonical
) -> tuple[tuple[Key, ...], ...]:
    return tuple(
        tuple(rewrite(key[1]) if isinstance(key, tuple) else key for key in column)
        if name == "time"
        else column
        for name, column in zip(types, columns, strict=True)
    )


def _time_as_timetz(text: str) -> Key:
    return ("timetz", f"{text}+00")


def _time_as_interval(text: str) -> Key:
    return _interval(text)
