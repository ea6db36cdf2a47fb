"""Made-up values in place of true ones: of the same type, equal where the true ones were, and nothing of them else.

A made-up value depends on the place that the true one has among all, not on the value: nobody can find out by
trying which value it stands for.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta

from sqlrl.database.dice import Dice
from sqlrl.errors import UserError
from sqlrl.live.rows import Values
from sqlrl.live.selection import LiveTable, Name, Selection
from sqlrl.resampling.values import WHOLE, new_numbers, new_uuid

TEXTS = ("text", "character varying", "character", "citext")
TRIES = 1000

Place = tuple[Name, str]


def mask_rows(
    selection: Selection,
    columns: Mapping[Name, Sequence[str]],
    rows: Mapping[Name, Sequence[Values]],
    masked: Sequence[Place],
) -> dict[Name, list[Values]]:
    """Replace the values of masked columns, and of all columns that foreign keys tie to them.

    Raises:
        UserError: a column's type has no made-up values.
    """
    home = _classes(selection, masked)
    fakes = {}
    for name in sorted(set(home.values())):
        members = [place for place in home if home[place] == name]
        values = {
            value
            for table, column in members
            if column in columns[table]
            for row in rows[table]
            if (value := row[columns[table].index(column)]) is not None
        }
        fakes[name] = _fakes(Dice("mask", *name[0], name[1]), _type(selection, name), sorted(values), name)
    return {
        table: [
            tuple(
                fakes[home[table, column]][value] if (table, column) in home and value is not None else value
                for column, value in zip(columns[table], row, strict=True)
            )
            for row in found
        ]
        for table, found in rows.items()
    }


def _classes(selection: Selection, masked: Sequence[Place]) -> dict[Place, Place]:
    """Each column to be masked, with the first of those that foreign keys tie together."""
    ties = [
        ((key.child, one), (key.parent, other))
        for key in selection.keys
        for one, other in zip(key.columns, key.parent_columns, strict=True)
    ]
    home: dict[Place, Place] = {}
    for first in masked:
        waiting = [] if first in home else [first]
        while waiting:
            place = waiting.pop()
            if place not in home:
                home[place] = first
                waiting += [other for tie in ties if place in tie for other in tie]
    return home


def _type(selection: Selection, place: Place) -> str:
    table: LiveTable = next(one for one in selection.tables if one.name == place[0])
    return next(one.type for one in table.columns if one.name == place[1])


def _fakes(dice: Dice, kind: str, values: Sequence[str], place: Place) -> dict[str, str]:
    """A made-up value for each true one, no two the same."""
    made: dict[str, str] = {}
    used: set[str] = set()
    source = _source(dice, kind, values, place)
    for number in dice.of("turn").shuffled(range(len(values))):
        value = values[number]
        for _ in range(TRIES):
            fake = _shaped(dice, value) if kind in TEXTS else next(source)
            # A text without letters and digits has no other of its shape.
            if fake not in used and (kind in TEXTS or fake != value):
                break
        else:
            raise UserError(
                f"snapshot.mask_columns: {'.'.join((*place[0], place[1]))} has more values than there are made-up "
                "ones of their length: name it in exclude_columns."
            )
        used.add(fake)
        made[value] = fake
    return made


def _shaped(dice: Dice, value: str) -> str:
    """Another text of the same shape: letters for letters, digits for digits, the rest as it is."""
    return "".join(
        str(dice.below(10))
        if letter.isdigit()
        else letter
        if not letter.isalpha()
        else chr(ord("A" if letter.isupper() else "a") + dice.below(26))
        for letter in value
    )


def _source(dice: Dice, kind: str, values: Sequence[str], place: Place) -> Iterator[str]:
    if kind in WHOLE:
        return new_numbers(dice, kind, values, 2 * len(values))
    if kind == "uuid":
        return iter(lambda: new_uuid(dice), "")
    if kind == "numeric" and values:
        return _numbers(dice, values)
    if kind in ("date", "timestamp without time zone", "timestamp with time zone") and values:
        return _moments(dice, kind, values)
    if kind in TEXTS or not values:
        return iter(())
    raise UserError(
        f"snapshot.mask_columns: {'.'.join((*place[0], place[1]))} is of type {kind}, for which there are no made-up "
        "values: name it in exclude_columns."
    )


def _numbers(dice: Dice, values: Sequence[str]) -> Iterator[str]:
    scale = max(len(value.partition(".")[2]) for value in values)
    top = int(max(abs(float(value)) for value in values) * 10**scale) + len(values)
    while True:
        number = f"{dice.below(top + 1):0{scale + 1}d}"
        yield f"{number[:-scale]}.{number[-scale:]}" if scale else number


def _moments(dice: Dice, kind: str, values: Sequence[str]) -> Iterator[str]:
    try:
        days = [date.fromisoformat(value[:10]) for value in values]
    except ValueError:
        days = [date(2000, 1, 1), date(2020, 1, 1)]  # infinity, or years before ours
    first, span = min(days), (max(days) - min(days)).days + len(values)
    while True:
        day = first + timedelta(days=dice.below(span + 1))
        if kind == "date":
            yield day.isoformat()
        else:
            moment = datetime(day.year, day.month, day.day) + timedelta(seconds=dice.below(86_400))
            yield moment.isoformat(sep=" ") + ("+00" if kind.endswith("with time zone") else "")
