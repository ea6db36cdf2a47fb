"""What an instance of the clinic is: how much it has of what, and where its choices come from."""

from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from sqlrl.database.dice import Dice

FIRST_DAY, LAST_DAY = date(2024, 1, 1), date(2025, 12, 31)
LAST_SECOND = datetime.combine(LAST_DAY, time(23, 59, 59))
MONTHS = [date(year, month, 1) for year in (2024, 2025) for month in range(1, 13)]


@dataclass(frozen=True)
class Profile:
    """How much of what an instance has; most are percentages or weights."""

    patients: int = 90
    appointments: int = 320
    stays: int = 110
    lab_results: int = 220
    invoices: int = 170
    with_phone: int = 72
    has_left: int = 20
    month_without_appointments: date = date(2024, 8, 1)
    completed: int = 66
    cancelled: int = 14
    no_show: int = 14
    with_minutes: int = 84
    at_month_edges: int = 12
    longest_wait: int = 40
    planned: int = 55
    until_further_notice: int = 28
    flagged: int = 34
    covered: int = 62
    settled: int = 70
    open_ended: int = 55
    with_copay: int = 50


def twin_profile(dice: Dice, is_quiet: bool) -> Profile:
    """Other counts and rates than main's, within what a clinic like this could have."""
    return replace(
        Profile(),
        patients=dice.between(58, 74) if is_quiet else dice.between(76, 88),
        appointments=dice.between(90, 130) if is_quiet else dice.between(220, 280),
        stays=dice.between(45, 60) if is_quiet else dice.between(80, 105),
        lab_results=dice.between(70, 100) if is_quiet else dice.between(140, 200),
        invoices=dice.between(60, 85) if is_quiet else dice.between(120, 160),
        with_phone=dice.between(45, 85),
        has_left=dice.between(15, 40),
        month_without_appointments=dice.pick([month for month in MONTHS[1:20] if month.month not in (1, 12)]),
        completed=dice.between(48, 66),
        cancelled=dice.between(10, 22),
        no_show=dice.between(10, 22),
        with_minutes=dice.between(60, 90),
        at_month_edges=72,
        longest_wait=dice.between(25, 60),
        planned=dice.between(30, 60),
        until_further_notice=dice.between(20, 45),
        flagged=dice.between(25, 55),
        covered=dice.between(45, 75),
        settled=dice.between(50, 80),
        open_ended=dice.between(35, 65),
        with_copay=dice.between(35, 65),
    )


def month_edge(dice: Dice, day: date) -> date:
    """The first or the last day of a day's month."""
    first = day.replace(day=1)
    return dice.pick([first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)])


def moment(dice: Dice, day: date, first_hour: int, last_hour: int, step: int = 1) -> datetime:
    """A moment of a day, its minutes a multiple of ``step``."""
    return datetime.combine(day, time(dice.between(first_hour, last_hour), dice.below(60 // step) * step))
