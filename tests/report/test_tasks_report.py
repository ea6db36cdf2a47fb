"""The numbers of a database's tasks, counted again from the tasks themselves."""

from collections import Counter

import pytest

from sqlrl.report.tasks_report import build_tasks_report, fair_choice
from tests.report.made_tasks import BOOTSTRAP, make_files


@pytest.fixture(scope="module")
def files():
    return make_files()


@pytest.fixture(scope="module")
def document(files):
    return build_tasks_report(files, BOOTSTRAP)


def test_every_cell_has_its_kept_and_refused(files, document):
    assert len(document["cells"]) == 120
    assert {one["kept"] for one in document["cells"]} == {2}
    first = document["cells"][0]
    assert (first["rejected"], first["reasons"]) == (6, {"exposed": 1, "volatile": 5})
    assert sum(one["rejected"] for one in document["cells"]) == len(files.rejected) + len(files.exposed)


def test_reasons_are_told_with_counts_the_most_frequent_first_and_a_real_example(files, document):
    assert [(one["reason"], one["number"]) for one in document["reasons"]] == [
        ("volatile", 5),
        ("exposed", 1),
    ]
    questions = {one.candidate.question for one in files.rejected}
    assert document["reasons"][0]["example"]["question"] in questions
    assert document["reasons"][0]["meaning"] == "the SQL calls a function that depends on time or chance"


def test_what_the_review_drops_is_refused_with_its_class_and_missing_from_the_parts():
    files = make_files(dropped="scattered")
    document = build_tasks_report(files, BOOTSTRAP)
    gone = sum(one.dropped is not None for one in files.reviews)
    assert gone > 0
    [reason] = [one for one in document["reasons"] if one["reason"] == "scattered"]
    assert reason["number"] == gone
    assert document["counts"]["reviewed"] == document["counts"]["probed"] - gone
    assert document["counts"]["reviewed"] == sum(
        document["counts"][part] for part in ("train", "dev", "holdout")
    )


def test_features_shapes_and_lengths_add_up_to_all_tasks(files, document):
    kept = files.kept
    assert document["features"][0] == {"feature": "join", "tasks": len(kept), "share": 1.0}
    assert sum(number for row in document["shapes"]["rows"] for number in row["tasks"]) == len(kept)
    assert [row["rows"] for row in document["shapes"]["rows"]] == [
        "1",
        "2 to 5",
        "6 to 10",
        "11 to 20",
        "21 to 50",
        "over 50",
    ]
    assert sum(one["tasks"] for one in document["question_words"]["bins"]) == len(kept)
    assert all(
        one["shortest"] <= one["median"] <= one["longest"] for one in document["question_words"]["styles"]
    )


def test_the_split_is_counted_by_every_kind(files, document):
    for by in ("archetype", "difficulty", "style"):
        rows = [one for one in document["split"] if one["by"] == by]
        for part in ("train", "dev", "holdout"):
            assert sum(one[part] for one in rows) == len(files.parts[part])
        assert all(
            one["train_share"] + one["dev_share"] + one["holdout_share"] == pytest.approx(1.0, abs=1e-5)
            for one in rows
        )


def test_templates_that_training_sees_are_told_from_those_it_does_not(files, document):
    trained = {task.template for task in files.parts["train"]}
    [holdout] = [one for one in document["templates"]["parts"] if one["part"] == "holdout"]
    assert holdout["seen_tasks"] == sum(task.template in trained for task in files.parts["holdout"])
    assert holdout["seen_tasks"] + holdout["unseen_tasks"] == len(files.parts["holdout"])


def test_one_example_a_cell_is_chosen_by_a_hash_whatever_the_order(document):
    cells = Counter((one["archetype"], one["difficulty"], one["style"]) for one in document["examples"])
    assert len(cells) == len(document["examples"]) == 120
    names = [one["id"] for one in document["examples"]]
    assert fair_choice(names) == fair_choice(reversed(names))


def test_pairs_of_similar_questions_say_whether_their_answers_are_the_same(files, document):
    listed = document["similar"]["listed"]
    assert 0 < len(listed) <= document["similar"]["pairs"]
    assert [one["similarity"] for one in listed] == sorted(
        (one["similarity"] for one in listed), reverse=True
    )
    answers = {one.task_id: one.answer for one in files.reviews}
    for pair in listed:
        assert pair["same_answer"] == (len({answers[one["id"]] for one in pair["questions"]}) == 1)


def test_tasks_with_the_same_rows_are_counted_in_groups(files, document):
    # The first eight tasks have the same rows two by two.
    assert document["review"]["same_answers"]["groups"] == 4
    assert document["review"]["same_answers"]["tasks"] == 8
    part_of = {task.id: part for part, tasks in files.parts.items() for task in tasks}
    pairs = [(part_of[files.tasks[n].id], part_of[files.tasks[n + 1].id]) for n in range(0, 8, 2)]
    crossing = sum(sorted(pair) == ["holdout", "train"] for pair in pairs)
    assert document["review"]["same_answers"]["holdout_in_training"] == crossing


def test_suspects_are_all_whose_reference_is_refuted_with_what_speaks_against_it(files, document):
    refuted = [one for one in files.reviews if one.is_refuted]
    assert document["review"]["suspects"] == len(refuted)
    assert len(document["review"]["listed"]) == min(60, len(refuted))
    for one in document["review"]["listed"]:
        assert one["other"] or one["conflicts"] or one["faults"]


def test_without_a_solver_there_are_no_classes_of_replies():
    document = build_tasks_report(make_files(solved=False), BOOTSTRAP)
    assert document["review"]["agreement"] is None
    assert document["ceiling"]["lowest"] is None
    assert document["review"]["scattered"] == []
