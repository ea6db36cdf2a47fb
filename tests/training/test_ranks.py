"""Two processes that share a step's prompts earn the rewards of one, and end in its adapter."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from sqlrl.records import read_jsonl
from sqlrl.training.log import TrainingStep
from sqlrl.training.manifest import WEIGHTS
from sqlrl.training.probe import read_probes
from tests.training_bench import ADAPTIVE, GRPO, SFT

ROOT = Path(__file__).parents[2]
LORA = {**SFT["lora"], "dropout": 0.0}
PAIR = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
STAGES = {
    "sft": {**SFT, "lora": LORA},
    "grpo": {**GRPO, "lora": LORA, "learning_rate": 1e-3},
    "generations": {**GRPO, "lora": LORA, "learning_rate": 1e-3, "steps": 4, "steps_per_generation": 2},
    "adaptive": {
        **GRPO,
        "lora": LORA,
        "learning_rate": 1e-3,
        "feed": "adaptive",
        "adaptive": {**ADAPTIVE, "backfill": 3.0},
    },
}


def run(bench, name: str, given: dict, *launcher: str) -> subprocess.CompletedProcess:
    words = ["-m", "tests.training.run_process", str(bench.folder), name, json.dumps(given)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, *launcher, *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", STAGES)
def test_two_processes_do_what_one_does(bench, kind: str):
    given = STAGES[kind]
    for name, launcher in (("one", []), ("two", PAIR)):
        done = run(bench, f"{kind}-{name}", given, *launcher)
        assert done.returncode == 0, done.stderr[-3000:]
    one, two = (bench.products(f"{kind}-{name}") for name in ("one", "two"))
    before, after = (read_jsonl(products.training_log, TrainingStep) for products in (one, two))
    assert [(step.samples, step.tokens, step.reward) for step in after] == [
        (step.samples, step.tokens, step.reward) for step in before
    ]
    assert [step.loss for step in after] == pytest.approx([step.loss for step in before], abs=1e-4)
    weights, shared = (load_file(products.adapter / WEIGHTS) for products in (one, two))
    start = max(float(value.abs().max()) for name, value in weights.items() if "lora_B" in name)
    assert start > 1e-3
    for name, value in weights.items():
        torch.testing.assert_close(shared[name], value, atol=1e-5, rtol=1e-3)
    assert [one.seen for one in read_probes(two.probes)] == [one.seen for one in read_probes(one.probes)]


@pytest.mark.slow
def test_a_step_that_can_not_be_shared_ends_with_one_message(bench):
    done = run(bench, "odd", {**GRPO, "prompts_per_step": 3}, *PAIR)
    assert done.returncode != 0
    assert "2 processes can't share 3 prompts a step" in done.stderr
