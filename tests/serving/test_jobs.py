"""Whole jobs with vLLM: the micro run from end to end, and jobs that are killed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from sqlrl.parity.findings import Parity
from sqlrl.records import read_json, read_jsonl, write_jsonl
from sqlrl.sampling.engine_settings import EngineSettings
from sqlrl.sampling.rollouts import sample_tasks
from sqlrl.sampling.sampler import Reply, SamplingSettings
from sqlrl.timing import Timing
from sqlrl.training.log import TrainingStep
from sqlrl.verifier.reward import Score
from tests.training_bench import PROMPT, Bench
from tests.workflow.conftest import make_workspace

pytestmark = pytest.mark.vllm
ROOT = Path(__file__).parents[2]
SETTINGS = SamplingSettings(1.0, 1.0, 24, 64)


@pytest.fixture(scope="module")
def bench(tmp_path_factory) -> Bench:
    return Bench(tmp_path_factory.mktemp("jobs"), "qwen3", hidden=128)


def test_the_micro_run_from_its_band_to_scores_of_what_was_proven(tmp_path):
    """Each job starts an engine, which takes most of a minute: the base is left out."""
    workspace = make_workspace(tmp_path)

    def serve(config):
        run = config["runs"]["micro"]
        run["sampler"] = "vllm"
        run["scoring"].update(batch_size=64)
        for stage in run["stages"].values():
            stage["checkpoints"] = []

    workspace.configure(serve)
    workspace.snakemake("results/micro/grpo/scores/shop-holdout-1.jsonl")
    grpo = tmp_path / "results/micro/grpo"
    proof = read_json(grpo / "parity.json", Parity)
    assert (proof.sampler, proof.passed) == ("vllm", True)
    slope = next(check for check in proof.checks if check.name == "effect slope")
    assert slope.state == "passed"
    steps = read_jsonl(grpo / "training_log.jsonl", TrainingStep)
    assert all(step.logprob_difference is None or step.logprob_difference < 0.03 for step in steps)
    assert len(read_jsonl(grpo / "scores/shop-holdout-1.jsonl", Score)) == 12 * 4
    assert workspace.stale("results/micro/grpo/scores/shop-holdout-1.jsonl") == {}


def test_replies_that_landed_before_a_kill_are_not_drawn_again(bench, tmp_path):
    from sqlrl.sampling.vllm import VllmSampler

    sampler = VllmSampler(bench.model, EngineSettings(positions=2048), None)
    prompts = [bench.prompts.write(task.id, task.database, task.question) for task in bench.tasks]
    land, asked = sampler.land, []

    def stopping(wanted, *more):
        asked.append(len(wanted))
        for number, reply in enumerate(land(wanted, *more)):
            if len(asked) == 1 and number == 7:
                raise KeyboardInterrupt
            yield reply

    sampler.land = stopping
    with pytest.raises(KeyboardInterrupt):
        sample_tasks(sampler, prompts, 2, SETTINGS, None, 1, tmp_path)
    replies = sample_tasks(sampler, prompts, 2, SETTINGS, None, 1, tmp_path)
    sampler.close()
    assert asked == [24, 17]
    assert [(one.task_id, one.sample) for one in replies] == [(p.key, n) for p in prompts for n in range(2)]


def words(bench: Bench, folder: Path, k: int) -> list[str]:
    write_jsonl(folder / "tasks.jsonl", bench.tasks)
    settings = {"k": k, "temperature": 1.0, "top_p": 1.0, "max_tokens": 1500, "batch_size": 64, "seed": 1}
    shop = bench.folder / "shop"
    return [
        str(word) for word in (
            "--model", bench.model / "model.json", "--tasks", folder / "tasks.jsonl", "--databases", shop / "main.json",
            "--notes", shop / "notes.md", "--prompt", json.dumps(PROMPT), "--sampler", "vllm",
            "--engine", "positions=2048",
            "--settings", json.dumps(settings), "--work", folder / "work", "--output", folder / "replies.jsonl",
            "--timing", folder / "timing.json",
        )
    ]  # fmt: skip


def test_a_killed_job_leaves_no_engine_behind_and_goes_on(bench, tmp_path):
    command = [sys.executable, "-m", "scripts.rollout", *words(bench, tmp_path, 4)]
    job = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, start_new_session=True
    )
    deadline = time.monotonic() + 240
    landed = 0
    while landed < 3 and job.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
        landed = sum(file.read_bytes().count(b"\n") for file in tmp_path.glob("work/*/replies.jsonl"))
    assert 3 <= landed < 48, "the job was too fast or too slow to be killed in the middle"
    engines = psutil.Process(job.pid).children(recursive=True)
    job.send_signal(signal.SIGKILL)
    job.wait()
    _, alive = psutil.wait_procs(engines, timeout=60)
    assert not alive
    subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True)
    assert len(read_jsonl(tmp_path / "replies.jsonl", Reply)) == 48
    assert not list((tmp_path / "work").iterdir())
    assert read_json(tmp_path / "timing.json", Timing).samples == 48
