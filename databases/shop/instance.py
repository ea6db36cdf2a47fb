"""What an instance of the shop is: how much it has of what, and where its choices come from."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
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
    """How much of what an instance has; most are percentages or weights."""

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
    at_month_edges: int = 12
    paid_at_once: int = 74


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


def open_instance(name: str, dice: Dice) -> Instance:
    """The instance of this name: ``main``, or a twin that is unlike main in everything but its names."""
    vocabulary = tomllib.loads(Path(__file__).with_name("vocabulary.toml").read_text(encoding="utf-8"))
    is_main = name == "main"
    profile = Profile() if is_main else twin_profile(dice.of("profile"), is_quiet=name[-1] in "02468")
    return Instance(is_main, profile, dice, vocabulary)


def twin_profile(dice: Dice, is_quiet: bool) -> Profile:
    """Other counts and rates than main's, within what a shop like this could have.

    Every second twin is quiet: where little happens, fewer rows hide what a predicate does.
    """
    return replace(
        Profile(),
        orders=dice.between(70, 110) if is_quiet else dice.between(190, 250),
        reviews=dice.between(25, 40) if is_quiet else dice.between(60, 100),
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
        at_month_edges=60,
        paid_at_once=20,
    )


def money(cents: int) -> Decimal:
    """Whole cents as an exact amount with two decimals."""
    return Decimal(cents).scaleb(-2)


def round_price(cents: int) -> int:
    """The next lower multiple of 0.20 that is a price."""
    return max(20, cents // 20 * 20)
