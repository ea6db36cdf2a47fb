"""A schema that nobody wrote a grammar for, in the workflow: authored, screened, and stale for the right reasons."""

import json
import shutil
from pathlib import Path

import pytest

from tests.workflow.conftest import Workspace, make_workspace

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SCREENED = "results/tasks/shop/screening.json"
TASKS = {"author_tasks": 1, "screen_tasks": 1}


@pytest.fixture(scope="module")
def taught(tmp_path_factory) -> Workspace:
    """A workspace whose shop has no grammar, with its tasks screened."""
    workspace = make_workspace(tmp_path_factory.mktemp("taught"))
    shutil.rmtree(workspace.folder / "databases/shop/grammar")

    def ask_little(config: dict) -> None:
        config["authoring"] = {"teacher": "offline", "seed": 1, "candidates_per_cell": 3, "structures": 20}
        config["screening"] = {"minimum_tasks": 50, "minimum_templates": 20, "maximum_template_share": 0.5}

    workspace.configure(ask_little)
    workspace.snakemake(SCREENED)
    return workspace


def test_the_summary_says_that_the_catalog_taught(taught):
    summary = json.loads((taught.folder / "results/tasks/shop/authoring.json").read_text())
    assert (summary["teacher"], summary["grammar"]) == ("offline", "catalog")
    screening = json.loads((taught.folder / SCREENED).read_text())
    assert screening["kept"] >= 150
    assert screening["settings"]["every_cell"] is False


def test_nothing_is_stale_after_it(taught):
    assert taught.stale(SCREENED) == {}


def test_only_the_code_that_wrote_the_questions_makes_them_stale(taught, tmp_path):
    copy = Workspace(tmp_path / "copy")
    shutil.copytree(taught.folder, copy.folder, copy_function=shutil.copy2)
    copy.edit("sqlrl/authoring/offline_job.py", "cells = all_cells()", "cells = tuple(all_cells())")
    assert copy.stale(SCREENED) == {}
    copy.edit("sqlrl/authoring/catalog/grammar.py", "LEAST_ROWS = 5", "LEAST_ROWS = 6")
    assert copy.stale(SCREENED) == TASKS


def test_a_grammar_takes_over_as_soon_as_it_is_there(taught, tmp_path):
    copy = Workspace(tmp_path / "copy")
    shutil.copytree(taught.folder, copy.folder, copy_function=shutil.copy2)
    source = shutil.copytree(ROOT / "databases/shop/grammar", copy.folder / "databases/shop/grammar")
    assert (source / "grammar.py").is_file()
    assert copy.stale(SCREENED) == TASKS
