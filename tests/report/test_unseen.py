"""A schema that was scored and never trained on has figures of its own, and no other figure counts it."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from sqlrl.errors import UserError
from sqlrl.records import from_dict, write_jsonl
from sqlrl.report.assemble import assemble
from sqlrl.report.markdown import render_markdown
from sqlrl.report.page import render_page
from sqlrl.report.settings import Claims, ReportSettings
from tests.report.synthetic import SyntheticRun
from tests.report.test_document import files_of

UNSEEN = "clinic"


def lines_of(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def with_unseen(source: SyntheticRun, folder: Path, chosen) -> SyntheticRun:
    """A copy of a run in which every task that ``chosen`` names is of a schema never trained on."""
    shutil.copytree(source.folder, folder)
    run = replace(source, folder=folder)
    moved = {task.id for task in source.holdout if chosen(task)}
    tasks = [replace(task, database=UNSEEN) if task.id in moved else task for task in source.holdout]
    for database in ("shop", UNSEEN):
        write_jsonl(
            folder / f"run/tasks/{database}-holdout.jsonl",
            [task for task in tasks if task.database == database],
        )
    for path in sorted(folder.glob("run/*/*/shop-holdout-*.jsonl")):
        lines = lines_of(path)
        for name, wanted in ((path.name, False), (path.name.replace("shop", UNSEEN), True)):
            kept = [json.dumps(line) + "\n" for line in lines if (line["task_id"] in moved) is wanted]
            path.with_name(name).write_text("".join(kept))
    run.write_origins()
    return run


def document_of(run: SyntheticRun, unseen: list[str], tasks: list[str], pages: bool = False):
    files = replace(
        files_of(run), tasks=[run.folder / f"run/tasks/{database}-holdout.jsonl" for database in tasks]
    )
    if UNSEEN not in tasks:
        kept = {
            kind: [path for path in getattr(files, kind) if UNSEEN not in path.name]
            for kind in ("scores", "rollouts")
        }
        files = replace(files, **kept)
    settings = from_dict(ReportSettings, run.settings(), "settings")
    claims = from_dict(Claims, {**run.claims(), "unseen": unseen}, "claims")
    return assemble(files, settings, claims)


@pytest.fixture(scope="module")
def run(whole_run, tmp_path_factory):
    folder = tmp_path_factory.mktemp("unseen") / "made"
    return with_unseen(whole_run, folder, lambda task: int(task.id, 16) % 3 == 0)


@pytest.fixture(scope="module")
def report(run):
    return document_of(run, [UNSEEN], ["shop", UNSEEN])


def test_no_other_figure_counts_the_unseen_schema(run, report):
    alone = document_of(run, [], ["shop"]).document
    apart = ("explorer", "unseen_schemas", "provenance", "headline", "warnings", "asked")
    assert {key: value for key, value in report.document.items() if key not in apart} == {
        key: value for key, value in alone.items() if key not in apart
    }
    assert report.document["headline"]["sentence"] == alone["headline"]["sentence"]
    assert report.document["asked"] == alone["asked"]


def test_its_difference_is_the_one_counted_from_its_files(run, report):
    (schema,) = report.document["unseen_schemas"]
    rates = {}
    for checkpoint in ("base", "grpo"):
        found = [
            line["verdict"]["outcomes"]["main"]["verdict"] == "match"
            for scoring in (1, 2, 3)
            for line in lines_of(run.folder / f"run/{checkpoint}/scores/{UNSEEN}-holdout-{scoring}.jsonl")
        ]
        rates[checkpoint] = sum(found) / len(found)
    comparison = schema["comparisons"]["grpo-vs-base"]
    assert schema["database"] == UNSEEN
    assert schema["tasks"] == comparison["holdout_tasks"] > 20
    assert comparison["difference"] == pytest.approx(rates["grpo"] - rates["base"], abs=1e-6)
    assert {one["checkpoint"]: one["pass@1"]["value"] for one in schema["checkpoints"]}["base"] == (
        pytest.approx(rates["base"], abs=1e-6)
    )


def test_its_comparisons_are_adjusted_among_themselves(report):
    (schema,) = report.document["unseen_schemas"]
    compared = list(schema["comparisons"].values())
    assert len(compared) == 3
    assert all(one["p_adjusted"] >= one["p"] for one in compared)
    assert max(one["p_adjusted"] / one["p"] for one in compared) == pytest.approx(3, rel=1e-3)


def test_the_headline_has_its_sentence_beside_it(report):
    sentences = [one["sentence"] for one in report.document["headline"]["beside"]]
    assert any(text.startswith(f"On {UNSEEN}, a schema never trained on, grpo") for text in sentences)


def test_page_and_markdown_show_it(report):
    page = render_page(report.document)
    assert 'id="unseen"' in page
    assert f'id="{UNSEEN}-grpo-vs-base"' in page
    assert f"## {UNSEEN}, a schema it never saw" in render_markdown(report.document)


def test_a_run_without_one_does_not_speak_of_it(run):
    document = document_of(run, [], ["shop"]).document
    assert document["unseen_schemas"] == []
    assert 'id="unseen"' not in render_page(document)
    assert "never saw\n" not in render_markdown(document)


def test_an_unseen_schema_without_tasks_is_refused(run):
    with pytest.raises(UserError, match=r"no task of clinic: its tasks are of shop"):
        document_of(run, [UNSEEN], ["shop"])
