"""Seeded choices that are the same on every machine and in every version of Python.

``random.Random`` promises this for ``random()`` alone, not for choices and shuffles; hence our own.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeVar

Choice = TypeVar("Choice")


@dataclass(frozen=True)
class SeedSettings:
    """``seed``: another number gives other rows in every instance."""

    seed: int


class Dice:
    """A stream of choices that is a function of its key alone."""

    def __init__(self, *key: object) -> None:
        self._key = "/".join(str(part) for part in key)
        self._rolls = 0

    def of(self, *key: object) -> "Dice":
        """An independent stream, so that a change in one place moves nothing elsewhere."""
        return Dice(self._key, *key)

    def below(self, limit: int) -> int:
        """A whole number from 0 to limit - 1, each as likely to within 2**-64 * limit."""
        digest = hashlib.sha256(f"{self._key}#{self._rolls}".encode()).digest()
        self._rolls += 1
        return int.from_bytes(digest[:8], "big") % limit

    def between(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + self.below(high - low + 1)

    def happens(self, percent: int) -> bool:
        """True in ``percent`` of 100 cases."""
        return self.below(100) < percent

    def pick(self, choices: Sequence[Choice]) -> Choice:
        """One of the choices, each as likely."""
        return choices[self.below(len(choices))]

    def day(self, first: date, last: date) -> date:
        """A day from first to last, both included."""
        return first + timedelta(days=self.below((last - first).days + 1))

    def weighted(self, weights: Mapping[Choice, int]) -> Choice:
        """One of the keys, as likely as its weight says. Depends on the order of the keys."""
        roll = self.below(sum(weights.values()))
        for choice, weight in weights.items():
            roll -= weight
            if roll < 0:
                return choice
        raise AssertionError("the roll is below the sum of the weights")

    def shuffled(self, items: Sequence[Choice]) -> list[Choice]:
        """The items in another order."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result
