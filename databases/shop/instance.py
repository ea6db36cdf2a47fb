"""What an instance of the shop is: how much it has of what, and where its choices come from."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from sqlrl.database.dice import Dice

Row = dict[str, Any]

FIRST_DAY, LAST_DAY = date(2024, 1, 1), date(2025, 12, 31)
MONTHS = [date(year, month, 1) for year in (2024, 2025) for month in range(1, 13)]
BUSY_MONTHS = {3: 14, 6: 12, 9: 13, 11: 21, 12: 24}


@dataclass(frozen=True)
class Profile:
    """How much of what an instance has; percentages say how often a column is not NULL."""

    orders: int = 300
    reviews: int = 120
    referred: int = 45
    with_sales_rep: int = 65
    discounted: int = 38
    titled: int = 62
    slowest_shipping: int = 9
    at_home: int = 85
    month_without_orders: date = date(2024, 2, 1)
    delivered: int = 56
    shipped: int = 12
    pending: int = 6
    returned: int = 12
    cancelled: int = 14


@dataclass(frozen=True)
class Instance:
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


def open_instance(name: str, dice: Dice) -> Instance:
    """The instance of this name: ``main``, or a twin that is unlike main in everything but its names."""
    vocabulary = tomllib.loads(Path(__file__).with_name("vocabulary.toml").read_text(encoding="utf-8"))
    is_main = name == "main"
    return Instance(is_main, Profile() if is_main else twin_profile(dice.of("profile")), dice, vocabulary)


def twin_profile(dice: Dice) -> Profile:
    """Other counts and rates than main's, within what a shop like this could have."""
    main = Profile()
    return replace(
        main,
        orders=main.orders + dice.pick([-1, 1]) * dice.between(15, 50),
        reviews=main.reviews + dice.pick([-1, 1]) * dice.between(8, 30),
        referred=dice.between(30, 70),
        with_sales_rep=dice.between(45, 85),
        discounted=dice.between(20, 60),
        titled=dice.between(35, 80),
        slowest_shipping=dice.between(5, 14),
        at_home=dice.between(45, 75),
        month_without_orders=dice.pick(
            [month for month in MONTHS[1:20] if month.month not in (1, *BUSY_MONTHS)]
        ),
        delivered=dice.between(40, 60),
        shipped=dice.between(8, 18),
        returned=dice.between(8, 18),
        cancelled=dice.between(8, 20),
    )


def money(cents: int) -> Decimal:
    """Whole cents as an exact amount with two decimals."""
    return Decimal(cents).scaleb(-2)


def round_price(cents: int) -> int:
    """The next lower multiple of 0.20 that is a price."""
    return max(20, cents // 20 * 20)
