import pytest

from sqlrl.authoring.catalog.job import author_from_catalog
from sqlrl.authoring.offline import AuthoringSettings
from sqlrl.errors import UserError
from sqlrl.records import from_dict, to_dict
from tests.authoring.catalogued import write_schema_dumps

SETTINGS = AuthoringSettings(teacher="offline", seed=1, candidates_per_cell=2, structures=9)


def test_the_summary_says_that_nobody_wrote_a_grammar(tmp_path):
    authored = author_from_catalog(write_schema_dumps(tmp_path, "trade")["main"], SETTINGS)
    summary = authored.summary
    assert (summary.teacher, summary.grammar) == ("offline", "catalog")
    assert "weaker" in (summary.note or "")
    assert len(summary.cells) == 120
    assert summary.candidates == len(authored.candidates) == sum(summary.cells.values())
    assert from_dict(type(summary), to_dict(summary), "here") == summary


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ("CREATE VIEW nothing AS SELECT 1 AS one;", "bare: the schema has no tables"),
        (
            "CREATE TABLE deals (id integer PRIMARY KEY, sum numeric);",
            "bare: none of its 1 tables has 5 rows",
        ),
        (
            "CREATE TABLE notes (body jsonb); INSERT INTO notes SELECT '{}' FROM generate_series(1, 9);",
            "bare: none of its 1 tables has 5 rows and a column that questions can be about",
        ),
    ],
)
def test_a_schema_that_gives_no_question_says_why(tmp_path, schema, message):
    dump = tmp_path / "bare" / "main.sql"
    dump.parent.mkdir()
    dump.write_text(schema)
    with pytest.raises(UserError, match=message):
        author_from_catalog(dump, SETTINGS)


def test_a_schema_without_foreign_keys_gives_questions_about_single_tables(tmp_path):
    dump = tmp_path / "single" / "main.sql"
    dump.parent.mkdir()
    dump.write_text(
        "CREATE TABLE deals (id integer PRIMARY KEY, kind text, amount numeric NOT NULL, made_on date NOT NULL);"
        "INSERT INTO deals SELECT n, CASE WHEN n % 5 > 0 THEN 'kind ' || n % 3 END, n * 7 % 31,"
        " DATE '2023-01-01' + n * 9"
        " FROM generate_series(1, 90) n;"
    )
    authored = author_from_catalog(dump, SETTINGS)
    archetypes = {one.archetype for one in authored.candidates}
    assert {"aggregation", "top-n", "group having", "null semantics", "date and time"} <= archetypes
    assert not {"two-table join", "multi-table join", "anti-join", "hierarchy"} & archetypes
