"""Foreign keys that wait until all rows are there: of a table to itself, and of circles of tables."""

from collections import Counter
from collections.abc import Mapping, Sequence

from sqlrl.database.dice import Dice
from sqlrl.errors import UserError
from sqlrl.resampling.parents import Parents, values_of
from sqlrl.resampling.shape import ForeignKey, Row, Shape

TRIES = 30


def fill_waiting(
    dice: Dice, shape: Shape, key: ForeignKey, old: Mapping[str, Sequence[Row]], new: Mapping[str, Sequence[Row]],
    models: Sequence[int], where: str,
) -> None:  # fmt: skip
    """Give the rows of one table their parents by one key, in place.

    A row without a parent in main has none here. In a tree each row gets a parent of the level above its own.

    Raises:
        UserError: a row that must have a parent finds none.
    """
    rows = new[shape.table]
    nullable = {column.name for column in shape.columns if column.nullable}
    pools = _pools(dice, shape, key, old, new, models)
    others = {name for other in shape.foreign_keys if other != key for name in other.columns}
    own = [name for name in key.columns if name not in others]
    taken = [Counter(values_of(row, columns) for row in rows) for columns in shape.uniques]
    for place, row in enumerate(rows):
        if any(row[name] is None for name in key.columns):
            continue
        parents = pools[place]
        before = dict(row)
        for _ in range(TRIES if parents else 0):
            found = parents.draw(dice, {name: row[name] for name in key.columns if name in others})  # type: ignore[union-attr]
            if found is not None and _fits(shape, taken, before, {**row, **found}):
                row.update(found)
                break
        else:
            if not set(own) & nullable:
                raise UserError(
                    f"{where}: no row of {key.parent} can be the parent of a resampled row of {shape.table} by "
                    f"{key.name}. Allow NULL there, or leave the key out of the schema."
                )
            row.update(dict.fromkeys(set(own) & nullable))


def _fits(shape: Shape, taken: list["Counter[tuple[str | None, ...]]"], before: Row, after: Row) -> bool:
    """Whether a changed row stays unique; counts it where it does."""
    changed = [
        (counts, values_of(before, columns), values_of(after, columns))
        for counts, columns in zip(taken, shape.uniques, strict=True)
        if values_of(before, columns) != values_of(after, columns)
    ]
    if any(None not in values and counts[values] for counts, _, values in changed):
        return False
    for counts, old, values in changed:
        counts[old] -= 1
        counts[values] += 1
    return True


def _pools(
    dice: Dice, shape: Shape, key: ForeignKey, old: Mapping[str, Sequence[Row]], new: Mapping[str, Sequence[Row]],
    models: Sequence[int],
) -> list[Parents | None]:  # fmt: skip
    """For each row the parents that it may draw from."""
    dice = dice.of("parents", key.name)
    if key.parent != shape.table:
        parents = Parents(dice, key, new[key.parent], old[key.parent], old[shape.table])
        return [parents] * len(models)
    levels = _levels(key, old[shape.table])
    by_level: dict[int, list[Row]] = {}
    for row, model in zip(new[shape.table], models, strict=True):
        by_level.setdefault(levels[model], []).append(row)
    made = {
        level: Parents(dice.of(level), key, rows, old[shape.table], old[shape.table])
        for level, rows in by_level.items()
    }
    return [made.get(max(0, levels[model] - 1)) for model in models]


def _levels(key: ForeignKey, rows: Sequence[Row]) -> list[int]:
    """How far below a row without a parent each row is; 0 for a row that is its own parent, or in a circle."""
    places = {values_of(row, key.parent_columns): place for place, row in enumerate(rows)}
    above = [places.get(values_of(row, key.columns)) for row in rows]
    levels = []
    for place in range(len(rows)):
        seen, at = {place}, above[place]
        while at is not None and at not in seen:
            seen.add(at)
            at = above[at]
        levels.append(len(seen) - 1)
    return levels
