"""Entries become tasks, or are kept with the reason why not; nothing is changed that nobody asked to change."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sqlrl.authoring.task import task_id
from sqlrl.errors import UserError
from sqlrl.importing.check import Checker, open_checker
from sqlrl.importing.entries import Entry
from sqlrl.importing.importer import Importer, ImportSettings, collect, require_known_cells
from sqlrl.importing.source import choose_source, find_dump, name_here

SETTINGS = ImportSettings("append", None, ())
ENTRY = Entry(
    "a.json[0]", "How many toys?", "SELECT COUNT(*) FROM items WHERE kind = 'toy'", "tool_shop", "a hint"
)
FILE = Path("a.json")


@pytest.fixture
def checker() -> Iterator[Checker]:
    with open_checker(None, 1.0, of_another_dialect=True) as checker:
        yield checker


def take(checker: Checker, *entries: Entry, settings: ImportSettings = SETTINGS):
    importer = Importer(checker, settings)
    return collect([importer.import_entry(one) for one in entries])


def test_evidence_stands_behind_the_question_or_is_dropped(checker):
    appended = take(checker, ENTRY).taken[0]
    assert appended.candidate.question == "How many toys? (a hint)"
    assert appended.id == task_id("How many toys? (a hint)")
    dropped = take(checker, ENTRY, settings=replace(SETTINGS, evidence="drop")).taken[0]
    assert dropped.candidate.question == "How many toys?"


def test_what_the_file_says_of_the_cell_counts_before_what_the_query_shows(checker):
    (known,) = require_known_cells([replace(ENTRY, difficulty="Challenging", archetype="top-n")])
    candidate = take(checker, known, settings=replace(SETTINGS, style="terse")).candidates[0]
    assert (candidate.archetype, candidate.difficulty, candidate.style) == ("top-n", "hard", "terse")
    plain = take(checker, ENTRY).candidates[0]
    assert (plain.archetype, plain.difficulty, plain.style) == ("aggregation", "easy", "casual")


@pytest.mark.parametrize("key", ["difficulty", "archetype", "style"])
def test_a_word_that_is_none_of_ours_is_named_with_its_place(key):
    with pytest.raises(UserError, match=rf"a\.json\[0\]: {key} is 'odd'; allowed: "):
        require_known_cells([replace(ENTRY, **{key: "odd"})])


def test_a_question_that_was_asked_is_refused_and_names_the_first(checker):
    again = replace(ENTRY, where="a.json[4]", question="how many TOYS")
    imported = take(checker, ENTRY, again)
    assert [(one.where, one.reason, one.detail) for one in imported.refused] == [
        ("a.json[4]", "duplicate_question", "asks what a.json[0] asks")
    ]
    assert imported.problems() == {"duplicate_question": (1, 0)}


def test_a_query_that_another_question_has_is_taken_and_told(checker):
    other = replace(ENTRY, where="a.json[1]", question="What is the number of toys?", sql=ENTRY.sql.lower())
    other = replace(other, sql=other.sql.replace("count", "COUNT"))
    assert [one.same_sql_as for one in take(checker, ENTRY, other).taken] == [None, "a.json[0]"]


def test_a_refused_entry_keeps_its_question_its_sql_and_all_its_problems(checker):
    bad = replace(ENTRY, sql="SELECT `name` FROM items LIMIT 1, 2")
    imported = take(checker, bad, ENTRY)
    (refused,) = imported.refused
    assert (refused.reason, refused.detail, refused.reference_sql) == ("backticks", "`name`", bad.sql)
    assert [problem.kind for problem in refused.problems] == ["backticks", "limit_comma"]
    assert imported.problems() == {"backticks": (1, 0), "limit_comma": (1, 0)}
    assert len(imported.taken) == 1


def test_a_refused_entry_does_not_make_a_later_one_a_duplicate(checker):
    imported = take(checker, replace(ENTRY, sql="SELEC 1"), replace(ENTRY, where="a.json[1]"))
    assert [one.where for one in imported.taken] == ["a.json[1]"]


def test_only_rewrites_that_were_asked_for_are_made(checker):
    bad = replace(ENTRY, sql="SELECT `name` FROM items LIMIT 1, 2")
    (taken,) = take(checker, bad, settings=replace(SETTINGS, rewrites=("backticks", "limit"))).taken
    assert (taken.candidate.reference_sql, taken.rewritten) == (
        'SELECT "name" FROM items LIMIT 2 OFFSET 1',
        True,
    )
    assert take(checker, bad, settings=replace(SETTINGS, rewrites=("limit",))).refused


def test_the_database_is_found_by_its_name_here_or_in_the_file():
    entries = [ENTRY, replace(ENTRY, database="other"), replace(ENTRY, database="other")]
    source = choose_source(entries, FILE, "tool-shop", None)
    assert (source.database, source.db_id, len(source.entries), source.others) == (
        "tool-shop", "tool_shop", 1, {"other": 2},
    )  # fmt: skip
    assert choose_source([ENTRY], FILE, None, None).database == "tool-shop"
    assert choose_source(entries, FILE, "shop", "other").db_id == "other"
    assert choose_source([replace(ENTRY, database=None)], FILE, "shop", None).db_id is None


@pytest.mark.parametrize(
    ("database", "db_id", "message"),
    [
        (
            None,
            None,
            r"a\.json is about 2 databases; choose one with --database NAME.* db_id: other, tool_shop",
        ),
        ("tool-shops", None, r"no db_id of a\.json is like it; .* Did you mean 'tool_shop'\?"),
        (
            None,
            "tool",
            r"--db-id is 'tool', which a\.json does not have\. db_id: other, tool_shop\. Did you mean",
        ),
        ("Shop", "other", r"--database is 'Shop'; a name has lower-case letters"),
    ],
)
def test_a_database_that_the_file_does_not_have_is_named(database, db_id, message):
    with pytest.raises(UserError, match=message):
        choose_source([ENTRY, replace(ENTRY, database="other")], FILE, database, db_id)


def test_a_file_that_names_no_database_needs_one():
    unnamed = [replace(ENTRY, database=None)]
    with pytest.raises(UserError, match=r"--database: a\.json names no database"):
        choose_source(unnamed, FILE, None, None)
    with pytest.raises(UserError, match=r"--db-id is 'x', but the entries of a\.json name no database"):
        choose_source(unnamed, FILE, "shop", "x")


@pytest.mark.parametrize(
    ("db_id", "name"), [("tool_shop", "tool-shop"), ("Tool Shop_", "tool-shop"), ("a.b", "a.b")]
)
def test_a_name_of_a_benchmark_becomes_a_name_of_ours(db_id, name):
    assert name_here(db_id) == name


def test_queries_are_run_on_main_else_on_the_schema_else_nowhere(tmp_path):
    sources, results = tmp_path / "databases", tmp_path / "results"
    with pytest.raises(UserError, match=r"small: no such folder; .* Databases here: none"):
        find_dump("small", results, sources)
    (sources / "small").mkdir(parents=True)
    assert find_dump("small", results, sources) == ("grammar", None)
    schema, main = sources / "small" / "schema.sql", results / "small" / "main.sql"
    schema.touch()
    assert find_dump("small", results, sources) == ("schema", schema)
    main.parent.mkdir(parents=True)
    main.touch()
    assert find_dump("small", results, sources) == ("main", main)
