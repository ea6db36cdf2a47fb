"""Says whether a reply's rows are the reference's rows.

The rules, and why:

- **A bag of rows.** Repeated rows count: a set would call ``SELECT status`` and ``SELECT DISTINCT status`` equal.
- **One column permutation for all rows.** Column order and names are free, but the same
  reordering must explain every row, and each reference column is used once. Column counts are
  equal even where there are no rows.
- **Cells are equal as values.py says**: PostgreSQL's own =, numbers to two decimals.
- **Order only where the reference sorts**, and then only as far as it does: rows with equal sort
  keys form a group; groups come in order, each group is a bag. Where LIMIT or OFFSET cuts a group, any
  of its rows will do.

All of this is one search: find a column permutation under which each *segment* of the reply's rows
is a sub-bag of the reference's group. It grows the permutation column by column and compares bags
of row prefixes, which cuts a wrong branch at its first column; a budget bounds what is left
(regular designs, where every column looks like every other).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlrl.verifier.limits import COMPARISON_BUDGET
from sqlrl.verifier.values import Key, bridge_times

Comparison = Literal["match", "column_count", "row_count", "rows_differ", "order_differs", "undecided"]

_ABSENT = -1


@dataclass(frozen=True)
class Table:
    """Rows by column: ``columns[c][r]`` is a key of values.py, None for NULL.

    Attributes:
        types: type name of each column.
        columns: one tuple of keys a column, each of length ``rows``.
        rows: number of rows, which a table without columns has too.
    """

    types: tuple[str, ...]
    columns: tuple[tuple[Key, ...], ...]
    rows: int


@dataclass(frozen=True)
class Segment:
    """A group of rows that may come in any order.

    Attributes:
        size: rows of the reference that belong to the group.
        needed: how many of them an answer shows; fewer than size where LIMIT or OFFSET cuts the group.
    """

    size: int
    needed: int


@dataclass(frozen=True)
class Answer:
    """A reference's rows, indexed once for all comparisons.

    Attributes:
        table: the rows of all segments, in order.
        segments: the groups; a single one where order doesn't count.
        order: the reference's columns, the most telling first.
        ids: a small number for each cell.
        bags: for each column, for each segment, how often each cell occurs.
        levels: for each length of prefix, the step from (prefix, cell) to the longer prefix, and
            for each segment how often each prefix occurs.
    """

    table: Table
    segments: tuple[Segment, ...]
    order: tuple[int, ...]
    ids: dict[Key, int]
    bags: tuple[tuple[dict[int, int], ...], ...]
    levels: tuple[tuple[dict[tuple[int, int], int], tuple[dict[int, int], ...]], ...]

    @property
    def rows(self) -> int:
        """How many rows an answer has."""
        return sum(segment.needed for segment in self.segments)


def prepare_answer(table: Table, segments: Sequence[Segment] | None = None) -> Answer:
    """Index the rows of a reference.

    Args:
        table: the rows; with segments, those of all groups in order.
        segments: the groups of a sorted reference; None where order doesn't count.
    """
    groups = (Segment(table.rows, table.rows),) if segments is None else tuple(segments)
    ids: dict[Key, int] = {}
    columns = [[ids.setdefault(key, len(ids)) for key in column] for column in table.columns]
    order = tuple(sorted(range(len(columns)), key=lambda index: (-len(set(columns[index])), index)))
    bounds = list(_bounds(segment.size for segment in groups))
    bags = tuple(_bags(column, bounds) for column in columns)
    levels = []
    prefixes = [0] * table.rows
    for index in order:
        step: dict[tuple[int, int], int] = {}
        pairs = zip(prefixes, columns[index], strict=True)
        prefixes = [step.setdefault(pair, len(step)) for pair in pairs]
        levels.append((step, _bags(prefixes, bounds)))
    return Answer(table, groups, order, ids, bags, tuple(levels))


def compare(answer: Answer, reply: Table) -> Comparison:
    """Compare a reply's rows, in the order they came, with a reference.

    Time is bounded by COMPARISON_BUDGET; ``undecided`` says that it was used up, and is not a match.
    """
    if len(reply.columns) != len(answer.table.columns):
        return "column_count"
    if reply.rows != answer.rows:
        return "row_count"
    if not reply.rows or not reply.columns:
        return "match"
    bridged = bridge_times(answer.table.types, answer.table.columns, reply.types, reply.columns)
    if bridged is not None:
        table = Table(answer.table.types, bridged[0], answer.table.rows)
        answer, reply = prepare_answer(table, answer.segments), Table(reply.types, bridged[1], reply.rows)
    found = _search(answer, reply)
    if found != "rows_differ" or len(answer.segments) == 1:
        return found
    return "order_differs" if _search(_unsorted(answer), reply) == "match" else "rows_differ"


def _unsorted(answer: Answer) -> Answer:
    """The same rows as one group, to tell wrong rows from rows in a wrong order."""
    return prepare_answer(answer.table, [Segment(answer.table.rows, answer.rows)])


def _search(answer: Answer, reply: Table) -> Literal["match", "rows_differ", "undecided"]:
    """Depth first over column permutations; ``chosen[d]`` is the reply's column for ``order[d]``."""
    bounds = list(_bounds(segment.needed for segment in answer.segments))
    columns = [[answer.ids.get(key, _ABSENT) for key in column] for column in reply.columns]
    candidates = _candidates(answer, columns, bounds)
    kinds = _kinds(columns)
    budget = COMPARISON_BUDGET
    chosen: list[int] = []
    waiting: list[Iterator[int]] = [iter(_distinct(candidates[answer.order[0]], kinds, chosen))]
    prefixes = [[0] * reply.rows]
    while waiting:
        column = next(waiting[-1], None)
        if column is None:
            waiting.pop()
            prefixes.pop()
            if chosen:
                chosen.pop()
            continue
        budget -= reply.rows
        if budget < 0:
            return "undecided"
        step, bags = answer.levels[len(chosen)]
        longer = _extend(prefixes[-1], columns[column], step)
        if longer is None or not _fits(longer, bounds, bags):
            continue
        chosen.append(column)
        if len(chosen) == len(columns):
            return "match"
        prefixes.append(longer)
        waiting.append(iter(_distinct(candidates[answer.order[len(chosen)]], kinds, chosen)))
    return "rows_differ"


def _candidates(answer: Answer, columns: list[list[int]], bounds: list[tuple[int, int]]) -> list[list[int]]:
    """For each reference column the reply's columns that hold the same cells, segment by segment."""
    return [
        [index for index, column in enumerate(columns) if _fits(column, bounds, bags)] for bags in answer.bags
    ]


def _kinds(columns: list[list[int]]) -> list[int]:
    """Equal columns get the same number: they are interchangeable, one of them is enough to try."""
    seen: dict[tuple[int, ...], int] = {}
    return [seen.setdefault(tuple(column), len(seen)) for column in columns]


def _distinct(candidates: list[int], kinds: list[int], chosen: list[int]) -> list[int]:
    taken = set(chosen)
    return list({kinds[index]: index for index in reversed(candidates) if index not in taken}.values())


def _extend(prefixes: list[int], column: list[int], step: dict[tuple[int, int], int]) -> list[int] | None:
    longer = []
    for pair in zip(prefixes, column, strict=True):
        prefix = step.get(pair)
        if prefix is None:
            return None
        longer.append(prefix)
    return longer


def _fits(column: list[int], bounds: list[tuple[int, int]], bags: tuple[dict[int, int], ...]) -> bool:
    """Whether each segment's values are a sub-bag of the reference's group."""
    for (start, stop), bag in zip(bounds, bags, strict=True):
        left = dict(bag)
        for value in column[start:stop]:
            count = left.get(value, 0)
            if not count:
                return False
            left[value] = count - 1
    return True


def _bags(values: list[int], bounds: list[tuple[int, int]]) -> tuple[dict[int, int], ...]:
    return tuple(dict(Counter(values[start:stop])) for start, stop in bounds)


def _bounds(sizes: Iterator[int]) -> Iterator[tuple[int, int]]:
    start = 0
    for size in sizes:
        yield start, start + size
        start += size
