"""Turns a reference SQL into the answer that replies are compared with.

Where the reference sorts, its sort keys decide which rows tie. Keys that it does not show are added
as hidden columns: the query is parsed, the sort expressions join its target list, and the tree is
written back as SQL. Where LIMIT or OFFSET may cut through a tie, the query runs without them, so
that the whole group of the cut is known and any of its rows will do.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import postgast

from sqlrl.verifier.compare import Answer, Segment, Table, compare, prepare_answer
from sqlrl.verifier.guard import RefusedError, parse_query, select_of
from sqlrl.verifier.limits import MAXIMUM_REFERENCE_ROWS
from sqlrl.verifier.sandbox import Failure, Rows, Session
from sqlrl.verifier.values import ValueTooDeepError


class UnfitReferenceError(Exception):
    """A reference SQL that can't be judged against; the message says why."""


@dataclass(frozen=True)
class _SortKeys:
    """Where the sort keys are found.

    Attributes:
        columns: for each key its column in the rows, hidden ones after the visible ones.
        hidden: sort expressions to add to the target list.
    """

    columns: tuple[int, ...]
    hidden: tuple[Any, ...]


def prepare_reference(session: Session, sql: str) -> Answer:
    """Run a reference, in a session that no reply shares, and index its rows.

    Raises:
        UnfitReferenceError: it is no query, does not run, or gives other rows each time.
        SessionLostError: the server failed.
    """
    try:
        select = select_of(parse_query(sql))
    except RefusedError as error:
        raise UnfitReferenceError(f"{error.refusal.reason}: {error.refusal.message}") from error
    rows = _run(session, sql)
    try:
        if not select.sort_clause:
            return prepare_answer(rows.table())
        answer = _sorted_answer(session, sql, rows)
        if compare(answer, rows.table()) != "match":
            raise UnfitReferenceError("it gives other rows when it runs again")
    except ValueTooDeepError as error:
        raise UnfitReferenceError(str(error)) from error
    return answer


def _run(session: Session, sql: str, limit: int = MAXIMUM_REFERENCE_ROWS) -> Rows:
    found = session.run(sql, limit)
    if isinstance(found, Failure):
        raise UnfitReferenceError(f"{found.reason}: {found.message}")
    if found.count > limit:
        raise UnfitReferenceError(f"it gives more than {limit} rows")
    return found


def _sorted_answer(session: Session, sql: str, shown: Rows) -> Answer:
    """Groups of rows with equal sort keys, in order, and how many of each are shown."""
    tree = parse_query(sql)
    select = select_of(tree)
    keys = _sort_keys(select, shown.names)
    for expression in keys.hidden:
        select.target_list.add().res_target.val.CopyFrom(expression)
    start = _offset(session, select)
    all_rows = _without_limit(session, tree) if _is_limited(select) else None
    if all_rows is None:
        start, all_rows = 0, _run(session, postgast.deparse(tree)) if keys.hidden else shown
    return _grouped_answer(all_rows, keys.columns, len(shown.names), range(start, start + shown.count))


def _grouped_answer(rows: Rows, keys: Sequence[int], width: int, window: range) -> Answer:
    """Cut rows into groups of equal keys and keep those of which the window shows something."""
    exact, visible = rows.table(exact=True), rows.table()
    group_keys = [tuple(exact.columns[key][row] for key in keys) for row in range(rows.count)]
    kept: list[int] = []
    segments = []
    for _, members in groupby(range(rows.count), key=lambda row: group_keys[row]):
        group = list(members)
        needed = len(range(max(group[0], window.start), min(group[-1] + 1, window.stop)))
        if needed:
            kept += group
            segments.append(Segment(len(group), needed))
    columns = tuple(tuple(column[row] for row in kept) for column in visible.columns[:width])
    return prepare_answer(Table(visible.types[:width], columns, len(kept)), segments)


def _sort_keys(select: Any, names: Sequence[str]) -> _SortKeys:
    """Find each key among the output columns, as PostgreSQL does: by name, by number, else an expression."""
    columns: list[int] = []
    hidden: list[Any] = []
    for item in select.sort_clause:
        node = item.sort_by.node
        shown = _shown_column(node, names)
        if shown is None:
            hidden.append(node)
            shown = len(names) + len(hidden) - 1
        columns.append(shown)
    return _SortKeys(tuple(columns), tuple(hidden))


def _shown_column(node: Any, names: Sequence[str]) -> int | None:
    kind = node.WhichOneof("node")
    if kind == "a_const" and node.a_const.WhichOneof("val") == "ival":
        return int(node.a_const.ival.ival) - 1
    if kind == "column_ref" and len(node.column_ref.fields) == 1:
        field = node.column_ref.fields[0]
        if field.WhichOneof("node") == "string" and field.string.sval in names:
            return list(names).index(field.string.sval)
    return None


def _is_limited(select: Any) -> bool:
    return bool(select.HasField("limit_count") or select.HasField("limit_offset"))


def _offset(session: Session, select: Any) -> int:
    """How many rows OFFSET leaves out, asked of PostgreSQL where it is more than a number."""
    if not select.HasField("limit_offset"):
        return 0
    tree = postgast.parse("SELECT 1")
    select_of(tree).target_list[0].res_target.val.CopyFrom(select.limit_offset)
    found = _run(session, postgast.deparse(tree), 1)
    cell = found.columns[0][0]
    return int(float(cell)) if cell else 0


def _without_limit(session: Session, tree: Any) -> Rows | None:
    """All rows, LIMIT and OFFSET taken away; None if they are too many to look at."""
    unlimited = type(tree).FromString(tree.SerializeToString())
    select = select_of(unlimited)
    for field in ("limit_count", "limit_offset"):
        select.ClearField(field)
    select.limit_option = select_of(postgast.parse("SELECT 1")).limit_option
    found = session.run(postgast.deparse(unlimited), MAXIMUM_REFERENCE_ROWS)
    return None if isinstance(found, Failure) or found.count > MAXIMUM_REFERENCE_ROWS else found
