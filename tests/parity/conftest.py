from types import SimpleNamespace

import pytest
import torch

from sqlrl.sampling.transformers import TransformersSampler
from tests.training_bench import GRPO, SFT, Bench

LORA = {**SFT["lora"], "dropout": 0.0}


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A bench with an sft and a grpo stage, whose effect is large, in float32."""
    bench = Bench(tmp_path_factory.mktemp("parity"))
    sft = bench.run("sft", {**SFT, "steps": 20, "checkpoints": [10], "lora": LORA})
    grpo = {**GRPO, "steps": 8, "checkpoints": [4], "prompts_per_step": 4, "lora": LORA}
    return SimpleNamespace(
        bench=bench,
        sft=sft,
        grpo=bench.run("grpo", grpo, sft.adapter),
        sampler=TransformersSampler(bench.model),
    )


@pytest.fixture(autouse=True, scope="package")
def in_float32():
    """Small models are exact in float32 only."""
    patch = pytest.MonkeyPatch()
    patch.setattr("sqlrl.training.policy.best_cpu_dtype", lambda: torch.float32)
    patch.setattr("sqlrl.sampling.transformers.best_dtype", lambda: torch.float32)
    yield
    patch.undo()
