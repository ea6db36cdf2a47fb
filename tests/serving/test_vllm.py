"""vLLM's sampler draws from the adapter that it is given, as it is asked, and dies loudly."""

import shutil
import signal
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pytest
from safetensors.torch import load_file, save_file

from sqlrl.errors import UserError
from sqlrl.parity.findings import ParitySettings
from sqlrl.parity.gate import Gate, draw, open_referee
from sqlrl.records import read_jsonl
from sqlrl.sampling.engine_settings import EngineSettings
from sqlrl.sampling.sampler import Request, SamplingSettings
from sqlrl.sampling.vllm import VllmSampler
from sqlrl.training.log import TrainingStep
from sqlrl.training.manifest import WEIGHTS
from tests.parity.test_gate import SETTINGS as PARITY
from tests.parity.test_gate import copy_adapter, prompting
from tests.serving.conftest import STAGE

pytestmark = pytest.mark.vllm
SETTINGS = SamplingSettings(1.0, 1.0, 24, 64)
FLOOR = {"qwen3.5-whole": 0.05}


def prompts(served, count=6):
    return [served.bench.prompts.write(t.id, t.database, t.question) for t in served.bench.tasks[:count]]


def texts(replies):
    return [reply.token_ids for reply in replies]


def test_the_same_requests_give_the_same_replies_and_other_seeds_others(served):
    one, two, other = (
        texts(served.sampler.sample(prompts(served), 2, SETTINGS, served.sft.adapter, seed))
        for seed in (1, 1, 2)
    )
    assert np.mean([a == b for a, b in zip(one, two, strict=True)]) >= 0.9
    assert one != other
    assert len(set(one)) > 6


def test_replies_land_one_by_one_each_once(served):
    wanted = [Request(prompt, number) for prompt in prompts(served) for number in range(3)]
    with closing(served.sampler.land(wanted, SETTINGS, None, 1)) as replies:
        landed = [(one.task_id, one.sample) for one in replies]
    assert sorted(landed) == sorted((one.prompt.key, one.sample) for one in wanted)


def test_a_caller_that_leaves_early_leaves_no_request_behind(served):
    wanted = [Request(prompt, number) for prompt in prompts(served) for number in range(3)]
    with closing(served.sampler.land(wanted, SETTINGS, None, 1)) as replies:
        next(replies)
    again = served.sampler.sample(prompts(served, 2), 1, SETTINGS, None, 1)
    assert [one.task_id for one in again] == [task.id for task in served.bench.tasks[:2]]


def test_a_reply_ends_with_the_end_token_or_the_budget(served):
    for reply in served.sampler.sample(prompts(served), 4, SETTINGS, served.sft.adapter, 3):
        stopped = reply.token_ids[-1] in served.sampler._tokens.ends
        assert (reply.finish_reason == "stop") == stopped
        assert stopped or len(reply.token_ids) == SETTINGS.max_tokens
        assert len(reply.logprobs) == len(reply.token_ids) == reply.reply_tokens
        assert max(reply.logprobs) <= 0.0


def parity(served, products, step=None):
    from tests.parity.test_gate import Trained, read_manifest, read_probes

    manifest = read_manifest(products.adapter)
    probes = [one for one in read_probes(products.probes) if one.step == manifest.step]
    tasks = {task.id: task for task in served.bench.tasks}
    return Trained(served.bench.model, products.adapter, manifest, probes, 4, tasks, {})


def settings(served) -> ParitySettings:
    return replace(PARITY, floor=FLOOR.get(served.kind, 0.03), reload=0.01)


def test_the_gate_passes_on_what_vllm_serves(served):
    one = parity(served, served.sft)
    words = prompting(served.bench)
    gate = Gate(one, settings(served))
    gate.check_files(words)
    drawn = draw(one, words, served.sampler, settings(served))
    gate.check_weights(drawn, open_referee(one))
    found = gate.result("vllm")
    assert found.passed, found
    assert next(check for check in found.checks if check.name == "effect slope").state == "passed"


def test_the_gate_names_a_base_served_under_the_adapters_name(served):
    class Deaf:
        def sample(self, prompts, n, settings, adapter, seed):
            return served.sampler.sample(prompts, n, settings, None, seed)

    one, words = parity(served, served.sft), prompting(served.bench)
    gate = Gate(one, settings(served))
    gate.check_weights(draw(one, words, Deaf(), settings(served)), open_referee(one))
    assert gate.cause == "the base model is served under the adapter's name"


def test_new_weights_in_an_old_place_are_drawn_from(served, tmp_path: Path):
    place = copy_adapter(served.sft.adapter, tmp_path / "adapter")
    before = served.sampler.sample(prompts(served), 2, SETTINGS, place, 1)
    tensors = load_file(place / WEIGHTS)
    save_file({name: one * 0 for name, one in tensors.items()}, place / WEIGHTS, metadata={"format": "pt"})
    emptied = served.sampler.sample(prompts(served), 2, SETTINGS, place, 1)
    base = served.sampler.sample(prompts(served), 2, SETTINGS, None, 1)
    assert texts(emptied) != texts(before)
    assert np.mean([a == b for a, b in zip(texts(emptied), texts(base), strict=True)]) >= 0.9


def test_names_that_the_server_would_pass_over_are_refused(served, tmp_path: Path):
    old, new = (
        ("language_model.layers", "layers")
        if served.kind == "qwen3.5-whole"
        else ("layers", "language_model.layers")
    )

    def rename(tensors):
        return {name.replace(f"model.{old}", f"model.{new}"): one for name, one in tensors.items()}

    wrong = copy_adapter(served.sft.adapter, tmp_path / "adapter", rename)
    with pytest.raises(UserError, match="wrong prefix"):
        served.sampler.sample(prompts(served), 1, SETTINGS, wrong, 1)


def test_a_prompt_without_room_is_refused_by_name(served):
    with pytest.raises(
        UserError, match=f"task {served.bench.tasks[0].id}: .* lower max_tokens or raise engine.positions"
    ):
        served.sampler.sample(prompts(served, 1), 1, replace(SETTINGS, max_tokens=2048), None, 1)


def test_grpo_draws_from_the_policy_as_it_is_now(served):
    products = served.bench.run("grpo-vllm", STAGE, served.sft.adapter, sampler=served.sampler)
    steps = read_jsonl(products.training_log, TrainingStep)
    assert len(steps) == 4
    for step in steps:
        assert step.logprob_difference is None or step.logprob_difference < FLOOR.get(served.kind, 0.03)
    assert any(step.gradient_samples for step in steps)
    shutil.rmtree(served.bench.folder / "grpo-vllm")


@pytest.fixture(scope="module")
def lone(tmp_path_factory):
    from tests.training_bench import Bench

    return Bench(tmp_path_factory.mktemp("lone"), "qwen3", hidden=128)


@pytest.mark.parametrize(
    ("sent", "said"), [(signal.SIGSTOP, "no sign of life for 5 s"), (signal.SIGKILL, "died")]
)
def test_an_engine_that_hangs_or_dies_ends_the_job_with_a_message(lone, sent: signal.Signals, said: str):
    sampler = VllmSampler(lone.model, EngineSettings(positions=2048, stall_seconds=5), None)
    wanted = [lone.prompts.write(t.id, t.database, t.question) for t in lone.tasks]
    sampler.sample(wanted[:1], 1, SETTINGS, None, 1)
    processes = list(sampler._warden.processes)
    assert processes
    start = time.monotonic()
    for process in processes:
        process.send_signal(sent)
    with pytest.raises(UserError, match=said):
        sampler.sample(wanted, 4, SETTINGS, None, 1)
    assert time.monotonic() - start < 60
    sampler.close()
    _, alive = psutil.wait_procs(processes, timeout=10)
    assert not alive
