"""What keeps a query of another dialect from running on PostgreSQL, by kind; and what it may mean otherwise there."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sqlrl.authoring.statement import Statement
from sqlrl.importing.names import Names
from sqlrl.importing.nodes import enum_name, nodes_of
from sqlrl.importing.tokens import Token, tokenise, without_spaces

# What the kinds mean; tasks.import.json uses them.
KINDS: Mapping[str, str] = {
    "backticks": "a name in backticks, as MySQL and SQLite have it",
    "brackets": "a name in square brackets",
    "double_quoted_string": "a text in double quotes, which stand for names in PostgreSQL",
    "limit_comma": "LIMIT a, b in place of LIMIT b OFFSET a",
    "double_equals": "== in place of =",
    "iif": "IIF in place of CASE",
    "strftime": "strftime in place of to_char or extract",
    "ifnull": "IFNULL in place of COALESCE",
    "other_function": "a function that other systems have and PostgreSQL has not",
    "group_by": "a column that is neither grouped nor aggregated",
    "distinct_order": "SELECT DISTINCT sorted by what it does not select",
    "type_mismatch": "an operator or a function between types that PostgreSQL does not convert",
    "bad_value": "a text that is no value of the column's type",
    "unknown_table": "a table that the database does not have",
    "unknown_column": "a column that the table does not have",
    "unknown_function": "a function that PostgreSQL does not have",
    "letter_case": "a name that exists in other letter case; PostgreSQL reads names without quotes in lower case",
    "ambiguous_column": "a column that several tables have",
    "division_by_zero": "a division by zero, which gives NULL elsewhere",
    "timeout": "it takes too long",
    "not_a_query": "it is not exactly one plain query",
    "syntax": "PostgreSQL's grammar does not read it",
    "does_not_run": "it fails on PostgreSQL for another reason",
    "like_letter_case": "runs: LIKE minds the letter case here, and not in SQLite and MySQL",
    "null_order": "runs: before a LIMIT, NULL sorts as the greatest value here and as the least in SQLite and MySQL",
}
# These are told of tasks that are taken all the same.
NOTES = frozenset({"like_letter_case", "null_order"})

OTHER_FUNCTIONS = frozenset(
    {
        *("charindex", "curdate", "date_add", "date_format", "date_sub", "dateadd", "datediff", "datetime"),
        *(
            "find_in_set",
            "getdate",
            "glob",
            "group_concat",
            "hex",
            "if",
            "instr",
            "isnull",
            "julianday",
            "len",
        ),
        *(
            "nvl",
            "printf",
            "str_to_date",
            "sysdate",
            "timestampdiff",
            "total",
            "typeof",
            "unicode",
            "unixepoch",
        ),
        *("year", "month", "day"),
    }
)
OWN_KIND = frozenset({"iif", "strftime", "ifnull"})
COMPARES = frozenset({"=", "==", "<>", "!=", "<", ">", "<=", ">=", "like"})
BEFORE_NAMES = frozenset({"select", "distinct", "from", "join", "where", "and", "or", "on", "by", "as"})

BY_STATE: Mapping[str, str] = {
    "42803": "group_by",
    "42P10": "distinct_order",
    "42804": "type_mismatch",
    "42846": "type_mismatch",
    "22P02": "bad_value",
    "22007": "bad_value",
    "22008": "bad_value",
    "42P01": "unknown_table",
    "42703": "unknown_column",
    "42702": "ambiguous_column",
    "42725": "type_mismatch",
    "22012": "division_by_zero",
    "57014": "timeout",
}


@dataclass(frozen=True)
class Problem:
    """One of KINDS, and what exactly was found."""

    kind: str
    detail: str


def written_problems(sql: str) -> list[Problem]:
    """What stands in the text as other dialects write it, whether or not the grammar reads it; each kind once."""
    tokens = without_spaces(tokenise(sql))
    found: dict[str, Problem] = {}
    for find in (_quotes, _limits, _equals, _functions):
        for problem in find(tokens):
            found.setdefault(problem.kind, problem)
    return list(found.values())


def server_problem(sql: str, state: str, message: str, names: Names) -> Problem:
    """What PostgreSQL's error says of a query.

    Args:
        sql: that failed.
        state: five characters, the SQLSTATE.
        message: PostgreSQL's own, in English.
        names: of the database.
    """
    if state == "42883":
        return Problem(_function_kind(message, names), message)
    kind = BY_STATE.get(state, "does_not_run")
    if kind in ("unknown_column", "unknown_table"):
        kind = _name_kind(sql, kind, message, names)
    return Problem(kind, message)


def meaning_notes(statement: Statement) -> list[Problem]:
    """What a query that runs may mean otherwise in SQLite or MySQL."""
    found = []
    if any(enum_name(node, "kind") == "AEXPR_LIKE" for node in nodes_of(statement, "A_Expr")):
        found.append(Problem("like_letter_case", "LIKE"))
    sorted_by = [enum_name(node, "sortby_nulls") for node in nodes_of(statement, "SortBy")]
    if "limit" in statement.features and "SORTBY_NULLS_DEFAULT" in sorted_by:
        found.append(Problem("null_order", "ORDER BY ... LIMIT without NULLS FIRST or LAST"))
    return found


def _quotes(tokens: Sequence[Token]) -> Iterator[Problem]:
    in_list = False
    for number, token in enumerate(tokens):
        before = tokens[number - 1] if number else Token("space", "")
        in_list = token.text != ")" and (in_list or (token.text == "(" and before.word == "in"))
        if token.kind == "backtick":
            yield Problem("backticks", token.text)
        elif token.kind == "bracket" and (before.word in BEFORE_NAMES or before.text in (",", "=")):
            yield Problem("brackets", token.text)
        elif token.kind == "double" and (before.word in COMPARES or (in_list and before.text in ("(", ","))):
            yield Problem("double_quoted_string", token.text)


def _limits(tokens: Sequence[Token]) -> Iterator[Problem]:
    for limit, start, comma, count in zip(tokens, tokens[1:], tokens[2:], tokens[3:], strict=False):
        if limit.word == "limit" and comma.text == ",":
            yield Problem("limit_comma", f"LIMIT {start.text}, {count.text}")


def _equals(tokens: Sequence[Token]) -> Iterator[Problem]:
    yield from (Problem("double_equals", "==") for token in tokens if token.text == "==")


def _functions(tokens: Sequence[Token]) -> Iterator[Problem]:
    for token, after in pairwise(tokens):
        if token.kind == "word" and after.text == "(":
            if token.word in OWN_KIND:
                yield Problem(token.word, token.text)
            elif token.word in OTHER_FUNCTIONS:
                yield Problem("other_function", token.text)


def _function_kind(message: str, names: Names) -> str:
    match = re.match(r"function (?:\w+\.)?\"?(\w+)\"?\(", message)
    if not match or match[1] in names.functions:
        return "type_mismatch"
    if match[1] in OWN_KIND:
        return match[1]
    return "other_function" if match[1] in OTHER_FUNCTIONS else "unknown_function"


def _name_kind(sql: str, kind: str, message: str, names: Names) -> str:
    """Unknown, or known in other letter case, or a text in the wrong quotes."""
    match = re.search(r'"([^"]+)"|column (\S+) does', message)
    if not match:
        return kind
    name = (match[1] or match[2]).split(".")[-1].strip('"')
    quoted = {token.inside for token in tokenise(sql) if token.kind == "double"}
    known = names.columns if kind == "unknown_column" else names.tables
    if name not in known and name.casefold() in {one.casefold() for one in known}:
        return "letter_case"
    return "double_quoted_string" if kind == "unknown_column" and name in quoted else kind
