"""The cell of a task, read off its SQL and its question."""

import pytest

from sqlrl.authoring.cells import ARCHETYPES, DIFFICULTIES, STYLES
from sqlrl.authoring.statement import Statement
from sqlrl.importing.classify import archetype_of, difficulty_of, style_of

QUERIES = {
    "SELECT COUNT(*) FROM a": ("aggregation", "easy"),
    "SELECT x FROM a WHERE y = 1 AND z = 2 AND w > 3": ("aggregation", "medium"),
    "SELECT x FROM a ORDER BY y DESC LIMIT 1": ("top-n", "easy"),
    "SELECT x, RANK() OVER (ORDER BY y) FROM a": ("top-n", "medium"),
    "SELECT a.x FROM a JOIN b ON a.id = b.id": ("two-table join", "easy"),
    "SELECT a.x FROM a, b, c WHERE a.id = b.id AND b.id = c.id": ("multi-table join", "medium"),
    "SELECT x FROM a GROUP BY x HAVING COUNT(*) > 3": ("group having", "medium"),
    "SELECT x FROM a WHERE y IS NULL": ("null semantics", "easy"),
    "SELECT c.x FROM a c JOIN a p ON p.id = c.parent": ("hierarchy", "easy"),
    "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT n FROM r": ("hierarchy", "hard"),
    "SELECT EXTRACT(YEAR FROM d), COUNT(*) FROM a GROUP BY 1": ("date and time", "medium"),
    "SELECT x FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.id = a.id)": ("anti-join", "medium"),
    "SELECT x FROM a WHERE id NOT IN (SELECT id FROM b)": ("anti-join", "medium"),
    "SELECT a.x FROM a LEFT JOIN b ON a.id = b.id WHERE b.id IS NULL": ("anti-join", "easy"),
    "SELECT x FROM a EXCEPT SELECT x FROM b": ("anti-join", "medium"),
    "SELECT SUM(x * y) FROM a": ("derived metric", "easy"),
    "SELECT AVG(t.n) FROM (SELECT x, COUNT(*) AS n FROM a GROUP BY x) t JOIN b ON b.x = t.x WHERE b.y > 1 AND b.z > 2":
        ("two-table join", "hard"),
}  # fmt: skip


@pytest.mark.parametrize(("sql", "cell"), QUERIES.items(), ids=QUERIES.keys())
def test_a_query_has_the_archetype_and_difficulty_of_its_parts(sql, cell):
    statement = Statement.parse(sql)
    assert (archetype_of(statement), difficulty_of(statement)) == cell


def test_every_archetype_and_difficulty_can_be_found():
    assert {archetype for archetype, _ in QUERIES.values()} == set(ARCHETYPES)
    assert {difficulty for _, difficulty in QUERIES.values()} == set(DIFFICULTIES)


@pytest.mark.parametrize(
    ("question", "style"),
    [
        ("Which customers have never ordered anything?", "casual"),
        ("Please list all customers of Spain.", "formal"),
        ("count orders no rep", "terse"),
        ("How many rows of orders have no sales_rep_id?", "analyst"),
        ("How many?", "casual"),
    ],
)
def test_a_question_has_the_style_of_its_words(question, style):
    assert style_of(question) == style
    assert style in STYLES
