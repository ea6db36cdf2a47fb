"""Queries that are nearly the reference: one small change each, of the kinds that people and models get wrong.

A verifier is as good as the wrong queries that it refuses. These are made from the parsed tree, so
each is a query that PostgreSQL understands; whether its meaning really changed is for data to say (exposure.py).
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import Any

import postgast

from sqlrl.verifier.guard import parse_query

# The way from a tree to a message in it: field by field, with the index where a field is repeated.
Path = tuple[tuple[str, int | None], ...]

# A change of a message in place.
Change = Callable[[Any], None]

_OPERATORS: Mapping[str, str] = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "=": "<>",
    "<>": "=",
    "+": "-",
    "-": "+",
    "*": "+",
    "/": "*",
}
_AGGREGATES: Mapping[str, str] = {
    "sum": "avg",
    "avg": "sum",
    "min": "max",
    "max": "min",
    "rank": "row_number",
    "dense_rank": "rank",
    "lag": "lead",
}
_DATE = re.compile(r"\d{4}-\d\d-\d\d")

_JOINS = {
    "JOIN_INNER": "JOIN_LEFT",
    "JOIN_LEFT": "JOIN_INNER",
    "JOIN_FULL": "JOIN_LEFT",
    "JOIN_RIGHT": "JOIN_INNER",
}
_SETS = {"SETOP_EXCEPT": "SETOP_INTERSECT", "SETOP_INTERSECT": "SETOP_UNION"}


@dataclass(frozen=True)
class Mutant:
    """A changed query and what was changed, such as ``predicate dropped``."""

    kind: str
    sql: str


def make_mutants(sql: str) -> list[Mutant]:
    """All queries that are one change away from a reference, each once, in a fixed order."""
    tree = parse_query(sql)
    original = postgast.deparse(tree)
    found: dict[str, str] = {}
    packed = tree.SerializeToString()
    for path, node, joined in _walk(tree):
        for number, (kind, _) in enumerate(_changes(node, joined)):
            copy = type(tree).FromString(packed)
            target = _follow(copy, path)
            list(_changes(target, joined))[number][1](target)
            text = postgast.deparse(copy)
            if text != original:
                found.setdefault(text, kind)
    return [Mutant(kind, text) for text, kind in found.items()]


def _walk(message: Any, path: Path = (), joined: bool = False) -> Iterator[tuple[Path, Any, bool]]:
    """Every message of a tree with the way to it, and whether it is part of a join's condition."""
    yield path, message, joined
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        below = joined or (message.DESCRIPTOR.name == "JoinExpr" and field.name == "quals")
        if field.is_repeated:
            for index, item in enumerate(value):
                yield from _walk(item, (*path, (field.name, index)), below)
        else:
            yield from _walk(value, (*path, (field.name, None)), below)


def _follow(message: Any, path: Path) -> Any:
    for name, index in path:
        message = getattr(message, name)
        if index is not None:
            message = message[index]
    return message


def _changes(node: Any, joined: bool) -> Iterator[tuple[str, Change]]:
    find = _FINDERS.get(node.DESCRIPTOR.name)
    # Another comparison in a join's condition makes a product of tables, which any data tells apart.
    if find and not (joined and node.DESCRIPTOR.name == "A_Expr"):
        yield from find(node)


def _select_changes(node: Any) -> Iterator[tuple[str, Change]]:
    for field, kind in (("where_clause", "predicate dropped"), ("having_clause", "predicate dropped")):
        if node.HasField(field):
            yield kind, partial(_clear, field=field)
    if node.distinct_clause:
        yield "DISTINCT dropped", partial(_clear, field="distinct_clause")
    if _name(node, "op") == "SETOP_UNION":
        yield "DISTINCT dropped" if not node.all else "DISTINCT added", _toggle_all
    if _name(node, "op") in _SETS:
        yield "set operation changed", lambda target: _set_name(target, "op", _SETS[_name(target, "op")])


def _toggle_all(node: Any) -> None:
    node.all = not node.all


def _bool_changes(node: Any) -> Iterator[tuple[str, Change]]:
    if _name(node, "boolop") in ("AND_EXPR", "OR_EXPR"):
        for index in range(len(node.args)):
            yield "predicate dropped", partial(_drop_argument, index=index)
        other = {"AND_EXPR": "OR_EXPR", "OR_EXPR": "AND_EXPR"}
        yield "AND and OR swapped", lambda target: _set_name(target, "boolop", other[_name(target, "boolop")])


def _node_changes(node: Any) -> Iterator[tuple[str, Change]]:
    """Changes that put a part of a node in its place."""
    kind = node.WhichOneof("node")
    if kind == "bool_expr" and _name(node.bool_expr, "boolop") == "NOT_EXPR":
        yield "NOT dropped", lambda target: _replace(target, target.bool_expr.args[0])
    if kind == "coalesce_expr":
        yield "COALESCE dropped", lambda target: _replace(target, target.coalesce_expr.args[0])


def _join_changes(node: Any) -> Iterator[tuple[str, Change]]:
    if _name(node, "jointype") in _JOINS:
        yield (
            "join type changed",
            lambda target: _set_name(target, "jointype", _JOINS[_name(target, "jointype")]),
        )


def _expression_changes(node: Any) -> Iterator[tuple[str, Change]]:
    kind = _name(node, "kind")
    if kind == "AEXPR_OP" and len(node.name) == 1 and node.name[0].string.sval in _OPERATORS:
        comparison = node.name[0].string.sval in "<=>="
        yield "comparison changed" if comparison else "operator changed", _change_operator
    if kind == "AEXPR_IN" and node.rexpr.WhichOneof("node") == "list" and len(node.rexpr.list.items) > 1:
        for index in range(len(node.rexpr.list.items)):
            yield "predicate narrowed", partial(_drop_from_list, index=index)


def _change_operator(node: Any) -> None:
    node.name[0].string.sval = _OPERATORS[node.name[0].string.sval]


def _null_changes(node: Any) -> Iterator[tuple[str, Change]]:
    other = {"IS_NULL": "IS_NOT_NULL", "IS_NOT_NULL": "IS_NULL"}
    yield (
        "NULL test negated",
        lambda target: _set_name(target, "nulltesttype", other[_name(target, "nulltesttype")]),
    )


def _function_changes(node: Any) -> Iterator[tuple[str, Change]]:
    name = node.funcname[-1].string.sval
    if name in _AGGREGATES:
        yield "aggregate changed", partial(_rename, name=_AGGREGATES[name])
    if node.agg_distinct:
        yield "DISTINCT dropped", partial(_clear, field="agg_distinct")
    elif name == "count" and node.args:
        yield "DISTINCT added", lambda target: setattr(target, "agg_distinct", True)
    if node.HasField("agg_filter"):
        yield "predicate dropped", partial(_clear, field="agg_filter")


def _rename(node: Any, name: str) -> None:
    node.funcname[-1].string.sval = name


def _constant_changes(node: Any) -> Iterator[tuple[str, Change]]:
    kind = node.WhichOneof("val")
    if kind == "ival":
        for step in (-1, 1):
            yield "number off by one", partial(_shift_number, step=step)
    elif kind == "sval" and _DATE.fullmatch(node.sval.sval):
        for step in (-1, 1):
            yield "date off by one", partial(_shift_date, step=step)


def _shift_number(node: Any, step: int) -> None:
    node.ival.ival = node.ival.ival + step


def _shift_date(node: Any, step: int) -> None:
    node.sval.sval = (date.fromisoformat(node.sval.sval) + timedelta(days=step)).isoformat()


def _sort_changes(node: Any) -> Iterator[tuple[str, Change]]:
    descending = _name(node, "sortby_dir") == "SORTBY_DESC"
    other = "SORTBY_ASC" if descending else "SORTBY_DESC"
    yield "order reversed", lambda target: _set_name(target, "sortby_dir", other)


_FINDERS: Mapping[str, Callable[[Any], Iterator[tuple[str, Change]]]] = {
    "SelectStmt": _select_changes,
    "BoolExpr": _bool_changes,
    "Node": _node_changes,
    "JoinExpr": _join_changes,
    "A_Expr": _expression_changes,
    "NullTest": _null_changes,
    "FuncCall": _function_changes,
    "A_Const": _constant_changes,
    "SortBy": _sort_changes,
}


def _name(node: Any, field: str) -> str:
    """The name of an enum field's value."""
    values = node.DESCRIPTOR.fields_by_name[field].enum_type.values_by_number
    return str(values[getattr(node, field)].name)


def _set_name(node: Any, field: str, name: str) -> None:
    setattr(node, field, node.DESCRIPTOR.fields_by_name[field].enum_type.values_by_name[name].number)


def _clear(node: Any, field: str) -> None:
    node.ClearField(field)


def _drop_argument(node: Any, index: int) -> None:
    del node.args[index]


def _drop_from_list(node: Any, index: int) -> None:
    del node.rexpr.list.items[index]


def _replace(node: Any, part: Any) -> None:
    copy = type(part).FromString(part.SerializeToString())
    node.CopyFrom(copy)
