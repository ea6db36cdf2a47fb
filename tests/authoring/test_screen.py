from dataclasses import replace

import pytest

from sqlrl.authoring.instances import SHUFFLED
from sqlrl.authoring.screen import REASONS, Rejection, Screen
from sqlrl.authoring.task import Task
from tests.authoring.small import SETTINGS, candidate

DIGEST = "d" * 64
GOOD = "SELECT i.name, i.price FROM items i WHERE i.kind = 'toy' ORDER BY i.price DESC LIMIT 3"


def screened(instances, *candidates, settings=SETTINGS) -> list[Task | Rejection]:
    return list(Screen("small", DIGEST, instances, settings).screen(candidates))


def reasons(instances, *candidates, settings=SETTINGS) -> list[str]:
    found = screened(instances, *candidates, settings=settings)
    return [one.reason if isinstance(one, Rejection) else "kept" for one in found]


def test_a_kept_task_knows_its_cell_template_features_shape_and_database(small_instances):
    (task,) = screened(
        small_instances, candidate(GOOD, "Name and price of the 3 dearest toys, dearest first?")
    )
    assert isinstance(task, Task)
    assert (task.rows, task.columns, task.tables) == (3, 2, ("items",))
    assert task.features == ("limit", "order by")
    assert (task.archetype, task.difficulty, task.style) == ("aggregation", "easy", "casual")
    assert (task.database, task.database_digest, task.part) == ("small", DIGEST, None)
    assert len(task.template) == len(task.id) == 16


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("DELETE FROM items", "not_a_query"),
        ("SELECT 2; SELECT 3", "not_a_query"),
        ("SELECT COUNT(*), now() FROM items", "volatile"),
        ("SELECT AVG(t.price) FROM (SELECT price FROM items ORDER BY id LIMIT 3) t", "inner_limit"),
        ("SELECT colour FROM items", "does_not_run"),
        ("SELECT 1 / (i.id - i.id) FROM items i", "does_not_run"),
        ("SELECT COUNT(*) FROM items a, items b, items c, items d, items e", "does_not_run"),
        ("SELECT name FROM items WHERE price > 1000", "no_rows"),
        ("SELECT name FROM items", "too_many_rows"),
        ("SELECT COUNT(*) FROM items WHERE price < 1", "constant"),
        ("SELECT COUNT(*) FROM items WHERE price > 1000", "empty_like"),
        ("SELECT MAX(stock) FROM items WHERE stock IS NULL", "empty_like"),
        ("SELECT SUM(i.price) + 0.005 FROM items i", "rounding_edge"),
        ("SELECT i.name FROM items i ORDER BY i.price LIMIT 1", "tie_cut"),
        ("SELECT i.name, i.price FROM items i LIMIT 4", "tie_cut"),
        ("SELECT * FROM items i WHERE i.kind = 'toy' ORDER BY 1 LIMIT 3", "sort_keys"),
        (
            "SELECT i.name, i.price FROM items i WHERE i.kind = 'toy' ORDER BY i.price DESC LIMIT 20",
            "idle_limit",
        ),
        ("SELECT string_agg(i.name, ', ') FROM items i WHERE i.price > 20", "unstable"),
        ("SELECT i.kind, COUNT(*) FROM items i GROUP BY i.kind", "constant"),
        ("SELECT i.name, 10 / (i.id - 3) FROM items i WHERE i.price BETWEEN 9 AND 12", "fails_on_twin"),
        (GOOD, "kept"),
    ],
)
def test_what_cannot_be_graded_fairly_is_rejected_with_its_reason(small_instances, sql, reason):
    assert reasons(small_instances, candidate(sql)) == [reason]
    assert reason == "kept" or reason in REASONS


def test_what_is_kept_first_makes_the_next_a_duplicate(small_instances):
    one = candidate("SELECT MAX(price) FROM items", "What does the dearest item cost?")
    again = candidate("SELECT MAX(i.price) + 1 FROM items i", "what does the dearest item cost")
    same_sql = candidate("SELECT max( price ) FROM items", "Top price over everything that is sold here")
    assert reasons(small_instances, one, again, same_sql) == ["kept", "duplicate_question", "duplicate_sql"]


def test_a_rejected_candidate_makes_no_duplicate(small_instances):
    bad = candidate("SELECT MAX(cost) FROM items", "What does the dearest item cost?")
    good = candidate("SELECT MAX(price) FROM items", "What does the dearest item cost?")
    assert reasons(small_instances, bad, good) == ["does_not_run", "kept"]


def test_a_cell_and_a_template_have_room_for_so_many(small_instances):
    questions = ("dearest toy", "price of the top tool", "how much is the costliest book?")
    candidates = [
        candidate(f"SELECT MAX(price) FROM items WHERE kind = '{kind}' AND id > {number}", question)
        for number, (kind, question) in enumerate(zip(("toy", "tool", "book"), questions, strict=True))
    ]
    other_cell = [replace(one, style="terse") for one in candidates]
    tight = replace(SETTINGS, kept_per_cell=2)
    assert reasons(small_instances, *candidates, settings=tight) == ["kept", "kept", "cell_full"]
    tight = replace(SETTINGS, tasks_per_template=1)
    assert reasons(small_instances, candidates[0], other_cell[1], settings=tight) == ["kept", "template_full"]


def test_long_questions_are_rejected(small_instances):
    question = "word " * 41
    assert reasons(small_instances, candidate("SELECT MAX(price) FROM items", question)) == [
        "question_too_long"
    ]


def test_the_rejection_keeps_the_candidate_and_what_was_found(small_instances):
    bad = candidate("SELECT colour FROM items")
    (rejection,) = screened(small_instances, bad)
    assert isinstance(rejection, Rejection)
    assert rejection.candidate == bad
    assert 'column "colour" does not exist' in rejection.detail


def test_the_shuffled_copy_has_the_same_rows_in_another_order(small_instances):
    sql = "SELECT id, name, price, stock FROM items"
    main, shuffled = small_instances.ask("main", sql), small_instances.ask(SHUFFLED, sql)
    assert main != shuffled
    assert sorted(main) == sorted(shuffled)


def test_the_databases_cannot_be_written_to(small_instances):
    answer = candidate("WITH gone AS (DELETE FROM items RETURNING 1) SELECT COUNT(*) FROM gone")
    assert reasons(small_instances, answer) == ["not_a_query"]
    assert reasons(small_instances, candidate("SELECT nextval('x')")) == ["volatile"]
    assert small_instances.ask("main", "SELECT COUNT(*) FROM items") == [(60,)]
