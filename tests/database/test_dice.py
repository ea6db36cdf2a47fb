from datetime import date

import pytest

from sqlrl.database.dice import Dice


def test_the_same_key_rolls_the_same_and_another_key_does_not():
    assert [Dice(1, "a").below(10**9) for _ in range(2)] == [Dice("1/a").below(10**9)] * 2
    assert Dice(1, "a").below(10**9) != Dice(2, "a").below(10**9)


def test_rolls_are_these_on_every_machine_and_version():
    dice = Dice(1, "shop", "main")
    rolls = [dice.below(100), dice.between(5, 9), dice.pick("abc"), dice.weighted({"x": 1, "y": 9})]
    assert [*rolls, dice.shuffled(range(5))] == [73, 9, "b", "y", [1, 0, 2, 3, 4]]


def test_a_stream_of_its_own_does_not_move_its_parent():
    one, other = Dice(1), Dice(1)
    one.of("child").below(10)
    assert one.below(10**9) == other.below(10**9)


def test_weights_are_kept_to_within_chance():
    dice = Dice(1)
    drawn = [dice.weighted({"never": 0, "seldom": 1, "often": 3}) for _ in range(4000)]
    assert drawn.count("never") == 0
    assert drawn.count("often") == pytest.approx(3000, abs=120)


def test_a_shuffle_keeps_what_it_shuffles_and_reaches_every_place():
    dice = Dice(1)
    shuffles = [dice.shuffled("abcd") for _ in range(200)]
    assert {"".join(sorted(one)) for one in shuffles} == {"abcd"}
    assert {one.index("a") for one in shuffles} == {0, 1, 2, 3}


def test_a_day_lies_within_both_ends():
    dice = Dice(1)
    days = {dice.day(date(2024, 2, 28), date(2024, 3, 1)) for _ in range(60)}
    assert days == {date(2024, 2, 28), date(2024, 2, 29), date(2024, 3, 1)}
