"""The four scripts that make tasks, from the command line."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from scripts import author_tasks, screen_tasks, select_tasks, split_tasks
from scripts.arguments import run_script
from sqlrl.authoring.cells import ARCHETYPES, DIFFICULTIES, STYLES
from sqlrl.authoring.screen import Rejection
from sqlrl.authoring.split import PARTS
from sqlrl.authoring.task import Task
from sqlrl.records import read_jsonl
from tests.authoring.small import SETTINGS, write_dumps, write_grammar

AUTHORING = {"teacher": "offline", "seed": 1, "candidates_per_cell": 3, "structures": 5}
# The small grammar has three templates, its questions differ in numbers only.
SCREENING = {
    **asdict(SETTINGS),
    "tasks_per_template": 1000,
    "template_similarity": 1.0,
    "question_similarity": 1.0,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("tasks")
    write_dumps(folder)
    write_grammar(folder / "grammar")
    return folder


def author(folder: Path, output: Path, **changes: object) -> int:
    words = [
        "--database",
        str(folder / "small/main.sql"),
        "--grammar",
        *map(str, (folder / "grammar").glob("*.py")),
    ]
    words += ["--settings", json.dumps({**AUTHORING, **changes}), "--output", str(output)]
    return run_script(author_tasks.main, author_tasks.make_arguments(), words)


def screen(folder: Path, authored: Path, into: Path, **changes: object) -> int:
    words = ["--authored", str(authored), "--databases", *map(str, (folder / "small").glob("*.sql"))]
    words += ["--settings", json.dumps({**SCREENING, **changes}), "--output", str(into / "tasks.jsonl")]
    words += ["--rejected", str(into / "rejected.jsonl"), "--summary", str(into / "screening.json")]
    return run_script(screen_tasks.main, screen_tasks.make_arguments(), words)


def split(tasks: Path, into: Path) -> int:
    words = ["--tasks", str(tasks), "--settings", '{"dev": 0.1, "holdout": 0.19}']
    words += [word for part in PARTS for word in (f"--{part}", str(into / f"{part}.jsonl"))]
    return run_script(split_tasks.main, split_tasks.make_arguments(), words)


def select(source: Path, into: Path, **changes: object) -> int:
    settings = {"archetypes": ARCHETYPES, "difficulties": DIFFICULTIES, "styles": STYLES, "limit": None}
    words = ["--settings", json.dumps({**settings, **changes})]
    for part in PARTS:
        words += [f"--{part}", str(source / f"{part}.jsonl"), f"--output-{part}", str(into / f"{part}.jsonl")]
    return run_script(select_tasks.main, select_tasks.make_arguments(), words)


@pytest.fixture(scope="module")
def authored(folder) -> Path:
    assert author(folder, folder / "authored.jsonl") == 0
    return folder / "authored.jsonl"


@pytest.fixture(scope="module")
def screened(folder, authored) -> Path:
    assert screen(folder, authored, folder / "screened") == 0
    assert split(folder / "screened/tasks.jsonl", folder / "screened") == 0
    return folder / "screened"


def test_the_same_settings_give_the_same_bytes(folder, authored, screened, tmp_path):
    assert author(folder, tmp_path / "authored.jsonl") == 0
    assert (tmp_path / "authored.jsonl").read_bytes() == authored.read_bytes()
    assert screen(folder, tmp_path / "authored.jsonl", tmp_path) == 0
    for name in ("tasks.jsonl", "rejected.jsonl", "screening.json"):
        assert (tmp_path / name).read_bytes() == (screened / name).read_bytes()


def test_every_candidate_is_a_task_or_a_rejection(authored, screened):
    tasks, rejections = (
        read_jsonl(screened / "tasks.jsonl", Task),
        read_jsonl(screened / "rejected.jsonl", Rejection),
    )
    summary = json.loads((screened / "screening.json").read_text())
    assert (
        len(tasks) + len(rejections) == len(authored.read_text().splitlines()) == summary["candidates"] == 360
    )
    assert len(tasks) == summary["kept"] >= 120
    assert set(summary["databases"]) == {"main", "twin-1", "twin-2"}
    assert {task.database for task in tasks} == {"small"}
    assert {task.database_digest for task in tasks} == {summary["databases"]["main"]}


def test_the_parts_are_all_tasks_once(screened):
    whole = [task.id for task in read_jsonl(screened / "tasks.jsonl", Task)]
    parts = [task.id for part in PARTS for task in read_jsonl(screened / f"{part}.jsonl", Task)]
    assert sorted(parts) == sorted(whole)


def test_a_run_gets_its_cells_and_knows_which_templates_it_trains_on(screened, tmp_path):
    assert select(screened, tmp_path, difficulties=["easy"], limit={"train": 7}) == 0
    train = read_jsonl(tmp_path / "train.jsonl", Task)
    assert len(train) == 7
    assert {task.difficulty for task in train} == {"easy"}
    assert all(task.template_in_training is not None for task in read_jsonl(tmp_path / "holdout.jsonl", Task))


def test_too_few_tasks_leave_one_message_and_no_file(folder, authored, tmp_path, capsys):
    assert screen(folder, authored, tmp_path, minimum_tasks=1000) == 2
    error = capsys.readouterr().err
    assert "fewer than minimum_tasks = 1000" in error
    assert "Traceback" not in error
    assert list(tmp_path.iterdir()) == []


def test_a_task_file_edited_into_nonsense_is_named_with_its_line(screened, tmp_path, capsys):
    lines = (screened / "tasks.jsonl").read_text().splitlines()
    (tmp_path / "tasks.jsonl").write_text(
        "\n".join([lines[0], lines[1].replace('"rows": 1', '"rows": "one"')])
    )
    assert split(tmp_path / "tasks.jsonl", tmp_path) == 2
    assert f"{tmp_path}/tasks.jsonl:2: rows is 'one'; expected int" in capsys.readouterr().err
    assert not (tmp_path / "train.jsonl").exists()


def test_an_unknown_archetype_is_one_message(screened, tmp_path, capsys):
    assert select(screened, tmp_path, archetypes=["joins"]) == 2
    assert "tasks.select.archetypes has 'joins'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
