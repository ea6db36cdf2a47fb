"""Benchmark files imported from the command line, into what teacher frozen takes."""

import json
from pathlib import Path

import pytest

from scripts.arguments import run_script
from scripts.import_tasks import main, make_arguments
from sqlrl.authoring.authored import FrozenFrom
from sqlrl.authoring.frozen import author_frozen
from sqlrl.authoring.task import task_id
from sqlrl.files import digest_file
from sqlrl.records import read_json
from tests.authoring.small import SCHEMA, write_dumps

BIRD = [
    {
        "db_id": "small", "question": "How dear is the dearest toy?", "evidence": "dear refers to price",
        "SQL": "SELECT MAX(price) FROM items WHERE kind = 'toy'", "difficulty": "simple",
    },
    {"db_id": "small", "question": "How many toys?", "SQL": 'SELECT COUNT(*) FROM items WHERE kind = "toy"'},
    {"db_id": "small", "question": "Which items come first?", "SQL": "SELECT `name` FROM items LIMIT 0, 3"},
    {"db_id": "elsewhere", "question": "How many?", "SQL": "SELECT 1"},
]  # fmt: skip


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    write_dumps(folder)
    return folder


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "databases" / "small").mkdir(parents=True)
    return tmp_path / "databases" / "small"


def run(folder: Path, results: Path, entries: object, *words: str, form: str = "bird") -> int:
    file = folder.parents[1] / "dev.json"
    file.write_text(json.dumps(entries))
    given = [
        "--format",
        form,
        "--input",
        str(file),
        "--databases",
        str(folder.parent),
        "--results",
        str(results),
    ]
    return run_script(main, make_arguments(), [*given, *words])


def test_tasks_problems_and_origin_are_written_and_teacher_frozen_takes_them(folder, results, capsys):
    assert run(folder, results, BIRD, "--db-id", "small") == 0
    authored = author_frozen(
        results / "small" / "main.sql", [folder / "tasks.jsonl", folder / "tasks.origin.json"], 2
    )
    (candidate,) = authored.candidates
    assert candidate.question == "How dear is the dearest toy? (dear refers to price)"
    assert (candidate.archetype, candidate.difficulty) == ("aggregation", "easy")
    origin = read_json(folder / "tasks.origin.json", FrozenFrom)
    assert (origin.digest, origin.authoring.teacher) == (digest_file(folder / "tasks.jsonl"), "import bird")
    report = json.loads((folder / "tasks.import.json").read_text())
    assert (report["entries"], report["taken"], report["refused"], report["checked_on"]) == (3, 1, 2, "main")
    assert report["other_databases"] == {"elsewhere": 1}
    assert {kind: one["refused"] for kind, one in report["problems"].items()} == {
        "backticks": 1, "double_quoted_string": 1, "limit_comma": 1,
    }  # fmt: skip
    refused = report["refused_entries"][0]
    assert (refused["reason"], refused["id"]) == ("double_quoted_string", task_id("How many toys?"))
    assert refused["detail"] == 'column "toy" does not exist'
    printed = " ".join(capsys.readouterr().out.split())
    assert "3 questions of small, 1 taken, 2 refused. Queries were run on main." in printed
    assert "double_quoted_string" in printed


def test_a_rewrite_that_was_asked_for_is_noted(folder, results):
    assert run(folder, results, BIRD, "--db-id", "small", "--rewrite", "backticks", "limit") == 0
    lines = [json.loads(line) for line in (folder / "tasks.jsonl").read_text().splitlines()]
    assert lines[1]["reference_sql"] == 'SELECT "name" FROM items LIMIT 3 OFFSET 0'
    report = json.loads((folder / "tasks.import.json").read_text())
    assert [(one["where"].rsplit("/", 1)[-1], one["rewritten"]) for one in report["noted_entries"]] == [
        ("dev.json[2]", True)
    ]


def test_before_main_is_built_queries_run_on_the_schema(folder, tmp_path, capsys):
    (folder / "schema.sql").write_text(SCHEMA)
    entries = [{"db_id": "small", "question": "How many?", "query": "SELECT COUNT(*) FROM items"}]
    entries.append({"db_id": "small", "question": "How dear?", "query": "SELECT cost FROM items"})
    assert run(folder, tmp_path / "nothing", entries, form="spider") == 0
    report = json.loads((folder / "tasks.import.json").read_text())
    assert (report["taken"], report["checked_on"]) == (1, "schema")
    assert report["refused_entries"][0]["reason"] == "unknown_column"


def test_other_tasks_are_not_overwritten(folder, results, capsys):
    (folder / "tasks.jsonl").write_text("{}\n")
    assert run(folder, results, BIRD[:1]) == 2
    assert "tasks.jsonl is there already, with other tasks" in capsys.readouterr().err
    assert (folder / "tasks.jsonl").read_text() == "{}\n"
    assert not (folder / "tasks.import.json").exists()


def test_where_nothing_can_be_a_task_the_report_says_why(folder, results, capsys):
    assert run(folder, results, BIRD[1:2]) == 2
    assert "none of 1 questions can be a task" in capsys.readouterr().err
    assert json.loads((folder / "tasks.import.json").read_text())["refused"] == 1
    assert not (folder / "tasks.jsonl").exists()


def test_bad_input_is_one_message(folder, results, capsys):
    assert run(folder, results, [{"db_id": "small", "question": "How many?"}]) == 2
    error = capsys.readouterr().err
    assert "dev.json[0]: SQL is missing" in error
    assert len(error.splitlines()) == 1
