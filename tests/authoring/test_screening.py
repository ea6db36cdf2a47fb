from dataclasses import replace

import pytest

from sqlrl.authoring.cells import all_cells
from sqlrl.authoring.screen import Rejection
from sqlrl.authoring.screening import summarise
from sqlrl.errors import UserError
from sqlrl.records import to_dict
from tests.authoring.small import SETTINGS, candidate, task

FULL = [
    task(
        f"question {number}",
        archetype=cell.archetype,
        difficulty=cell.difficulty,
        style=cell.style,
        template=f"{number:016x}",
    )
    for number, cell in enumerate(all_cells())
]
REJECTED = [
    Rejection(candidate("SELECT 1"), "empty_like", "[(1,)]"),
    Rejection(candidate("SELECT x"), "does_not_run", ""),
]


def test_kept_and_rejected_are_counted_by_cell_and_reason():
    summary = to_dict(summarise("small", FULL, REJECTED, {"main": "d"}, SETTINGS))
    assert (summary["candidates"], summary["kept"], summary["templates"]) == (122, 120, 120)
    assert summary["reasons"] == {"does_not_run": 1, "empty_like": 1}
    assert len(summary["cells"]) == 120
    assert summary["cells"]["aggregation, easy, casual"] == {
        "kept": 1,
        "rejected": {"does_not_run": 1, "empty_like": 1},
    }
    assert summary["rows"] == {"1": 120}


def test_the_largest_template_is_named_with_its_share():
    tasks = [replace(one, template="f" * 16) if number < 12 else one for number, one in enumerate(FULL)]
    largest = summarise("small", tasks, [], {}, SETTINGS).largest_template
    assert (largest.template, largest.tasks, largest.share) == ("f" * 16, 12, 0.1)


def test_an_empty_cell_is_an_error_that_names_it_and_its_rejects():
    with pytest.raises(
        UserError, match=r"1 of 120 cells have no task, the first is 'aggregation, easy, casual'.*empty_like"
    ):
        summarise("small", FULL[1:], REJECTED, {}, SETTINGS)


def test_imported_tasks_may_leave_cells_empty():
    summary = summarise("small", FULL[:7], REJECTED, {}, replace(SETTINGS, every_cell=False))
    assert summary.kept == 7


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"minimum_tasks": 121}, "120 tasks were kept, fewer than minimum_tasks = 121"),
        ({"minimum_templates": 121}, "120 templates, fewer than minimum_templates = 121"),
        ({"maximum_template_share": 0.005}, "0.8% of the tasks, over maximum_template_share"),
    ],
)
def test_totals_that_are_not_met_are_an_error(changes, message):
    with pytest.raises(UserError, match=message):
        summarise("small", FULL, [], {}, replace(SETTINGS, **changes))


def test_nothing_kept_is_an_error_with_the_commonest_reasons():
    with pytest.raises(UserError, match="none of 2 candidates was kept: 1 empty_like, 1 does_not_run"):
        summarise("small", [], REJECTED, {}, SETTINGS)


def test_cells_may_stay_empty_where_the_settings_allow_it():
    allowed = replace(SETTINGS, every_cell=False)
    assert summarise("small", FULL[1:], REJECTED, {"main": "d"}, allowed).kept == 119
