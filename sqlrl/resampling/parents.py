"""Rows that foreign keys point to: some have many children and some none, as in main."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate

from sqlrl.database.dice import Dice
from sqlrl.resampling.shape import ForeignKey, Row

# Of this many families the loss of one is felt; of more, this percentage is drawn by chance.
FEW, CHANCE = 3, 20

Key = tuple[str | None, ...]


def children_of(key: ForeignKey, parents: Sequence[Row], rows: Sequence[Row]) -> list[list[int]]:
    """For each parent row of main, which rows of main point to it."""
    places: dict[Key, list[int]] = {}
    for place, row in enumerate(rows):
        places.setdefault(values_of(row, key.columns), []).append(place)
    return [places.get(values_of(parent, key.parent_columns), []) for parent in parents]


def values_of(row: Row, columns: Sequence[str]) -> Key:
    """The values of some columns."""
    return tuple(row[name] for name in columns)


def families(dice: Dice, models: int, count: int) -> list[int]:
    """Like in_turn, but some by chance alone, so that the number of all children varies."""
    turns = in_turn(dice, models, count)
    return [dice.below(models) if models > FEW and dice.happens(CHANCE) else turn for turn in turns]


def in_turn(dice: Dice, models: int, count: int) -> list[int]:
    """``count`` of the numbers below ``models``, each about equally often, in random order."""
    if not models:
        return []
    turns: list[int] = []
    while len(turns) < count:
        turns += dice.shuffled(range(models))
    return turns[:count]


class Parents:
    """Draws parents for one foreign key of a resampled table."""

    def __init__(
        self, dice: Dice, key: ForeignKey, new: Sequence[Row], old: Sequence[Row], rows: Sequence[Row]
    ) -> None:
        """Each new parent takes the number of children of one old parent.

        Args:
            dice: decides which.
            key: the foreign key.
            new: the parent table's resampled rows.
            old: its rows in main.
            rows: the child table's rows in main.
        """
        counts = Counter(values_of(row, key.columns) for row in rows)
        weights = [counts[values_of(parent, key.parent_columns)] for parent in old]
        self._key, self._new = key, new
        self._weights = [weights[model] for model in in_turn(dice, len(old), len(new))] or [1] * len(new)
        self._found: dict[tuple[tuple[str, ...], Key], tuple[list[int], list[int]]] = {}

    def draw(self, dice: Dice, given: Mapping[str, str | None]) -> Row | None:
        """Values for the key's columns from one parent, likelier where the parent is to have more children.

        Args:
            dice: decides.
            given: values of some of the key's columns, which the parent must have.

        Returns:
            None where no parent has them.
        """
        shared = tuple(name for name in self._key.columns if name in given)
        places, sums = self._matching(shared, tuple(given[name] for name in shared))
        if not places:
            return None
        place = (
            places[bisect_right(sums, dice.below(sums[-1]))] if sums[-1] else places[dice.below(len(places))]
        )
        return self.values(place)

    def values(self, place: int) -> Row:
        """Values for the key's columns from one of the new parents."""
        parent = self._new[place]
        return {
            name: parent[other]
            for name, other in zip(self._key.columns, self._key.parent_columns, strict=True)
        }

    def _matching(self, shared: tuple[str, ...], values: Key) -> tuple[list[int], list[int]]:
        if (shared, ()) not in self._found:
            other = dict(zip(self._key.columns, self._key.parent_columns, strict=True))
            grouped: dict[Key, list[int]] = {}
            for place, parent in enumerate(self._new):
                grouped.setdefault(tuple(parent[other[name]] for name in shared), []).append(place)
            for found, places in grouped.items():
                weights = [self._weights[place] for place in places]
                self._found[(shared, found)] = (places, list(accumulate(weights)))
            self._found.setdefault((shared, ()), ([], []))
        return self._found.get((shared, values), ([], []))
