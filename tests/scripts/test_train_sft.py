import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scripts.arguments import run_script
from scripts.train_sft import main, make_arguments
from tests.training_bench import SFT, Bench, product_bytes

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    return Bench(tmp_path_factory.mktemp("bench"))


def run(*words):
    return run_script(main, make_arguments(), words)


def test_the_script_writes_every_product_and_leaves_no_work(bench):
    assert run(*bench.words("script", SFT)) == 0
    assert set(product_bytes(bench.products("script"))) == {
        "adapter.json", "adapter_config.json", "adapter_model.safetensors", "checkpoints.safetensors", "log.jsonl",
        "probes.jsonl",
    }  # fmt: skip
    assert not list((bench.folder / "script" / "work").iterdir())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "grpo"}, "allowed: 'sft'"),
        ({"micro_batch_size": 3}, "does not divide batch_size = 4"),
        ({"checkpoints": [7]}, "step 7, outside 1..6"),
        ({"batch_size": 20, "micro_batch_size": 20}, "12 training tasks are left, but batch_size is 20"),
        ({"learning_rate": "fast"}, "learning_rate is 'fast'"),
        ({"dropout": 1}, "unknown key 'dropout'"),
    ],
)
def test_settings_that_make_no_sense_end_with_one_message(bench, capsys, change, message):
    assert run(*bench.words("bad", {**SFT, **change})) == 2
    assert message in capsys.readouterr().err
    assert not bench.products("bad").adapter.exists()


@pytest.mark.slow
def test_a_stage_killed_at_any_time_ends_in_the_same_bytes(bench):
    given = {**SFT, "steps": 60, "save_steps": 7, "checkpoints": [11, 40]}
    command = [sys.executable, "-m", "scripts.train_sft"]
    environment = {**os.environ, "OMP_NUM_THREADS": "2"}
    subprocess.run([*command, *bench.words("whole", given)], cwd=ROOT, env=environment, check=True)
    words = bench.words("killed", given)
    for steps in (9, 30):
        process = subprocess.Popen([*command, *words], cwd=ROOT, env=environment)
        wait_for_steps(bench.folder / "killed" / "work", steps, process)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert not bench.products("killed").adapter.exists()
    subprocess.run([*command, *words], cwd=ROOT, env=environment, check=True)
    assert product_bytes(bench.products("killed")) == product_bytes(bench.products("whole"))
    shutil.rmtree(bench.folder / "killed")


def wait_for_steps(work, steps, process):
    """Until a stage's unfinished log has so many lines."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        logs = list(work.glob("*/training_log.jsonl"))
        if logs and logs[0].read_text().count("\n") >= steps:
            return
        assert process.poll() is None, "the stage ended before it was killed"
        time.sleep(0.02)
    raise AssertionError("the stage never came so far")
