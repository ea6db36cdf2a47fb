"""The cell of an imported task: what its SQL and its question show, where the file does not say it."""

import re
from collections import Counter
from typing import Any

from sqlrl.authoring.statement import RANKINGS, Statement
from sqlrl.importing.nodes import enum_name, nodes_of

DIFFICULTY_WORDS = {
    "simple": "easy",
    "easy": "easy",
    "moderate": "medium",
    "medium": "medium",
    "challenging": "hard",
    "hard": "hard",
    "extra": "hard",
    "extra hard": "hard",
}
# Points of a query from which it is of a difficulty.
MEDIUM, HARD = 2, 5
TERSE_WORDS = 5
FORMAL = re.compile(
    r"(please|list|report|provide|state|give|show|name|identify|find|calculate|compute|determine|return)\b"
)
NAME_OF_SQL = re.compile(r"[A-Za-z0-9]+_[A-Za-z0-9_]+")


def archetype_of(statement: Statement) -> str:
    """What the query is of, the rarest first; a query without any mark counts as an aggregation."""
    features, tables = set(statement.features), len(statement.tables)
    if "recursion" in features or _joins_itself(statement):
        return "hierarchy"
    if _is_anti_join(statement):
        return "anti-join"
    if "limit" in features or any(f"window:{name}" in features for name in RANKINGS):
        return "top-n"
    if "having" in features:
        return "group having"
    if "date" in features:
        return "date and time"
    if _computes(statement):
        return "derived metric"
    if "null" in features:
        return "null semantics"
    if tables > 1:
        return "two-table join" if tables == 2 else "multi-table join"
    return "aggregation"


def difficulty_of(statement: Statement) -> str:
    """By the number of the query's parts: a table more, a condition more, a clause, a subquery, a window."""
    features = set(statement.features)
    points = max(len(statement.tables) - 1, 0)
    points += max(_conditions(statement) - 1, 0)
    points += sum(
        1 for one in ("group by", "having", "limit", "distinct", "case", "filter", "date") if one in features
    )
    points += 2 * sum(1 for one in ("subquery", "cte", "window", "set operation") if one in features)
    points += 3 * ("recursion" in features)
    return "easy" if points < MEDIUM else "medium" if points < HARD else "hard"


def style_of(question: str) -> str:
    """analyst where it names a column as SQL does; terse, a few words without a mark; formal, a request; or casual."""
    if NAME_OF_SQL.search(question):
        return "analyst"
    if len(question.split()) <= TERSE_WORDS and not question.endswith(("?", ".")):
        return "terse"
    return "formal" if FORMAL.match(question.casefold()) else "casual"


def _joins_itself(statement: Statement) -> bool:
    """Whether one FROM has a table twice: rows beside others of their own table."""
    for select in nodes_of(statement, "SelectStmt"):
        counts: Counter[str] = Counter()
        waiting = list(select.from_clause)
        while waiting:
            node = waiting.pop()
            if node.WhichOneof("node") == "range_var":
                counts[node.range_var.relname] += 1
            elif node.WhichOneof("node") == "join_expr":
                waiting += [node.join_expr.larg, node.join_expr.rarg]
        if counts and max(counts.values()) > 1:
            return True
    return False


def _is_anti_join(statement: Statement) -> bool:
    if any(enum_name(node, "op") == "SETOP_EXCEPT" for node in nodes_of(statement, "SelectStmt")):
        return True
    for node in nodes_of(statement, "BoolExpr"):
        if enum_name(node, "boolop") == "NOT_EXPR" and any(
            one.WhichOneof("node") == "sub_link" for one in node.args
        ):
            return True
    outer = "outer join" in statement.features
    return outer and any(
        enum_name(node, "nulltesttype") == "IS_NULL" for node in nodes_of(statement, "NullTest")
    )


def _computes(statement: Statement) -> bool:
    """Whether it multiplies or divides."""
    signs = {node.name[-1].string.sval for node in nodes_of(statement, "A_Expr") if node.name}
    return bool(signs & {"*", "/"})


def _conditions(statement: Statement) -> int:
    """Parts of the WHEREs that AND and OR join."""
    return sum(
        _parts(node.where_clause)
        for node in nodes_of(statement, "SelectStmt")
        if node.HasField("where_clause")
    )


def _parts(node: Any) -> int:
    if node.WhichOneof("node") == "bool_expr" and enum_name(node.bool_expr, "boolop") != "NOT_EXPR":
        return sum(_parts(one) for one in node.bool_expr.args)
    return 1
