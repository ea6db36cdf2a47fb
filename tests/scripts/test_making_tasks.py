"""The five scripts that make tasks, from the command line."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from scripts import author_tasks, probe_tasks, screen_tasks, select_tasks, split_tasks
from scripts.arguments import run_script
from sqlrl.authoring.cells import ARCHETYPES, DIFFICULTIES, STYLES
from sqlrl.authoring.screen import Rejection
from sqlrl.authoring.split import PARTS
from sqlrl.authoring.task import Task
from sqlrl.records import read_jsonl, write_jsonl
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
    words += ["--settings", json.dumps({**SCREENING, **changes}), "--output", str(into / "screened.jsonl")]
    words += ["--rejected", str(into / "rejected.jsonl"), "--summary", str(into / "screening.json")]
    return run_script(screen_tasks.main, screen_tasks.make_arguments(), words)


def probe(folder: Path, into: Path, witnesses: list[Path], **changes: object) -> int:
    words = ["--screened", str(into / "screened.jsonl"), "--settings", json.dumps({**SCREENING, **changes})]
    words += ["--databases", *map(str, (folder / "small").glob("*.sql")), "--witnesses", *map(str, witnesses)]
    words += ["--output", str(into / "tasks.jsonl"), "--exposed", str(into / "exposed.jsonl")]
    words += ["--summary", str(into / "exposure.json")]
    return run_script(probe_tasks.main, probe_tasks.make_arguments(), words)


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
    assert probe(folder, folder / "screened", []) == 0
    assert split(folder / "screened/tasks.jsonl", folder / "screened") == 0
    return folder / "screened"


def test_the_same_settings_give_the_same_bytes(folder, authored, screened, tmp_path):
    assert author(folder, tmp_path / "authored.jsonl") == 0
    assert (tmp_path / "authored.jsonl").read_bytes() == authored.read_bytes()
    assert screen(folder, tmp_path / "authored.jsonl", tmp_path) == 0
    assert probe(folder, tmp_path, []) == 0
    names = (
        "screened.jsonl",
        "rejected.jsonl",
        "screening.json",
        "tasks.jsonl",
        "exposed.jsonl",
        "exposure.json",
    )
    for name in names:
        assert (tmp_path / name).read_bytes() == (screened / name).read_bytes()


def test_every_candidate_is_a_task_or_a_rejection(authored, screened):
    tasks, rejections = (
        read_jsonl(screened / "screened.jsonl", Task),
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


def write_witness(folder: Path, into: Path, dearest: int) -> Path:
    """The small database with another dearest item: it shows whether a query leaves that one out."""
    path = into / "small" / "witness-1.sql"
    path.parent.mkdir()
    change = f"UPDATE items SET price = 200 WHERE id = {dearest};\n"
    path.write_text((folder / "small/main.sql").read_text() + change)
    return path


def test_every_screened_task_is_kept_or_exposed(folder, screened, tmp_path):
    exposed = read_jsonl(screened / "screened.jsonl", Task)
    # A task that any data protect in every cell, so that none is emptied.
    protected = [
        replace(one, id=one.id[::-1], reference_sql="SELECT max(price) FROM items") for one in exposed
    ]
    write_jsonl(tmp_path / "screened.jsonl", [*exposed, *protected])
    assert probe(folder, tmp_path, [write_witness(folder, tmp_path, dearest=57)]) == 0
    tasks = read_jsonl(tmp_path / "tasks.jsonl", Task)
    exposed = read_jsonl(tmp_path / "exposed.jsonl", Rejection)
    summary = json.loads((tmp_path / "exposure.json").read_text())
    assert (len(tasks) + len(exposed), len(tasks)) == (summary["screened"], summary["kept"])
    assert {one.reason for one in exposed} == {"exposed"}
    assert summary["mutants"]["all"]["accepted_on_twins"] >= len(exposed) > 0
    assert set(summary["databases"]) == {"main", "twin-1", "twin-2", "witness-1"}
    # Twins alone know nothing of what they do not show.
    assert (screened / "exposed.jsonl").read_text() == ""


def test_a_cell_that_probing_empties_is_named(folder, screened, tmp_path, capsys):
    (tmp_path / "screened.jsonl").write_bytes((screened / "screened.jsonl").read_bytes())
    assert probe(folder, tmp_path, [write_witness(folder, tmp_path, dearest=57)]) == 2
    assert (
        "have no task, the first is 'two-table join, hard, casual' (rejected: {'exposed'"
        in capsys.readouterr().err
    )
    assert not (tmp_path / "tasks.jsonl").exists()


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
