"""Every run of config.yaml shows its whole plan on any machine, before anything is fetched or built."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from sqlrl.config.run import Run
from sqlrl.config.settings import load_settings

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SETTINGS = load_settings(ROOT, yaml.safe_load((ROOT / "config.yaml").read_text()), "config.yaml")


def dry_run(*words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "snakemake", "-n", "--forceall", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def planned(*words: str) -> dict[str, str]:
    """Rule to number of jobs."""
    done = dry_run(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    return dict(re.findall(r"^(\w+) +(\d+)$", done.stdout + done.stderr, re.MULTILINE))


@pytest.mark.parametrize("name", SETTINGS["runs"])
def test_a_dry_run_plans_the_whole_run(name: str):
    run = Run(name, SETTINGS)
    jobs = planned("delta_report", "--config", f"run={name}")
    kinds = [run.stage(stage)["kind"] for stage in run.stages]
    assert int(jobs.get("train_grpo", 0)) == kinds.count("grpo")
    assert int(jobs.get("train_sft", 0)) == kinds.count("sft")
    assert int(jobs["check_parity"]) == len(run.trained_checkpoints())
    scored = len(run.holdout_checkpoints()) * len(run.passes) + len(run.dev_checkpoints())
    assert int(jobs["sample_rollouts"]) == int(jobs["score_rollouts"]) == scored * len(run.databases)


def test_a_dry_run_plans_the_comparison_with_the_reports_of_all_its_runs():
    runs = [Run(name, SETTINGS) for name in SETTINGS["compare"]]
    jobs = planned("compare_runs")
    assert int(jobs["write_comparison"]) == 1
    assert int(jobs["write_delta_report"]) == int(jobs["select_tasks"]) == len(runs)
    assert int(jobs["train_grpo"]) == sum(
        run.stage(name)["kind"] == "grpo" for run in runs for name in run.stages
    )


def test_the_runs_to_compare_can_be_named_on_the_command_line():
    jobs = planned("compare_runs", "--config", "compare=[qwen3-4b,qwen3.5-9b]")
    assert int(jobs["write_delta_report"]) == 2


def test_runs_with_other_holdouts_are_refused_before_anything_is_planned():
    done = dry_run("compare_runs", "--config", "compare=[laptop,qwen3-4b]")
    assert done.returncode != 0
    assert "these runs cannot be compared on one holdout" in done.stdout + done.stderr
    assert "runs.laptop.tasks.select.limit.holdout is 160, runs.qwen3-4b." in done.stdout + done.stderr
