"""What makes a twin unlike main: round amounts, days at edges, ids with gaps, more names."""

from datetime import date

import pytest

from sqlrl.database.dice import Dice
from sqlrl.database.instance import Instance, money


def instance(is_main: bool) -> Instance[None]:
    return Instance(is_main, None, Dice("seed"), {"things": {"core": ["a"], "more": ["b", "c", "d"]}})


def test_main_has_the_core_and_counted_ids_a_twin_more_names_and_gaps():
    main, twin = instance(True), instance(False)
    assert main.entries("things") == ["a"]
    assert main.ids("things", 4) == [1, 2, 3, 4]
    assert set(twin.entries("things")) > {"a"}
    ids = twin.ids("things", 40)
    assert len(set(ids)) == 40
    assert ids != sorted(ids)
    assert max(ids) > 40


def test_amounts_of_a_twin_move_to_round_numbers_or_one_beside_and_main_s_stay():
    dice = Dice("amounts")
    assert [instance(True).near_round_number(dice, amount) for amount in (47, 1234)] == [47, 1234]
    moved = [instance(False).near_round_number(dice, 1234) for _ in range(300)]
    assert set(moved) == {1199, 1200, 1201, 1234}
    assert moved.count(1200) > moved.count(1234)


@pytest.mark.parametrize(
    ("months", "edge"), [(1, date(2024, 8, 1)), (3, date(2024, 7, 1)), (12, date(2024, 1, 1))]
)
def test_days_of_a_twin_move_to_the_first_day_of_a_period_or_the_day_before(months, edge):
    day, dice = date(2024, 8, 17), Dice("days")
    assert instance(True).near_edge(dice, day, months) == day
    moved = {instance(False).near_edge(dice, day, months) for _ in range(200)}
    assert moved == {day, edge, date.fromordinal(edge.toordinal() - 1)}


def test_money_is_exact():
    assert str(money(1995)) == "19.95"
