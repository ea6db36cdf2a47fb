"""The shop's grammar over its seeded data: every draft runs, reads well, and says what its SQL does."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from sqlrl.authoring.cells import ARCHETYPES, DIFFICULTIES, STYLES, Cell, all_cells
from sqlrl.authoring.draw import Draw, EmptyDrawError
from sqlrl.authoring.instances import Instances, open_instances
from sqlrl.authoring.offline import AuthoringSettings, OfflineTeacher, load_grammar
from sqlrl.authoring.screen import Rejection, Screen, ScreeningSettings
from sqlrl.authoring.select import SelectionSettings, select_tasks
from sqlrl.authoring.split import SplitSettings, split_tasks
from sqlrl.authoring.statement import Statement
from sqlrl.authoring.task import Task
from sqlrl.authoring.teacher import Candidate, Grammar
from sqlrl.database.seed import SeedSettings, seed_database
from sqlrl.database.server import embedded_server

SHOP = Path(__file__).parents[2] / "databases" / "shop"
SEEDS = {"main": 1, "twin-1": 2, "twin-2": 3}
SCREENING = ScreeningSettings(
    kept_per_cell=12,
    tasks_per_template=8,
    minimum_tasks=900,
    minimum_templates=250,
    maximum_template_share=0.03,
    maximum_rows=50,
    maximum_question_words=60,
    question_similarity=0.9,
    template_similarity=0.8,
    statement_timeout_seconds=5.0,
)
# What data can do to a good draft; every other reason is a fault of the grammar.
DATA_REASONS = {
    "no_rows",
    "too_many_rows",
    "empty_like",
    "rounding_edge",
    "tie_cut",
    "idle_limit",
    "constant",
}
DUPLICATES = {"near_duplicate_question", "near_duplicate_of_template", "cell_full", "template_full"}
SORTED = re.compile(r"(highest|lowest|latest|earliest|newest|oldest) first|order by")


@pytest.fixture(scope="module")
def instances(tmp_path_factory) -> Iterator[Instances]:
    folder = tmp_path_factory.mktemp("databases") / "shop"
    folder.mkdir()
    dumps = {}
    with embedded_server() as server:
        for instance, seed in SEEDS.items():
            text, _ = seed_database(
                server, SHOP / "schema.sql", SHOP / "generate.py", "shop", instance, SeedSettings(seed)
            )
            dumps[instance] = folder / f"{instance}.sql"
            dumps[instance].write_text(text, encoding="utf-8")
    with open_instances(dumps, timeout_seconds=5.0) as opened:
        yield opened


@pytest.fixture(scope="module")
def grammar(instances) -> Grammar:
    return load_grammar(sorted((SHOP / "grammar").glob("*.py")), lambda query: instances.ask("main", query))


def author(grammar: Grammar, candidates: int, seed: int) -> list[Candidate]:
    settings = AuthoringSettings("offline", seed, candidates, structures=40)
    return list(OfflineTeacher(grammar, settings).author(all_cells(), candidates))


@pytest.fixture(scope="module")
def candidates(grammar) -> list[Candidate]:
    """A few of every cell, of another seed than the configuration's."""
    return author(grammar, candidates=6, seed=7)


def test_every_cell_gets_candidates(candidates):
    assert Counter(candidate.cell for candidate in candidates) == dict.fromkeys(all_cells(), 6)


def test_only_the_data_reject_a_draft(instances, candidates):
    found = Screen("shop", "0" * 64, instances, SCREENING).screen(candidates)
    faults = [
        one for one in found if isinstance(one, Rejection) and one.reason not in DATA_REASONS | DUPLICATES
    ]
    assert not faults


@pytest.mark.parametrize(
    "fault",
    [
        r"[{}~]",
        r"\s\s",
        r"\s[,.?;:]",
        r"[,;:] ?[.?]",
        r"\.\.(?!\.)",
        r"\b(\w+) \1\b",
        r"\ba [aeio]\w",
        r"\ball all\b|\bthe the\b|of each of of",
        r"\bNone\b|\bTrue\b|\bFalse\b",
        r"\d\d\d\d-\d\d-\d\d 00",
    ],
)
def test_questions_have_no_marks_of_a_machine(candidates, fault):
    assert [one.question for one in candidates if re.search(fault, one.question)] == []


def test_all_but_the_terse_are_sentences(candidates):
    for one in candidates:
        if one.style != "terse":
            assert re.match(r"[A-Z].*[.?]$", one.question), one.question
            assert not re.search(r"[.?] [a-z]", one.question), one.question


def test_rows_are_sorted_where_and_only_where_the_question_asks_for_it(candidates):
    for one in candidates:
        is_sorted = bool(Statement.parse(one.reference_sql).past_limit())
        assert is_sorted == bool(SORTED.search(one.question)), one


def test_literals_of_the_sql_stand_in_the_question(candidates):
    ignored = {"0", "1", "2", "100", "100.0", "1.0", "0.5", "365", "month", "quarter", "year", "isodow"}
    for one in candidates:
        said = one.question.casefold()
        for literal in Statement.parse(one.reference_sql).literals - ignored:
            if not re.fullmatch(r"\d\d|20\d\d", literal):  # parts of dates, written out in the question
                assert literal in said or literal in ("3", "4"), one


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
def test_the_shop_has_enough_tasks_templates_and_a_telling_holdout(instances, grammar):
    found = list(
        Screen("shop", "0" * 64, instances, SCREENING).screen(author(grammar, candidates=24, seed=1))
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
