"""A model as teacher, and frozen tasks, in the workflow: planned, built, and stale for the right reasons."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.answering_server import KEY, AnsweringServer, answering
from tests.authoring.teaching import good_reply
from tests.workflow.conftest import Workspace, make_workspace

pytestmark = pytest.mark.slow

SCREENED = "results/tasks/shop/screening.json"
# 120 cells, forty a prompt, a question each.
REQUESTS = 3
TASKS = {"author_tasks", "screen_tasks"}


@pytest.fixture(scope="module")
def server() -> Iterator[AnsweringServer]:
    def answer(prompt: str) -> str:
        return good_reply(prompt).replace("max(price)", "sum(salary)").replace("items", "employees")

    with answering() as server:
        server.state.text = answer
        yield server


@pytest.fixture(scope="module")
def taught(tmp_path_factory, server: AnsweringServer) -> Workspace:
    """A workspace whose tasks a model at the server writes, screened."""
    workspace = make_workspace(tmp_path_factory.mktemp("taught"))

    def teach(config: dict) -> None:
        config["models"]["far"] = {
            "source": "openai",
            "id": "big",
            "base_url": server.address("openai"),
            "key_variable": "FAR_KEY",
        }
        config["authoring"] = {
            "teacher": "llm",
            "model": "far",
            "quota": 1,
            "batch": {"cells": 40, "questions": 1},
        }
        config["screening"] = {
            "tasks_per_template": 1000,
            "minimum_tasks": 100,
            "minimum_templates": 1,
            "maximum_template_share": 1.0,
            "question_similarity": 1.0,
            "template_similarity": 1.0,
        }

    workspace.configure(teach)
    build(workspace, SCREENED)
    return workspace


def build(workspace: Workspace, *targets: str) -> str:
    return workspace.snakemake(*targets, environment={"FAR_KEY": KEY}).stdout


def changed(workspace: Workspace, section: str, **values: object) -> set[str]:
    """The rules that are stale after a change, which is taken back."""
    before = (workspace.folder / "tests/config.yaml").read_text()
    workspace.configure(lambda config: _update(config, section, values))
    stale = set(workspace.stale(SCREENED))
    (workspace.folder / "tests/config.yaml").write_text(before)
    return stale


def _update(config: dict, section: str, values: dict) -> None:
    for name in section.split("."):
        config = config[name]
    config.update(values)


def test_all_cells_are_asked_for_once_and_no_file_has_the_key(taught, server):
    assert len(server.state.asked) == REQUESTS
    summary = json.loads((taught.folder / "results/tasks/shop/authoring.json").read_text())
    assert (summary["candidates"], summary["asked"]["requests"]) == (120, REQUESTS)
    assert json.loads((taught.folder / SCREENED).read_text())["kept"] == 120
    texts = [path.read_bytes() for path in taught.folder.glob("results/tasks/**/*") if path.is_file()]
    assert not any(KEY.encode() in text for text in texts)


def test_nothing_is_stale_after_it(taught):
    assert taught.stale(SCREENED) == {}


def test_speed_price_and_the_spending_limit_make_nothing_stale(taught):
    assert changed(taught, "authoring", spending_limit={"tokens": 5}) == set()
    assert changed(taught, "authoring", candidates_per_cell=3, structures=3) == set()
    faster = {
        "concurrency": 1,
        "retries": 0,
        "tokens_per_second": 9.0,
        "price": {"input": 1.0, "output": 2.0},
    }
    assert changed(taught, "models.far", **faster) == set()


def test_who_is_asked_and_what_makes_the_tasks_stale(taught):
    assert changed(taught, "models.far", id="small") == {"fetch_model", *TASKS}
    assert changed(taught, "authoring", may_see="samples") == TASKS
    assert changed(taught, "authoring", quota=2) == TASKS


def test_the_code_of_the_other_teachers_decides_nothing(taught):
    for name, expected in (("offline_job", set()), ("frozen", set()), ("llm", TASKS)):
        path = taught.folder / f"sqlrl/authoring/{name}.py"
        before = path.read_text()
        path.write_text(before + "\nCHANGED = True\n")
        assert set(taught.stale(SCREENED)) == expected
        path.write_text(before)


def test_a_changed_word_of_the_prompt_makes_them_stale(taught):
    path = taught.folder / "sqlrl/authoring/teacher_rules.md.j2"
    before = path.read_text()
    path.write_text(before + "\nBe kind.\n")
    assert set(taught.stale(SCREENED)) == TASKS
    path.write_text(before)


def test_a_rebuild_that_is_forced_uses_the_replies_that_were_paid_for(taught, server):
    asked, before = len(server.state.asked), taught.results("tasks/shop/authored.jsonl")
    build(taught, SCREENED, "--forcerun", "author_tasks")
    assert len(server.state.asked) == asked
    assert taught.results("tasks/shop/authored.jsonl") == before


@pytest.fixture
def frozen(copy: Workspace) -> Workspace:
    """The micro run's tasks, frozen."""
    copy.snakemake("freeze_tasks")
    copy.configure(lambda config: config["authoring"].update(teacher="frozen"))
    return copy


def test_frozen_tasks_come_out_as_they_went_in_and_nothing_after_them_changes(frozen):
    before = frozen.results("tasks/shop/tasks.jsonl")
    frozen.snakemake("results/tasks/shop/tasks.jsonl")
    assert frozen.results("tasks/shop/tasks.jsonl") == before
    frozen.configure(lambda config: config["authoring"].update(seed=9, candidates_per_cell=1, quota=3))
    assert frozen.stale("results/tasks/shop/tasks.jsonl") == {}


def test_an_edited_line_that_is_no_task_is_named(frozen):
    path = frozen.folder / "databases/shop/tasks.jsonl"
    lines = path.read_text().splitlines()
    lines[2] = lines[2].replace("SELECT", "SELECTED")
    path.write_text("\n".join(lines) + "\n")
    done = frozen.snakemake("results/tasks/shop/authored.jsonl", check=False)
    assert done.returncode != 0
    assert "databases/shop/tasks.jsonl:3: reference_sql is not one plain query" in done.stdout


def test_frozen_tasks_that_are_not_there_are_asked_for_in_one_message(taught, tmp_path: Path):
    before = (taught.folder / "tests/config.yaml").read_text()
    taught.configure(lambda config: config["authoring"].update(teacher="frozen"))
    done = taught.snakemake("-n", SCREENED, check=False)
    (taught.folder / "tests/config.yaml").write_text(before)
    assert done.returncode != 0
    assert "there is no databases/shop/tasks.jsonl. `snakemake freeze_tasks` writes it" in done.stdout
