import json
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.arguments import run_script
from scripts.train_grpo import main, make_arguments
from sqlrl.records import read_jsonl, write_jsonl
from sqlrl.training.band import BandTask
from sqlrl.training.log import TrainingStep
from sqlrl.training.manifest import read_manifest
from tests.training_bench import GRPO, SFT, VERIFIER, Bench

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    return Bench(tmp_path_factory.mktemp("bench"))


def run(bench, name, given, *more, parent=None):
    words = bench.words(name, given, parent, databases="main.sql")
    return run_script(main, make_arguments(), [*words, "--verifier", json.dumps(VERIFIER), *map(str, more)])


def test_a_stage_trains_on_its_band_with_the_verifiers_reward(bench):
    parent = bench.run("parent", SFT).adapter
    band = [BandTask(task.id, 2, 4, number < 3) for number, task in enumerate(bench.tasks)]
    write_jsonl(bench.folder / "band.jsonl", band)
    given = {**GRPO, "steps": 2, "max_tokens": 40}
    assert run(bench, "grpo", given, "--band", bench.folder / "band.jsonl", parent=parent) == 0
    products = bench.products("grpo")
    steps = read_jsonl(products.training_log, TrainingStep)
    assert [step.samples for step in steps] == [8, 8]
    assert all(sum(step.verdicts.values()) == pytest.approx(1.0) for step in steps)
    manifest = read_manifest(products.adapter)
    assert manifest.parent.digest == read_manifest(parent).weights
    assert set(manifest.sections) == {"prompt", "verifier", "sampler"}
    assert any(name.endswith("band.jsonl") for name in manifest.inputs)


def test_a_band_with_too_few_tasks_ends_with_one_message(bench, capsys):
    write_jsonl(bench.folder / "narrow.jsonl", [BandTask(bench.tasks[0].id, 2, 4, True)])
    assert run(bench, "narrow", GRPO, "--band", bench.folder / "narrow.jsonl") == 2
    assert "1 training tasks are left, but prompts_per_step is 2" in capsys.readouterr().err
    assert not bench.products("narrow").adapter.exists()


@pytest.mark.slow
def test_processes_that_share_a_stage_leave_one_set_of_products(bench):
    launcher = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    words = [
        *bench.words("shared", {**GRPO, "steps": 2}, databases="main.sql"),
        "--verifier",
        json.dumps(VERIFIER),
    ]
    command = [sys.executable, *launcher, "-m", "scripts.train_grpo", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    products = bench.products("shared")
    assert [step.samples for step in read_jsonl(products.training_log, TrainingStep)] == [8, 8]
    assert read_manifest(products.adapter).samples == 16
    assert not list((bench.folder / "shared" / "work").iterdir())
