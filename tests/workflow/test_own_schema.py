"""A schema that somebody brings is loaded and resampled by the workflow; built-in ones are seeded as ever."""

import re
import shutil
from pathlib import Path

import pytest

from tests.workflow.conftest import Workspace, make_workspace

pytestmark = pytest.mark.slow

SCHEMAS = Path(__file__).parents[1] / "database" / "schemas"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory) -> Workspace:
    """The micro run with a database more, brought as schema.sql and seed.sql."""
    workspace = make_workspace(tmp_path_factory.mktemp("own"))
    shutil.copytree(SCHEMAS / "films", workspace.folder / "databases" / "films")

    def add(config):
        config["databases"]["films"] = {"source": "sql", "twin_seeds": [2], "witness_seeds": []}
        config["runs"]["micro"]["databases"] = ["shop", "films"]

    workspace.configure(add)
    return workspace


def test_main_is_loaded_a_twin_is_resampled_and_nothing_is_stale_afterwards(workspace):
    files = [f"results/databases/films/{name}.sql" for name in ("main", "twin-1")]
    jobs = workspace.stale(*files)
    assert (jobs["load_database"], jobs["resample_database"]) == (1, 1)
    workspace.snakemake(*files)
    assert workspace.stale(*files) == {}
    made = workspace.results("databases/films/*")
    assert {Path(name).name for name in made} >= {"main.json", "schema.sql", "twin-1.json"}
    assert made[files[0]] != made[files[1]]


def test_the_draft_stands_in_until_somebody_writes_notes(workspace):
    target = "results/micro/base/rollouts/films-holdout-1.jsonl"
    assert "results/databases/films/notes.md" in workspace.snakemake("-n", "-p", "-F", target).stdout
    (workspace.folder / "databases" / "films" / "notes.md").write_text("- films.minutes is the length.\n")
    plan = workspace.snakemake("-n", "-p", "-F", target).stdout
    assert " databases/films/notes.md" in plan
    assert "results/databases/films/notes.md" not in plan


def test_a_folder_without_sql_files_is_one_message(workspace):
    folder = workspace.folder / "databases" / "films"
    shutil.move(folder / "schema.sql", folder / "kept")
    done = workspace.snakemake("-n", "-F", "results/databases/films/main.sql", check=False)
    shutil.move(folder / "kept", folder / "schema.sql")
    assert done.returncode != 0
    assert "databases.films brings its own schema, but databases/films has seed.sql" in done.stdout


def test_no_build_reads_a_running_server_and_the_target_says_what_is_missing(workspace):
    plan = workspace.snakemake("-n", "-F", "results/databases/films/twin-1.sql").stdout
    assert not re.search(r"snapshot_database", plan)
    done = workspace.snakemake("-n", "snapshot_database", check=False)
    assert "has none with source url" in done.stdout
    workspace.configure(
        lambda config: config["databases"]["films"].update(source="url", url_variable="FILMS_URL")
    )
    done = workspace.snakemake("snapshot_database", check=False)
    assert "databases/films/schema.sql: was not written by a snapshot" in done.stdout
    for name in ("schema.sql", "seed.sql"):
        (workspace.folder / "databases" / "films" / name).unlink()
    done = workspace.snakemake("snapshot_database", check=False)
    assert "FILMS_URL is not set: export FILMS_URL=" in done.stdout
