"""Seeded choices that are the same on every Python and machine."""

import random
from collections.abc import Sequence
from typing import TypeVar

from sqlrl.files import digest_text

Item = TypeVar("Item")


class EmptyDrawError(LookupError):
    """What was drawn before leaves nothing to choose from; another draw will."""


class Stream:
    """Choices from one seed text.

    Only ``random.Random.random`` is used, seeded with an integer: its values are the one thing that the
    standard library promises to keep.
    """

    def __init__(self, seed: str) -> None:
        self._random = random.Random(int(digest_text(seed)[:16], 16))

    def below(self, count: int) -> int:
        """A whole number in 0..count-1."""
        return min(int(self._random.random() * count), count - 1)

    def fraction(self) -> float:
        """A number in [0, 1)."""
        return self._random.random()

    def chance(self, share: float) -> bool:
        """True in this share of the draws."""
        return self._random.random() < share

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items. Raises EmptyDrawError where there are none."""
        if not items:
            raise EmptyDrawError
        return items[self.below(len(items))]

    def sample(self, items: Sequence[Item], count: int) -> tuple[Item, ...]:
        """Different items, as many as asked for or as there are, in drawn order."""
        left = list(items)
        return tuple(left.pop(self.below(len(left))) for _ in range(min(count, len(left))))


class Draw:
    """The two streams behind one task.

    ``structure`` decides the shape of the SQL, ``detail`` its literals and the words of the question. Tasks
    with one structure seed and different detail seeds are of one template.
    """

    def __init__(self, structure_seed: str, detail_seed: str) -> None:
        self.structure = Stream(structure_seed)
        self.detail = Stream(detail_seed)
