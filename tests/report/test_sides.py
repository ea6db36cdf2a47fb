"""Score files put together to scoring passes."""

import pytest

from sqlrl.errors import UserError
from sqlrl.report.sides import find_groups, read_side
from tests.report.scores import write_scores


def test_files_of_the_same_tasks_are_passes_and_files_of_other_tasks_are_parts_of_one(tmp_path):
    files = [
        write_scores(tmp_path / "shop-1.jsonl", a="RW"),
        write_scores(tmp_path / "shop-2.jsonl", a="RR"),
        write_scores(tmp_path / "school-1.jsonl", b="WW"),
        write_scores(tmp_path / "school-2.jsonl", b="WR"),
    ]
    side = read_side(files)
    found = [{task: [line.right for line in lines] for task, lines in one.items()} for one in side.passes]
    assert found == [{"a": [True, False], "b": [False, False]}, {"a": [True, True], "b": [False, True]}]
    assert side.k == 2


def test_a_sample_that_occurs_twice_is_named(tmp_path):
    path = write_scores(tmp_path / "a.jsonl", a="RW")
    path.write_text(path.read_text() + path.read_text().splitlines()[1] + "\n")
    with pytest.raises(UserError, match=r"a\.jsonl: sample 1 of task a occurs twice"):
        read_side([path])


def test_a_file_that_is_given_twice_is_no_second_pass(tmp_path):
    path = write_scores(tmp_path / "a.jsonl", a="R")
    with pytest.raises(UserError, match="given twice"):
        read_side([path, tmp_path / "." / "a.jsonl"])


@pytest.mark.parametrize("second", [{"b": "R"}, {"a": "R"}])
def test_unequal_numbers_of_samples_are_refused(tmp_path, second):
    files = [
        write_scores(tmp_path / "a.jsonl", a="RWR"),
        write_scores(tmp_path / "b.jsonl", **second),
    ]
    task = next(iter(second))
    with pytest.raises(UserError, match=f"different numbers of samples: {task} has 1 and a has 3"):
        read_side(files)


def test_templates_come_from_score_lines_and_from_task_files(tmp_path):
    side = read_side([write_scores(tmp_path / "a.jsonl", a="R", b="W", template="t")])
    (tmp_path / "tasks.jsonl").write_text('{"id": "a", "template": "t", "database": "shop"}\n')
    groups = find_groups([side], [tmp_path / "tasks.jsonl"])
    assert groups.templates == {"a": "t", "b": "t"}
    assert groups.databases == {"a": "shop"}


def test_two_templates_of_one_task_are_refused(tmp_path):
    side = read_side([write_scores(tmp_path / "a.jsonl", a="R", template="t")])
    (tmp_path / "tasks.jsonl").write_text('{"id": "a", "template": "u"}\n')
    with pytest.raises(UserError, match=r"tasks\.jsonl: task a has the template u, and t elsewhere"):
        find_groups([side], [tmp_path / "tasks.jsonl"])
