"""Arms of config.yaml's ablation, trained on a tiny model: equal samples, and each its own weights."""

import json
from pathlib import Path

import pytest
import yaml

from sqlrl.config.run import find_run
from sqlrl.config.settings import load_settings
from sqlrl.records import read_jsonl
from sqlrl.report.ablation import read_figures
from sqlrl.training.log import TrainingStep
from tests.training_bench import LORA, SFT, product_bytes

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
# The tiny model never ends a reply by itself: truncated replies are judged, or no group would have variance.
TINY = {"lora": LORA, "max_tokens": 12, "truncated": "judge"}


@pytest.fixture(scope="module")
def trained(bench):
    """Products of the control and of the arms that feed training otherwise."""
    config = yaml.safe_load((ROOT / "config.yaml").read_text())
    run = find_run(load_settings(ROOT, config, "config.yaml"), "ablation-laptop")
    parent = bench.run("ablation-parent", SFT).adapter
    stages = ("control-1", "large-steps-1", "adaptive-1")
    return {
        stage: bench.run(f"ablation/{stage}", json.loads(run.stage_settings(stage)) | TINY, parent)
        for stage in stages
    }


def test_arms_train_on_equally_many_samples_in_steps_of_their_own(trained):
    figures = read_figures([one.training_log for one in trained.values()])
    assert {stage: one["samples"] for stage, one in figures.items()} == dict.fromkeys(trained, 64)
    steps = [len(read_jsonl(one.training_log, TrainingStep)) for one in trained.values()]
    assert steps == [8, 2, 8]


def test_arms_end_in_weights_of_their_own(trained):
    assert len({product_bytes(one)["adapter_model.safetensors"] for one in trained.values()}) == len(trained)
