"""What a user sees who got something wrong: one message, exit code not zero, nothing half-written."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.workflow.conftest import Workspace, make_workspace

pytestmark = pytest.mark.slow

REPORT = "results/micro/delta_report.json"


@pytest.fixture
def fresh(tmp_path: Path) -> Workspace:
    return make_workspace(tmp_path / "fresh")


def test_an_unknown_run_is_named_with_the_nearest_one(fresh):
    done = fresh.snakemake("-n", "--config", "run=mikro", check=False)
    assert done.returncode != 0
    assert 'run is "mikro"' in done.stdout
    assert 'Did you mean "micro"?' in done.stdout


def test_a_file_with_a_wrong_digest_is_refused_and_leaves_no_model(fresh):
    wrong = {"source": "gguf", "path": "tests/config.yaml", "sha256": "0" * 64}
    fresh.configure(lambda c: c["models"].update(micro=wrong))
    done = fresh.snakemake("results/models/micro/model.json", check=False)
    assert done.returncode != 0
    assert "0000" in done.stdout
    assert "tests/config.yaml" in done.stdout
    assert not list((fresh.folder / "results/models/micro").glob("*.json"))
    assert not list((fresh.folder / "results/models/micro").glob("*.safetensors"))


def test_a_server_that_does_not_answer_is_one_message_without_the_password(fresh):
    url = "postgresql://somebody:secret@127.0.0.1:9/shop"
    done = fresh.snakemake(
        "results/databases/shop/main.sql", check=False, environment={"T2S_DATABASE_URL": url}
    )
    assert done.returncode != 0
    assert "error: T2S_DATABASE_URL: no connection" in done.stdout
    assert "secret" not in done.stdout
    assert not (fresh.folder / "results/databases/shop/main.sql").exists()


def test_a_task_file_edited_into_nonsense_names_the_line_and_keeps_what_was_done(copy):
    tasks = copy.folder / "results/micro/tasks/shop-holdout.jsonl"
    lines = tasks.read_text().splitlines()
    broken = {**json.loads(lines[2]), "referense_sql": "SELECT 1"}
    tasks.write_text("\n".join([*lines[:2], json.dumps(broken), *lines[3:]]) + "\n")
    scores = copy.folder / "results/micro/base/scores/shop-holdout-1.jsonl"
    before = scores.read_bytes()
    done = score(copy, tasks, scores.with_name("new.jsonl"))
    assert done.returncode == 2
    assert "shop-holdout.jsonl:3: unknown key 'referense_sql'" in done.stderr
    assert "Traceback" not in done.stderr
    assert not scores.with_name("new.jsonl").exists()
    assert scores.read_bytes() == before


def score(workspace: Workspace, tasks: Path, output: Path) -> "subprocess.CompletedProcess[str]":
    words = ["--rollouts", "results/micro/base/rollouts/shop-holdout-1.jsonl", "--tasks", str(tasks)]
    words += ["--databases", *map(str, sorted(workspace.folder.glob("results/databases/shop/*.sql")))]
    settings = {"match_reward": 1.0, "wrong_reward": 0.1, "error_reward": 0.0, "reward_databases": "main"}
    words += ["--settings", json.dumps({**settings, "statement_timeout_seconds": 3.0, "workers": 1})]
    words += ["--output", str(output), "--timing", str(output.with_suffix(".timing.json"))]
    command = [sys.executable, "-m", "scripts.score", *words]
    return subprocess.run(command, cwd=workspace.folder, capture_output=True, text=True)


def test_results_of_another_build_are_refused_by_the_report(copy):
    """Lost metadata hides a change from Snakemake; the report looks for itself."""
    adapter = copy.folder / "results/micro/grpo/adapter/adapter.json"
    manifest, times = json.loads(adapter.read_text()), adapter.stat()
    manifest["settings"]["learning_rate"] = 0.5
    adapter.write_text(json.dumps(manifest))
    os.utime(adapter, (times.st_atime, times.st_mtime))
    done = copy.snakemake("--force", REPORT, check=False)
    assert done.returncode != 0
    assert "grpo: its adapter was trained with other settings than config.yaml has now" in done.stdout


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (
            lambda w: w.configure(lambda c: c["runs"]["micro"]["scoring"].update(temperature=0.8)),
            "base/scores/shop-dev-1.jsonl: replies were sampled with other sampling settings than config.yaml has now",
        ),
        (
            lambda w: w.edit(
                "sqlrl/verifier/reward.py", "PREVIEW_ROWS = 10\n", "PREVIEW_ROWS = 10\nCHANGED = 1\n"
            ),
            "trained by other code than there is now",
        ),
    ],
    ids=["setting", "code"],
)
def test_without_snakemakes_records_a_change_is_seen_by_the_report(copy, change, fault):
    shutil.rmtree(copy.folder / ".snakemake")
    change(copy)
    assert copy.stale() == {}
    done = copy.snakemake("--force", REPORT, check=False)
    assert done.returncode != 0
    assert fault in done.stdout
