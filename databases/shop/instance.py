"""What an instance of the shop is: how much it has of what, and where its choices come from."""

from dataclasses import dataclass, replace
from datetime import date

from sqlrl.database.dice import Dice

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


def twin_profile(dice: Dice, is_quiet: bool) -> Profile:
    """Other counts and rates than main's, within what a shop like this could have."""
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


def round_price(cents: int) -> int:
    """The next lower multiple of 0.20 that is a price."""
    return max(20, cents // 20 * 20)
