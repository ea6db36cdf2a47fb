"""What decides the rows of one instance of a built-in schema.

Twins have the same schema as main and other data, so that nearly right queries give other rows there.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, Generic, TypeVar

from sqlrl.database.dice import Dice

Row = dict[str, Any]

# How much of what an instance has; each schema has its own.
Profile = TypeVar("Profile")


@dataclass(frozen=True)
class Instance(Generic[Profile]):
    """What decides the rows: the profile, the dice, the names, and whether this is main."""

    is_main: bool
    profile: Profile
    dice: Dice
    vocabulary: Mapping[str, Any]

    def entries(self, section: str) -> list[Any]:
        """The core of a list of the vocabulary; a twin has some of ``more`` too."""
        return [*self.vocabulary[section]["core"], *self.some(section, self.vocabulary[section]["more"])]

    def some(self, key: str, more: Sequence[Any]) -> list[Any]:
        """Nothing on main; on a twin at least one of the further entries."""
        dice = self.dice.of("more", key)
        return [] if self.is_main else dice.shuffled(more)[: dice.between(1, (2 * len(more) + 2) // 3)]

    def ids(self, table: str, count: int) -> list[int]:
        """1 to count; in a twin shuffled and with gaps, so that no id and no MAX(id) is right by luck."""
        if self.is_main:
            return list(range(1, count + 1))
        return self.dice.of("ids", table).shuffled(range(1, count * 2))[:count]

    def near_round_number(self, dice: Dice, amount: int, unit: int = 1) -> int:
        """On a twin mostly the round number next to an amount, or one unit less or more.

        Questions name round numbers (3, 45, 120, 61000): values at them tell ``<`` from ``<=`` and 45
        from 46 apart. Amounts below ten units stay, except where the unit is one.
        """
        if self.is_main or amount < unit * (10 if unit > 1 else 1) or dice.happens(15):
            return amount
        whole = amount // unit
        step = 1 if whole < 10 else 5 if whole < 100 else int(10 ** (len(str(whole)) - 2))
        return unit * max(1, round(whole / step) * step + dice.pick([-1, 0, 0, 1]))

    def near_edge(self, dice: Dice, day: date, months: int) -> date:
        """On a twin mostly the first day of the day's month, quarter or year (1, 3, 12), or the day before."""
        if self.is_main or dice.happens(20):
            return day
        first = date(day.year, (day.month - 1) // months * months + 1, 1)
        return first - timedelta(days=dice.pick([0, 0, 1]))


def open_instance(
    name: str, dice: Dice, folder: Path, main: Profile, twin: Callable[[Dice, bool], Profile]
) -> Instance[Profile]:
    """The instance of this name: ``main``, or a twin that is unlike main in everything but its names.

    Args:
        name: ``main``, ``twin-1``, ``witness-1``, ...
        dice: the source of every choice.
        folder: of the schema, with its ``vocabulary.toml``.
        main: how much main has of what.
        twin: the same of a twin, from its dice and whether it is quiet. Every second twin is: where little happens,
            fewer rows hide what a predicate does.
    """
    vocabulary = tomllib.loads((folder / "vocabulary.toml").read_text(encoding="utf-8"))
    if name == "main":
        return Instance(True, main, dice, vocabulary)
    return Instance(False, twin(dice.of("profile"), name[-1] in "02468"), dice, vocabulary)


def money(cents: int) -> Decimal:
    """Whole cents as an exact amount with two decimals."""
    return Decimal(cents).scaleb(-2)
