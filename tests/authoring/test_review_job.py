"""The review finds every fault that was planted in hand-made tasks, on a real server."""

from dataclasses import replace

import pytest

from sqlrl.authoring.review import FINDINGS, SolverUsed, Tally, TaskReview, keep_reviewed
from sqlrl.authoring.review_job import review_tasks, summarise_review
from tests.authoring import reviewed as made
from tests.authoring.reviewed import REFUSED, SETTINGS, TASKS, replies, reply

DROPPING = replace(SETTINGS, drop=("conflict", "tie_cut"))
KINDS = {
    made.TIE: ["tie_cut"],
    made.ONE_OF_TWO: ["conflict"],
    made.OTHER_OF_TWO: ["conflict"],
    made.FAILING: ["reference_fails"],
    made.CONSTANT: ["constant"],
    made.EMPTY: ["empty"],
    made.EXPOSED: ["mutation_survivor"],
}
SAID = [
    *replies(made.GOOD, *[made.PARAPHRASE.reference_sql] * 2, made.GOOD.reference_sql, "SELECT 1"),
    *replies(
        made.WRONG,
        made.RIGHT_OF_WRONG,
        "SELECT SUM(i.price) AS worth FROM items i WHERE i.kind = 'book' AND i.id > 0",
        made.RIGHT_OF_WRONG,
        made.WRONG.reference_sql,
    ),
    *replies(
        made.AMBIGUOUS,
        made.AMBIGUOUS.reference_sql,
        "SELECT name, price FROM items WHERE kind = 'tool' ORDER BY stock DESC NULLS LAST LIMIT 1",
        "SELECT name, price FROM items WHERE kind = 'tool' ORDER BY price LIMIT 1",
        "SELECT name, price FROM items WHERE kind = 'tool'",
    ),
    *replies(made.CONSTANT, "SELECT colour FROM items", "SELECT 1 / 0", "DELETE FROM items"),
    reply(made.CONSTANT, 3, "I would rather not say."),
    *replies(made.FAILING, *["SELECT kind FROM items"] * 4),
    *replies(made.GUESSED, *[made.GUESS] * 3),
]


@pytest.fixture(scope="module")
def found(small_dumps) -> dict[str, TaskReview]:
    reviews = review_tasks("small", small_dumps, TASKS, REFUSED, SAID, DROPPING)
    assert [one.task_id for one in reviews] == [task.id for task in TASKS]
    return {one.task_id: one for one in reviews}


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.question)
def test_each_planted_fault_is_found_and_nothing_else(found, task):
    assert [finding.kind for finding in found[task.id].findings] == KINDS.get(task, [])


def test_a_finding_says_where(found):
    details = {name: one.findings[0].detail for name, one in found.items() if one.findings}
    assert details[made.ONE_OF_TWO.id] == made.OTHER_OF_TWO.id
    assert 'column "colour" does not exist' in details[made.FAILING.id]
    assert details[made.TIE.id] == "on main, twin-1, twin-2"
    assert details[made.EMPTY.id] == "on twin-1, twin-2"


def test_two_questions_for_the_same_rows_have_the_same_answer(found):
    assert found[made.GOOD.id].answer == found[made.PARAPHRASE.id].answer
    answers = [one.answer for one in found.values() if one.answer]
    assert len(set(answers)) == len(answers) - 1


@pytest.mark.parametrize(
    ("task", "agreement", "tally"),
    [
        (made.GOOD, "agrees", Tally(4, 4, 3, 1)),
        (made.WRONG, "other_answer", Tally(4, 4, 1, 3)),
        (made.AMBIGUOUS, "scattered", Tally(4, 4, 1, 1)),
        (made.CONSTANT, "does_not_run", Tally(4, 0, 0, 0)),
    ],
    ids=["right", "wrong reference", "ambiguous", "no query"],
)
def test_replies_put_each_task_into_its_class(found, task, agreement, tally):
    assert (found[task.id].agreement, found[task.id].tally) == (agreement, tally)


def test_a_suspect_shows_the_other_answer_with_both_rows(found):
    other = found[made.WRONG.id].other
    assert (other.sql, other.replies, other.instance) == (made.RIGHT_OF_WRONG, 3, "main")
    assert other.rows != other.reference_rows
    assert len(other.rows) == len(other.reference_rows) == 1


def test_only_suspects_show_another_answer(found):
    suspects = {name for name, one in found.items() if one.other}
    assert suspects == {made.WRONG.id, made.GUESSED.id}


def test_a_match_on_main_by_luck_is_another_answer_that_shows_the_twin(found):
    review = found[made.GUESSED.id]
    assert review.agreement == "other_answer"
    assert (review.other.instance, review.other.rows) == ("twin-1", (("60.250",),))


def test_who_was_not_asked_or_has_no_fit_reference_is_in_no_class(found):
    assert found[made.EMPTY.id].agreement is None
    assert found[made.FAILING.id].agreement is None


def test_a_dropped_class_takes_its_tasks_away(found):
    kept = keep_reviewed(TASKS, list(found.values()))
    assert [task for task in TASKS if task not in kept] == [made.TIE, made.ONE_OF_TWO, made.OTHER_OF_TWO]


def test_the_summary_names_every_class_and_counts_it(found):
    summary = summarise_review("small", list(found.values()), {}, DROPPING, SolverUsed("far", "d", 4, 6))
    assert summary.findings == {**dict.fromkeys(FINDINGS, 1), "conflict": 2}
    assert summary.agreement == {"agrees": 1, "other_answer": 2, "scattered": 1, "does_not_run": 1}
    assert (summary.tasks, summary.same_answers) == (len(TASKS), 2)
    assert (summary.kept, summary.dropped) == (len(TASKS) - 3, {"conflict": 2, "tie_cut": 1})


def test_without_a_solver_no_class_of_replies_is_counted(found):
    alone = [replace(one, agreement=None) for one in found.values()]
    assert summarise_review("small", alone, {}, DROPPING, None).agreement is None
