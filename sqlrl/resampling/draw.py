"""Rows of one table, drawn from main's rows under what Python can see of its constraints."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlrl.database.dice import Dice
from sqlrl.resampling.groups import column_groups
from sqlrl.resampling.parents import Parents, children_of, families, in_turn, values_of
from sqlrl.resampling.shape import ForeignKey, Row, Shape
from sqlrl.resampling.values import WHOLE, Measure, measure, new_numbers, new_uuid, other_text

TRIES = 30
# Of what is unique by nature (codes, names) a twin has some less; of other rows some more or less.
MOST_LEFT_OUT, MOST_CHANGE = 8, 8


@dataclass(frozen=True)
class Seat:
    """A row to be drawn: the row of main that it is modelled on, and values that its first parent gives."""

    model: int
    given: Mapping[str, str | None]


class TableDraw:
    """Draws rows of one table."""

    def __init__(
        self,
        dice: Dice,
        shape: Shape,
        old: Mapping[str, Sequence[Row]],
        new: Mapping[str, Sequence[Row]],
        waiting: Sequence[ForeignKey],
    ) -> None:
        """
        Args:
            dice: of this table.
            shape: its constraints.
            old: main's rows of all tables.
            new: the rows of the tables that are resampled already.
            waiting: foreign keys that are filled in at the end.
        """
        self._dice, self.shape, self._rows = dice, shape, old[shape.table]
        self._old, self._new = old, new
        self._keys = [key for key in shape.foreign_keys if key not in waiting]
        self._types = {column.name: column.type for column in shape.columns}
        self._fresh = self._fresh_columns()
        self._kept = self._kept_columns()
        self._groups = column_groups(shape, self._rows, self._kept)
        self._driver = self._choose_driver()
        # Who has a parent is decided by the model; so is what the schema ties to that.
        by_parent = [*waiting, *([self._driver] if self._driver else [])]
        self._staying = self._kept | {name for key in by_parent for name in key.columns}
        self._parents = {
            key.name: Parents(dice.of("parents", key.name), key, new[key.parent], old[key.parent], self._rows)
            for key in self._keys
        }
        self._used: dict[tuple[str, ...], set[tuple[str | None, ...]]] = {
            columns: set() for columns in shape.uniques
        }
        self._measures = self._find_measures()
        self._pools: dict[str, Iterator[str]] = {}

    def seats(self) -> list[Seat]:
        """The rows to be drawn. Children of one parent are modelled on the children of one parent of main."""
        if not self._rows:
            return []
        dice = self._dice.of("seats")
        if self._driver is None:
            return [Seat(model, {}) for model in self._models(dice, range(len(self._rows)))]
        key, parents = self._driver, self._new[self._driver.parent]
        children = children_of(key, self._old[key.parent], self._rows)
        turns = families(dice, len(children), len(parents))
        drawn = self._parents[key.name]
        seats = [
            Seat(model, drawn.values(place))
            for place, family in enumerate(turns)
            for model in children[family]
        ]
        orphans = [place for place, row in enumerate(self._rows) if None in values_of(row, key.columns)]
        for model in self._models(dice.of("orphans"), orphans):
            row = self._rows[model]
            seats.append(Seat(model, {name: None for name in key.columns if row[name] is None}))
        return seats

    def _models(self, dice: Dice, places: Sequence[int]) -> list[int]:
        count = len(places)
        if not self._kept:
            change = count // MOST_CHANGE
            return in_turn_of(dice, places, count + dice.between(-change, change))
        return dice.shuffled(places)[: count - dice.below(count // MOST_LEFT_OUT + 1)]

    def draw(self, seat: Seat, number: int, plainly: bool) -> Row | None:
        """One row for a seat, or None where none was found that is unique.

        Args:
            seat: which.
            number: of the try; another one gives another row.
            plainly: take all values from the model itself, for a check that others don't pass.
        """
        dice = self._dice.of("row", number)
        for attempt in range(TRIES):
            row = self._try(seat, dice, plainly, attempt)
            if row is not None and self._is_new(row):
                return row
        return None

    def take(self, row: Row) -> None:
        """Remember a row that was accepted: another one must differ where the schema says so."""
        for columns, used in self._used.items():
            used.add(values_of(row, columns))

    def _is_new(self, row: Row) -> bool:
        return not any(
            None not in (values := values_of(row, columns)) and values in used
            for columns, used in self._used.items()
        )

    def _try(self, seat: Seat, dice: Dice, plainly: bool, attempt: int) -> Row | None:
        row: Row = {}
        for group in self._groups:
            stays = plainly or bool(self._staying & set(group))
            source = self._rows[seat.model if stays else dice.below(len(self._rows))]
            for name in group:
                row[name] = self._value(name, source, dice, len(group) == 1 and not plainly)
        if attempt:
            self._vary(row, dice, attempt)
        return self._with_parents(row, seat, dice)

    def _value(self, name: str, source: Row, dice: Dice, alone: bool) -> str | None:
        value = source[name]
        if name in self._fresh:
            return self._next(name)
        if value is not None and alone and name in self._measures:
            return self._measures[name].draw(dice)
        return value

    def _with_parents(self, row: Row, seat: Seat, dice: Dice) -> Row | None:
        """The row with values of parents; what is NULL in the model's place of a key stays NULL."""
        settled = dict(seat.given)
        row.update(settled)
        for key in self._keys:
            if all(name in settled for name in key.columns) and key is self._driver:
                continue
            if any(row[name] is None for name in key.columns):
                continue
            given = {name: settled[name] for name in key.columns if name in settled}
            found = self._parents[key.name].draw(dice, given)
            if found is None:
                return None
            settled.update(found)
            row.update(found)
        return row

    def _vary(self, row: Row, dice: Dice, attempt: int) -> None:
        """Change a value that is taken already: another number, or another text."""
        for columns in self.shape.uniques:
            own = [name for name in columns if name not in self.shape.bound | self._fresh]
            for name in own[-1:]:
                value, kind = row[name], self._types[name]
                if value is None or name in self.shape.placing:
                    continue
                if kind in WHOLE:
                    top = max(int(one[name] or 0) for one in self._rows)
                    row[name] = str(min(WHOLE[kind], top + 1 + dice.below(len(self._rows) + attempt)))
                elif kind in ("text", "character varying") and len(columns) == 1:
                    row[name] = other_text(dice, value)

    def _next(self, name: str) -> str:
        """The next new key."""
        if name not in self._pools:
            dice, kind = self._dice.of("new", name), self._types[name]
            if kind == "uuid":
                self._pools[name] = iter(lambda: new_uuid(dice), "")
            else:
                texts = [value for row in self._rows if (value := row[name]) is not None]
                self._pools[name] = new_numbers(dice, kind, texts, 2 * len(self._rows))
        return next(self._pools[name])

    def _fresh_columns(self) -> frozenset[str]:
        """Numbers and UUIDs that are unique alone: keys without a meaning."""
        bound = self.shape.bound
        return frozenset(
            columns[0]
            for columns in self.shape.uniques
            if len(columns) == 1 and columns[0] not in bound and self._types[columns[0]] in (*WHOLE, "uuid")
        )

    def _kept_columns(self) -> frozenset[str]:
        """What makes rows unique besides parents and new keys, and what places them: from the model as it is."""
        names = {name for columns in self.shape.distinct for name in columns}
        kept = (names - self.shape.bound - self._fresh) | set(self.shape.placing)
        return frozenset(kept - self.shape.bound)

    def _choose_driver(self) -> ForeignKey | None:
        """The key whose parents are gone through: one that makes rows unique, else one that no row lacks."""
        required = {column.name for column in self.shape.columns if not column.nullable}
        ranked = [
            (
                -max((len(set(key.columns) & set(columns)) for columns in self.shape.distinct), default=0),
                not set(key.columns) <= required,
                place,
            )
            for place, key in enumerate(self._keys)
        ]
        return self._keys[min(ranked)[2]] if ranked else None

    def _find_measures(self) -> Mapping[str, Measure]:
        apart = {*self.shape.bound, *self._fresh, *self._kept}
        found = {
            column.name: measure(column.type, [row[column.name] for row in self._rows])
            for column in self.shape.columns
            if column.free and column.name not in apart
        }
        return {name: one for name, one in found.items() if one is not None}


def in_turn_of(dice: Dice, places: Sequence[int], count: int) -> list[int]:
    """``count`` of the places, each about equally often."""
    return [places[turn] for turn in in_turn(dice, len(places), count)]
