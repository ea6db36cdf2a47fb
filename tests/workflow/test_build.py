"""The micro run as a whole: what it makes, that it repeats, and that it goes on after a kill."""

import json
import re
import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.workflow.conftest import Workspace, make_workspace

pytestmark = pytest.mark.slow

# Whatever is compared byte by byte; times and host names live elsewhere.
COMPARED = (
    "databases/shop/*.sql",
    "databases/shop/*.json",
    "tasks/shop/*.json*",
    "micro/tasks/*.jsonl",
    "micro/*/band.jsonl",
    "micro/*/training_log.jsonl",
    "micro/*/adapter/*",
    "micro/*/rollouts/*.jsonl",
    "micro/*/scores/*.jsonl",
)

TRAINED = ("adapter/*", "training_log.jsonl", "probes.jsonl", "checkpoints.safetensors")
# What a rule is asked for, and all that it writes but times.
PRODUCTS = {
    "train_sft": ("results/micro/sft/adapter/adapter.json", [f"micro/sft/{one}" for one in TRAINED]),
    "train_grpo": ("results/micro/grpo/adapter/adapter.json", [f"micro/grpo/{one}" for one in TRAINED]),
    "measure_band": ("results/micro/grpo/band.jsonl", ["micro/grpo/band.jsonl"]),
    "sample_rollouts": (
        "results/micro/grpo/rollouts/shop-holdout-1.jsonl",
        ["micro/grpo/rollouts/shop-holdout-1.*"],
    ),
}


def results(workspace: Workspace) -> dict[str, bytes]:
    found = {path: content for pattern in COMPARED for path, content in workspace.results(pattern).items()}
    report = json.loads((workspace.folder / "results/micro/delta_report.json").read_text())
    report.pop("costs")
    return {**found, "report": json.dumps(report, sort_keys=True).encode()}


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    return sorted(path for path in {*one, *other} if one.get(path) != other.get(path))


def log_of(workspace: Workspace, stage: str) -> list[dict]:
    lines = (workspace.folder / f"results/micro/{stage}/training_log.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_every_part_of_the_recipe_happened_in_the_micro_run(built):
    """A run in which nothing can fail would test nothing: groups are mixed, samples differ, weights move."""
    band = [
        json.loads(line) for line in (built.folder / "results/micro/grpo/band.jsonl").read_text().splitlines()
    ]
    rate = sum(task["passed"] for task in band) / sum(task["k"] for task in band)
    assert 0.2 <= rate <= 0.8
    mixed = [1 - step["zero_variance"] for step in log_of(built, "grpo")]
    assert sum(mixed) / len(mixed) >= 1 / 3
    replies = [
        json.loads(line)
        for path in built.results("micro/grpo/rollouts/shop-holdout-*.jsonl").values()
        for line in path.decode().splitlines()
    ]
    assert len({reply["text"] for reply in replies}) > len(replies) / 4
    adapters = built.results("micro/*/adapter/adapter_model.safetensors")
    assert len(set(adapters.values())) == len(adapters) == 4


def test_the_report_compares_every_pair_on_every_pass(built):
    report = json.loads((built.folder / "results/micro/delta_report.json").read_text())
    for pair in ("sft-vs-base", "grpo-vs-sft", "grpo-vs-base"):
        comparison = report["comparisons"][pair]
        assert comparison["holdout_tasks"] == 12
        assert len(comparison["intervals"]) == 3
        assert comparison["verdict"]


def test_two_clean_builds_give_the_same_bytes(built, tmp_path):
    again = make_workspace(tmp_path / "again")
    again.snakemake("delta_report")
    assert differing(results(built), results(again)) == []


@pytest.mark.parametrize("rule", ["train_sft", "train_grpo", "sample_rollouts", "measure_band"])
def test_a_job_killed_half_way_goes_on_and_ends_in_the_same_bytes(built, tmp_path, rule):
    workspace = copy_before(built, tmp_path / "killed", rule)
    target, products = PRODUCTS[rule]
    kill_when_half_done(workspace, rule)
    assert saved_work(workspace), "the killed job left nothing to go on from"
    workspace.snakemake("--unlock")
    workspace.snakemake(target)
    for pattern in products:
        assert workspace.results(pattern) == built.results(pattern) != {}


def copy_before(built: Workspace, folder: Path, rule: str) -> Workspace:
    """A copy of the built workspace without what a rule made, and all that came of it."""
    shutil.copytree(built.folder, folder, copy_function=shutil.copy2)
    workspace = Workspace(folder)
    stages = {"train_sft": ["sft*", "grpo*"], "sample_rollouts": ["grpo/rollouts"]}
    for pattern in stages.get(rule, ["grpo*"]):
        for path in (folder / "results/micro").glob(pattern):
            shutil.rmtree(path)
    return workspace


def kill_when_half_done(workspace: Workspace, rule: str) -> None:
    """Start a build and kill -9 everything in it once the rule's job has saved some of its work."""
    module = {"sample_rollouts": "rollout"}.get(rule, rule)
    build = psutil.Popen(
        [*workspace.command(), PRODUCTS[rule][0]],
        cwd=workspace.folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 300
    while not (saved_work(workspace) and halt(build, module, workspace)):
        assert build.poll() is None, "the build ended before its job could be killed"
        assert time.monotonic() < deadline, "the job never saved any work"
        time.sleep(0.01)
    for process in [*build.children(recursive=True), build]:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    build.wait()


def saved_work(workspace: Workspace) -> bool:
    return any(path.is_file() for path in workspace.folder.glob("results/micro/*/work/*/**/*"))


def halt(build: psutil.Popen, module: str, workspace: Workspace) -> bool:
    """Stop the job where it is; let it go on if it is another one, or has finished meanwhile."""
    try:
        job = next(one for one in build.children(recursive=True) if f"scripts.{module}" in one.cmdline())
        job.suspend()
    except (StopIteration, psutil.NoSuchProcess):
        return False
    if saved_work(workspace):
        return True
    job.resume()
    return False


def test_another_parent_resumes_nothing(built, tmp_path):
    """Work that a killed stage left is for its own parent only."""
    workspace = copy_before(built, tmp_path / "parent", "train_grpo")
    kill_when_half_done(workspace, "train_grpo")
    left = {path.parent.name for path in workspace.folder.glob("results/micro/grpo/work/*/*")}
    workspace.configure(lambda c: c["runs"]["micro"]["stages"]["sft"].update(seed=2))
    workspace.snakemake("--unlock")
    workspace.snakemake("results/micro/grpo/adapter/adapter.json")
    manifest = json.loads((workspace.folder / "results/micro/grpo/adapter/adapter.json").read_text())
    before = json.loads((built.folder / "results/micro/grpo/adapter/adapter.json").read_text())
    assert manifest["parent"] != before["parent"]
    assert left <= {path.name for path in workspace.folder.glob("results/micro/grpo/work/*")}


def test_every_rule_has_a_log_and_a_benchmark():
    for file in (Path(__file__).parents[2] / "rules").glob("*.smk"):
        for rule in re.split(r"^rule ", file.read_text(), flags=re.MULTILINE)[1:]:
            assert "    log:\n" in rule, rule
            assert "    benchmark:\n" in rule, rule
