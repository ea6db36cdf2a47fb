"""Columns that are resampled together, since the schema or the rows themselves tie them to each other."""

from collections.abc import Iterable, Sequence

from sqlrl.resampling.shape import Row, Shape

# In fewer rows than this a tie is chance.
FEWEST_ROWS = 20
MOST_CODES = 12
TIMES = ("date", "timestamp without time zone", "timestamp with time zone")


def column_groups(shape: Shape, rows: Sequence[Row], whole: Iterable[str]) -> list[tuple[str, ...]]:
    """All columns of a table, parted into groups whose values come from one row.

    Args:
        shape: the table.
        rows: those of main.
        whole: columns that stay together in any case, as one group.

    Returns:
        The group of ``whole`` first, if it has any column; each in the order of the table.
    """
    home = {name: name for name in shape.names}

    def find(name: str) -> str:
        while home[name] != name:
            name = home[name]
        return name

    first = [name for name in shape.names if name in set(whole)]
    ties = [check.columns for check in shape.checks]
    ties += [key.columns for key in shape.foreign_keys]
    ties += [shape.placing, tuple(first)]
    ties += _ties_of_rows(shape, rows)
    for tie in ties:
        known = [name for name in tie if name in home]
        for name in known[1:]:
            home[find(name)] = find(known[0])
    groups: dict[str, list[str]] = {}
    for name in shape.names:
        groups.setdefault(find(name), []).append(name)
    return sorted(map(tuple, groups.values()), key=lambda group: not set(first) & set(group))


def _ties_of_rows(shape: Shape, rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """Ties that every row of main keeps: an order of dates, a code that decides another or who has no value."""
    if len(rows) < FEWEST_ROWS:
        return []
    single = {columns[0] for columns in shape.uniques if len(columns) == 1}
    open_columns = [one for one in shape.columns if one.name not in single and one.name not in shape.bound]
    codes = [one.name for one in open_columns if len({row[one.name] for row in rows}) <= MOST_CODES]
    ties: list[tuple[str, ...]] = [
        (one.name, other.name)
        for one in open_columns
        for other in open_columns
        if one.name < other.name and one.type == other.type and one.type in TIMES
        if _ordered(rows, one.name, other.name) or _ordered(rows, other.name, one.name)
    ]
    ties += [
        (code, other.name)
        for code in codes
        for other in open_columns
        if other.name != code and _decides(rows, code, other.name)
    ]
    return ties


def _ordered(rows: Sequence[Row], earlier: str, later: str) -> bool:
    pairs = [(a, b) for row in rows if (a := row[earlier]) is not None and (b := row[later]) is not None]
    return len(pairs) >= FEWEST_ROWS // 2 and all(a <= b for a, b in pairs)


def _decides(rows: Sequence[Row], code: str, other: str) -> bool:
    """Whether a code decides the other column's value, or at least whether it has one."""
    values: dict[str | None, set[str | None]] = {}
    gaps: dict[str | None, set[bool]] = {}
    for row in rows:
        values.setdefault(row[code], set()).add(row[other])
        gaps.setdefault(row[code], set()).add(row[other] is None)
    if len(values) < 2:
        return False
    decided = all(len(found) == 1 for found in values.values()) and len(set.union(*values.values())) > 1
    split = all(len(found) == 1 for found in gaps.values()) and len(set.union(*gaps.values())) > 1
    return decided or split
