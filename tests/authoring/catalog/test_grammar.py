"""The grammars that catalogs give: every draft runs, reads well, and says what its SQL does."""

import re
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from sqlrl.authoring.catalog.grammar import open_catalog_grammar
from sqlrl.authoring.catalog.names import column_words
from sqlrl.authoring.catalog.structure import read_structure
from sqlrl.authoring.cells import ARCHETYPES, DIFFICULTIES, STYLES, Cell, all_cells
from sqlrl.authoring.draw import Draw, EmptyDrawError
from sqlrl.authoring.screen import Rejection, Screen
from sqlrl.authoring.statement import Statement
from sqlrl.authoring.task import Task, normalise_question
from sqlrl.authoring.teacher import Candidate
from sqlrl.database.connect import connect
from sqlrl.database.server import embedded_server
from sqlrl.errors import UserError
from tests.authoring.catalogued import write_schema_dumps
from tests.authoring.drafts import (
    DATA_REASONS,
    DUPLICATES,
    MARKS_OF_A_MACHINE,
    SCREENING,
    assert_literals_said,
    assert_sentences,
    assert_sorted_where_asked,
    author,
)

ROOT = Path(__file__).parents[3]
SCREENED = replace(
    SCREENING, minimum_tasks=1, minimum_templates=1, maximum_template_share=1.0, every_cell=False
)
PARDONED = {*DATA_REASONS, *DUPLICATES, "question_too_long"}
DOUBLED = r"\bthe (\w+(?: \w+)?)(?:,| and) the \1\b"
LEAST_SHARE_KEPT = 0.6
# What a question may say for each aggregate; two sides of a window say it in other words.
AGGREGATES = {
    "avg": r"average|avg|mean",
    "sum": r"total|sum|running|share|percent|%|overall|split",
    "min": r"lowest|min|earliest|first|shortest",
    "max": r"highest|max|latest|last|longest|most|number of|count",
}


@pytest.fixture(scope="module")
def candidates(grammar) -> list[Candidate]:
    """A few of every cell, of another seed than the configuration's."""
    return author(grammar, candidates=5, seed=7)


@pytest.fixture(scope="module")
def screened(schema, instances, candidates) -> list[Task | Rejection]:
    return list(Screen(schema, "0" * 64, instances, SCREENED).screen(candidates))


def test_every_archetype_is_asked_about(candidates):
    assert {one.archetype for one in candidates} == set(ARCHETYPES)
    assert len(candidates) >= 0.9 * 5 * len(all_cells())


def test_only_the_data_reject_a_draft(screened):
    faults = [one for one in screened if isinstance(one, Rejection) and one.reason not in PARDONED]
    assert not faults


def test_a_good_share_is_kept_and_over_half_of_the_cells(schema, screened):
    kept = [one for one in screened if isinstance(one, Task)]
    assert len(kept) >= LEAST_SHARE_KEPT * len(screened)
    cells = {(one.archetype, one.difficulty, one.style) for one in kept}
    assert len(cells) >= 100


def test_a_question_has_one_sql(candidates):
    asked = Counter(normalise_question(one.question) for one in candidates)
    assert set(asked.values()) == {1}
    assert len({one.reference_sql for one in candidates}) == len(candidates)


def test_over_many_seeds_the_same_question_never_means_two_queries(grammar):
    meant: dict[str, str] = {}
    for seed in range(20, 23):
        for one in author(grammar, candidates=4, seed=seed):
            asked = normalise_question(one.question)
            assert meant.setdefault(asked, one.reference_sql) == one.reference_sql, asked


@pytest.mark.parametrize("fault", [*MARKS_OF_A_MACHINE, DOUBLED])
def test_questions_have_no_marks_of_a_machine(candidates, fault):
    assert [one.question for one in candidates if re.search(fault, one.question)] == []


def test_all_but_the_terse_are_sentences(candidates):
    assert_sentences(candidates, start=r'[A-Z"(]')


def test_rows_are_sorted_where_and_only_where_the_question_asks_for_it(candidates):
    assert_sorted_where_asked(candidates)


def test_literals_of_the_sql_stand_in_the_question(candidates):
    assert_literals_said(candidates, ignored=set())


def test_values_stand_in_the_question_as_they_are_stored(candidates):
    for one in candidates:
        for value in re.findall(r"(?:=|<>) '([^']+)'", one.reference_sql):
            if not re.match(r"\d{4}-\d\d-\d\d", value):
                assert value in one.question, one


def test_the_words_of_a_question_name_the_columns_of_its_conditions(schema, ask_of, candidates):
    words: dict[str, set[str]] = {}
    for relation in read_structure(ask_of(schema)).relations.values():
        for field in relation.fields:
            said = words.setdefault(field.name, set())
            said |= {field.name.casefold(), column_words(field.name, field.comment).removeprefix("is ")}
    for one in candidates:
        question = one.question.casefold()
        # Who is at the top of a tree is named by value alone.
        for name in compared_columns(one.reference_sql) if "RECURSIVE" not in one.reference_sql else ():
            stem = {word.split()[0] if " " in word else word for word in words.get(name, set())}
            assert not stem or any(each in question for each in stem), (name, one)


def test_the_words_of_a_question_name_its_aggregates(candidates):
    for one in candidates:
        for function in Statement.parse(one.reference_sql).functions:
            if function in AGGREGATES:
                assert re.search(AGGREGATES[function], one.question.casefold()), (function, one)
        if "COUNT(DISTINCT" in one.reference_sql:
            assert re.search(r"different|distinct|every", one.question.casefold()), one


def test_what_is_missing_is_said(candidates):
    for one in candidates:
        if re.search(r"\bIS NULL\b", one.reference_sql) and "RECURSIVE" not in one.reference_sql:
            assert re.search(r"missing|\bno\b|null|without", one.question.casefold()), one


def test_sql_is_one_line_without_a_semicolon_and_fits_the_reply(candidates):
    for one in candidates:
        assert not re.search(r"[;\n]|\s\s", one.reference_sql)
        assert len(one.reference_sql) <= {"easy": 240, "medium": 270, "hard": 1000}[one.difficulty], one


@pytest.mark.parametrize("archetype", ARCHETYPES)
def test_the_structure_seed_alone_decides_the_template(grammar, archetype):
    for difficulty in DIFFICULTIES:
        for shape in range(12):
            templates = set()
            for detail, style in enumerate(STYLES * 2):
                draw = Draw(f"shape {shape}", f"words {detail}")
                with suppress(EmptyDrawError):
                    draft = grammar.write(Cell(archetype, difficulty, style), draw)
                    templates.update([Statement.parse(draft.sql()).template] if draft else [])
            assert len(templates) <= 1


def test_nothing_is_asked_about_empty_tables_and_unusual_columns(ask_of):
    asked = author(open_catalog_grammar(ask_of("campus"), "campus"), candidates=4, seed=3)
    text = " ".join(f"{one.question} {one.reference_sql}" for one in asked)
    for word in ("empty_one", "tags", "floors", "settings", "photo", "passed_enrolment", "reading_2023"):
        assert word not in text


def test_keys_of_several_columns_are_joined_whole(ask_of):
    asked = author(open_catalog_grammar(ask_of("campus"), "campus"), candidates=6, seed=3)
    joined = [one.reference_sql for one in asked if "FROM enrolment e JOIN section" in one.reference_sql]
    assert len(joined) > 20
    whole = re.compile(
        r"section (\w+) ON e\.course_code = \1\.course_code AND e\.section_no = \1\.section_no"
    )
    assert [sql for sql in joined if not whole.search(sql)] == []


def test_other_hash_seeds_give_the_same_bytes(tmp_path):
    dump = write_schema_dumps(tmp_path, "campus")["main"]
    written = []
    for seed in ("1", "2"):
        output = tmp_path / f"{seed}.jsonl"
        settings = '{"teacher": "offline", "seed": 1, "candidates_per_cell": 2, "structures": 9}'
        command = [sys.executable, "-m", "scripts.author_tasks", "--database", str(dump), "--kind", "catalog"]
        command += ["--settings", settings, "--output", str(output)]
        environment = {"PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
        subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
        written.append(output.read_bytes())
    assert written[0] == written[1]
    assert len(written[0].splitlines()) > 200


def compared_columns(sql: str) -> set[str]:
    """Names of the columns that the SQL compares with a literal."""
    found = set()
    for node in Statement.parse(sql).nodes:
        if node.DESCRIPTOR.name == "A_Expr" and node.lexpr.WhichOneof("node") == "column_ref":
            right = node.rexpr.WhichOneof("node")
            if right in ("a_const", "list"):
                found.add(node.lexpr.column_ref.fields[-1].string.sval)
    return found


@pytest.mark.slow
def test_five_hundred_tables_are_read_in_a_minute_of_work():
    tables = 500
    with embedded_server() as server, connect(server.create_database("wide")) as connection:
        for number in range(tables):
            parents = sorted({number // 2, number // 3} - {number})
            columns = "".join(f", table_{one}_id integer REFERENCES table_{one} (id)" for one in parents)
            values = "".join(", 1 + n % 30" for _ in parents)
            connection.execute(
                (
                    f"CREATE TABLE table_{number} (id integer PRIMARY KEY, kind text NOT NULL, amount numeric NOT NULL,"
                    f" made_on date NOT NULL{columns}); INSERT INTO table_{number} SELECT n, 'kind ' || n % 4,"
                    f" n * 7 % 97, DATE '2023-01-01' + n * 11{values} FROM generate_series(1, 60) n"
                ).encode()
            )
        start = time.process_time()
        grammar = open_catalog_grammar(lambda query: connection.execute(query.encode()).fetchall(), "wide")
        asked = author(grammar, candidates=6, seed=1)
        assert time.process_time() - start < 60
    tables_asked_about = {table for one in asked for table in Statement.parse(one.reference_sql).tables}
    assert len(tables_asked_about) > 150


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([], "campus: the schema has no tables"),
        ([(1, "deals", "public", "deals", "", None)], "campus: none of its 1 tables has 5 rows and a column"),
    ],
)
def test_a_schema_that_nothing_can_be_asked_about_says_why(answer, message):
    answers = iter([answer, [], [], [], []])
    with pytest.raises(UserError, match=message):
        open_catalog_grammar(lambda query: next(answers), "campus")
