"""A run may take its tasks from both built-in schemas."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def configuration(tmp_path_factory) -> Path:
    """config.yaml with one run more: the laptop run on both schemas."""
    settings = yaml.safe_load((ROOT / "config.yaml").read_text())
    settings["runs"]["both"] = {**settings["runs"]["laptop"], "databases": ["shop", "clinic"]}
    path = tmp_path_factory.mktemp("configuration") / "config.yaml"
    path.write_text(yaml.safe_dump(settings, sort_keys=False))
    return path


def plan(configuration: Path, target: str) -> str:
    command = [
        *(sys.executable, "-m", "snakemake", "-n", "--forceall", target),
        *("--configfile", str(configuration), "--replace-workflow-config", "--config", "run=both"),
    ]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_the_tasks_of_both_schemas_are_authored_screened_probed_and_selected(configuration):
    output = plan(configuration, "tasks")
    jobs = dict(re.findall(r"^(\w+) +(\d+)$", output, re.MULTILINE))
    made = ("author_tasks", "screen_tasks", "probe_tasks", "review_tasks", "split_tasks", "select_tasks")
    for rule in (*made, "write_tasks_report"):
        assert jobs[rule] == "2", rule
    assert int(jobs["seed_database"]) == 2 * 8
    grammars = re.findall(r"databases/(\w+)/grammar/grammar\.py", output)
    assert set(grammars) == {"shop", "clinic"}


def test_the_whole_run_samples_and_scores_every_checkpoint_on_both(configuration):
    output = plan(configuration, "delta_report")
    for kind, rule in (("rollouts", "sample_rollouts"), ("scores", "score_rollouts")):
        files = re.findall(rf"results/both/([a-z0-9@.-]+)/{kind}/(shop|clinic)-(dev|holdout)-(\d+)", output)
        shop = {(one, part, scoring) for one, database, part, scoring in files if database == "shop"}
        clinic = {(one, part, scoring) for one, database, part, scoring in files if database == "clinic"}
        assert shop == clinic
        assert shop
        jobs = dict(re.findall(r"^(\w+) +(\d+)$", output, re.MULTILINE))
        assert int(jobs[rule]) == 2 * len(shop)
