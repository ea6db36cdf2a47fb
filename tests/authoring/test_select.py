from dataclasses import replace

import pytest

from sqlrl.authoring.cells import ARCHETYPES, DIFFICULTIES, STYLES
from sqlrl.authoring.select import SelectionSettings, select_tasks
from sqlrl.authoring.split import PARTS, SplitSettings, split_tasks
from sqlrl.authoring.task import Task
from sqlrl.errors import UserError
from tests.authoring.small import task

EVERYTHING = SelectionSettings(ARCHETYPES, DIFFICULTIES, STYLES, None)


def parts_of(database: str, count: int = 200) -> dict[str, list[Task]]:
    tasks = [
        task(
            f"{database} question {number}",
            database=database,
            difficulty=DIFFICULTIES[number % 3],
            template=f"{number % 70:016x}",
        )
        for number in range(count)
    ]
    return split_tasks(tasks, SplitSettings(0.1, 0.19), database)


def given(*databases: dict[str, list[Task]]) -> dict[str, list[list[Task]]]:
    return {part: [one[part] for one in databases] for part in PARTS}


def test_only_the_cells_of_the_run_are_chosen():
    shop = parts_of("shop")
    chosen = select_tasks(given(shop), replace(EVERYTHING, difficulties=("easy", "medium")))
    for part in PARTS:
        expected = {one.id for one in shop[part] if one.difficulty != "hard"}
        assert {one.id for one in chosen[part]} == expected


def test_a_template_is_in_training_where_a_chosen_training_task_has_it():
    chosen = select_tasks(given(parts_of("shop")), replace(EVERYTHING, difficulties=("easy",)))
    trained = {one.template for one in chosen["train"]}
    flags = {one.template_in_training for part in PARTS for one in chosen[part]}
    assert flags == {True, False}
    for part in PARTS:
        for one in chosen[part]:
            assert one.template_in_training == (one.template in trained)


def test_templates_of_another_database_are_not_those_of_this_one():
    shop, clinic = parts_of("shop"), parts_of("clinic")
    nothing: dict[str, list[Task]] = {"train": [], "dev": [], "holdout": clinic["holdout"]}
    chosen = select_tasks(given(shop, nothing), EVERYTHING)
    clinical = [one for one in chosen["holdout"] if one.database == "clinic"]
    assert clinical
    assert not any(one.template_in_training for one in clinical)


def test_of_a_database_that_is_not_trained_on_only_the_holdout_is_chosen():
    clinic = parts_of("clinic")
    chosen = select_tasks(given(clinic), replace(EVERYTHING, trained=False))
    assert chosen["train"] == chosen["dev"] == []
    assert {one.id for one in chosen["holdout"]} == {one.id for one in clinic["holdout"]}
    assert not any(one.template_in_training for one in chosen["holdout"])


def test_a_limit_takes_by_hash_and_not_by_place_in_the_file():
    shop = parts_of("shop")
    limited = replace(EVERYTHING, limit={"train": 20, "holdout": 5})
    chosen = select_tasks(given(shop), limited)
    assert [len(chosen[part]) for part in ("train", "holdout")] == [20, 5]
    assert len(chosen["dev"]) == len(shop["dev"])
    turned = {part: list(reversed(tasks)) for part, tasks in shop.items()}
    assert select_tasks(given(turned), limited) == chosen
    fewer = {part: tasks[: len(tasks) // 2] for part, tasks in shop.items()}
    kept = {one.id for one in select_tasks(given(fewer), limited)["train"]}
    assert {one.id for one in chosen["train"]} & {one.id for one in fewer["train"]} <= kept


def test_tasks_come_sorted_by_database_and_id():
    chosen = select_tasks(given(parts_of("shop"), parts_of("clinic")), EVERYTHING)
    keys = [(one.database, one.id) for one in chosen["train"]]
    assert keys == sorted(keys)
    assert {database for database, _ in keys} == {"shop", "clinic"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"archetypes": ("joins",)}, r"tasks\.select\.archetypes has 'joins'\. There are: aggregation"),
        ({"styles": ()}, r"tasks\.select\.styles is empty"),
        ({"limit": {"train": 0}}, r"tasks\.select\.limit\.train is 0"),
        ({"limit": {"test": 3}}, r"tasks\.select\.limit\.test"),
        ({"archetypes": ("hierarchy",)}, r"leaves no task in part train of \d+"),
    ],
)
def test_settings_that_can_not_be_met_are_an_error(changes, message):
    with pytest.raises(UserError, match=message):
        select_tasks(given(parts_of("shop")), replace(EVERYTHING, **changes))


def test_a_task_in_the_wrong_part_is_an_error():
    shop = parts_of("shop")
    wrong = {**given(shop), "train": [shop["holdout"]]}
    with pytest.raises(UserError, match="is in part holdout, given as train"):
        select_tasks(wrong, EVERYTHING)


def test_an_id_in_two_databases_is_an_error():
    shop = parts_of("shop")
    with pytest.raises(UserError, match="occurs twice"):
        select_tasks(given(shop, shop), EVERYTHING)
