"""The grammars of the built-in schemas over seeded data: every draft runs, reads well, and says what its SQL does."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from sqlrl.authoring.cells import ARCHETYPES, DIFFICULTIES, STYLES, Cell, all_cells
from sqlrl.authoring.draw import Draw, EmptyDrawError
from sqlrl.authoring.instances import Instances, open_instances
from sqlrl.authoring.offline import load_grammar
from sqlrl.authoring.screen import Rejection, Screen
from sqlrl.authoring.select import SelectionSettings, select_tasks
from sqlrl.authoring.split import SplitSettings, split_tasks
from sqlrl.authoring.statement import Statement
from sqlrl.authoring.task import Task
from sqlrl.authoring.teacher import Candidate, Grammar
from sqlrl.database.dice import SeedSettings
from sqlrl.database.seed import seed_database
from sqlrl.database.server import embedded_server
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

DATABASES = Path(__file__).parents[2] / "databases"
SCHEMAS = ("shop", "clinic")
SEEDS = {"main": 1, "twin-1": 2, "twin-2": 3}
# Literals of formulas that the notes define: a question names the formula.
NOTED = {"shop": set(), "clinic": {"completed", "no_show"}}


@pytest.fixture(scope="module", params=SCHEMAS)
def schema(request) -> str:
    return request.param


@pytest.fixture(scope="module")
def instances(schema, tmp_path_factory) -> Iterator[Instances]:
    folder = tmp_path_factory.mktemp("databases") / schema
    folder.mkdir()
    source = DATABASES / schema
    dumps = {}
    with embedded_server() as server:
        for instance, seed in SEEDS.items():
            text, _ = seed_database(
                server, source / "schema.sql", source / "generate.py", schema, instance, SeedSettings(seed)
            )
            dumps[instance] = folder / f"{instance}.sql"
            dumps[instance].write_text(text, encoding="utf-8")
    with open_instances(dumps, timeout_seconds=5.0) as opened:
        yield opened


@pytest.fixture(scope="module")
def grammar(schema, instances) -> Grammar:
    files = sorted((DATABASES / schema / "grammar").glob("*.py"))
    return load_grammar(files, lambda query: instances.ask("main", query))


@pytest.fixture(scope="module")
def candidates(grammar) -> list[Candidate]:
    """A few of every cell, of another seed than the configuration's."""
    return author(grammar, candidates=6, seed=7)


def test_every_cell_gets_candidates(candidates):
    assert Counter(candidate.cell for candidate in candidates) == dict.fromkeys(all_cells(), 6)


def test_only_the_data_reject_a_draft(schema, instances, candidates):
    found = Screen(schema, "0" * 64, instances, SCREENING).screen(candidates)
    faults = [
        one for one in found if isinstance(one, Rejection) and one.reason not in DATA_REASONS | DUPLICATES
    ]
    assert not faults


@pytest.mark.parametrize("fault", MARKS_OF_A_MACHINE)
def test_questions_have_no_marks_of_a_machine(candidates, fault):
    assert [one.question for one in candidates if re.search(fault, one.question)] == []


def test_all_but_the_terse_are_sentences(candidates):
    assert_sentences(candidates, start="[A-Z]")


def test_rows_are_sorted_where_and_only_where_the_question_asks_for_it(candidates):
    assert_sorted_where_asked(candidates)


def test_literals_of_the_sql_stand_in_the_question(schema, candidates):
    assert_literals_said(candidates, ignored={"365"} | NOTED[schema])


def test_sql_is_one_line_without_a_semicolon_and_fits_the_reply(candidates):
    for one in candidates:
        assert not re.search(r"[;\n]|\s\s", one.reference_sql)
        assert len(one.reference_sql) <= {"easy": 240, "medium": 270, "hard": 1000}[one.difficulty], one
        assert len(one.question.split()) <= 60


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


@pytest.mark.slow
def test_each_schema_has_enough_tasks_templates_and_a_telling_holdout(schema, instances, grammar):
    found = list(
        Screen(schema, "0" * 64, instances, SCREENING).screen(author(grammar, candidates=24, seed=1))
    )
    tasks = [one for one in found if isinstance(one, Task)]
    templates = Counter(one.template for one in tasks)
    assert len(tasks) >= 1200
    assert len(templates) >= 400
    assert max(templates.values()) <= 0.03 * len(tasks)
    assert min(Counter((one.archetype, one.difficulty, one.style) for one in tasks).values()) >= 5
    parts = split_tasks(tasks, SplitSettings(dev=0.1, holdout=0.19), "tasks")
    assert len({one.template for one in parts["holdout"]}) >= 60
    laptop = SelectionSettings(ARCHETYPES, ("easy", "medium"), STYLES, None)
    chosen = select_tasks({part: [tasks] for part, tasks in parts.items()}, laptop)
    seen = Counter(one.template_in_training for one in chosen["holdout"])
    assert len(chosen["holdout"]) >= 100
    assert min(seen[True], seen[False]) >= 40
