import pytest

from sqlrl.authoring.task import normalise_question, task_id


def test_the_id_is_the_same_on_every_machine():
    assert task_id("How many orders are there?") == "6c037fa5e7ffae94"


@pytest.mark.parametrize(
    "other",
    ["how many ORDERS are there", "How many orders  are there ?", "How many orders, are there!"],
)
def test_case_spaces_and_punctuation_make_no_other_task(other):
    assert task_id(other) == task_id("How many orders are there?")


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("orders above 10", "orders above 100"),
        ("orders since 2024-01-01", "orders since 2024-01-11"),
        ("stock > 5", "stock < 5"),
        ("discount of 10%", "discount of 10"),
        ("customers in Köln", "customers in Koln"),
        ("fee above 1.5", "fee above 15"),
    ],
)
def test_what_changes_the_answer_makes_another_task(one, two):
    assert task_id(one) != task_id(two)


def test_normalising_twice_changes_nothing():
    once = normalise_question("Chef's Knife: price >= 7.50, please!")
    assert normalise_question(once) == once
