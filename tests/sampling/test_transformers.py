"""The sampler draws from the very distribution that transformers and PEFT compute."""

import json
import logging
import warnings
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from peft import PeftModel
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM

from sqlrl.errors import UserError
from sqlrl.models.architecture import load_base
from sqlrl.sampling.engine_settings import EngineSettings
from sqlrl.sampling.open import open_sampler
from sqlrl.sampling.sampler import Prompt, Reply, SamplingSettings
from sqlrl.sampling.transformers import TransformersSampler
from tests.tiny_models import FAST_KINDS, KINDS, make_model

SETTINGS = SamplingSettings(temperature=1.0, top_p=1.0, max_tokens=20, batch_size=7)
PREFIX = tuple(range(5, 45))


def make_prompts(count: int = 5) -> list[Prompt]:
    return [
        Prompt(
            f"task-{i}", PREFIX + tuple((7 * i * j + 3) % 600 + 3 for j in range(1, 4 + 3 * i)), len(PREFIX)
        )
        for i in range(count)
    ]


def recompute(
    model: Path, adapter: Path | None, replies: Sequence[Reply], prompts: Sequence[Prompt]
) -> float:
    """Largest difference between the replies' log-probabilities and transformers' own, one text at a time."""
    reference = load_base(model, torch.float32)
    if adapter:
        reference = PeftModel.from_pretrained(reference, adapter)
    texts = {prompt.key: prompt.token_ids for prompt in prompts}
    worst = 0.0
    for reply in replies:
        ids = torch.tensor([texts[reply.task_id] + reply.token_ids])
        with torch.no_grad():
            logits = reference(ids).logits[0, len(texts[reply.task_id]) - 1 : -1]
        wanted = torch.log_softmax(logits, -1).gather(1, torch.tensor(reply.token_ids)[:, None])[:, 0]
        worst = max(worst, float((wanted - torch.tensor(reply.logprobs)).abs().max()))
    return worst


@pytest.mark.parametrize("adapted", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_log_probabilities_agree_with_transformers(models, adapters, kind: str, adapted: bool):
    adapter = adapters[kind] if adapted else None
    sampler = TransformersSampler(models[kind], dtype=torch.float32)
    prompts = make_prompts()
    replies = sampler.sample(prompts, 3, SETTINGS, adapter, seed=3)
    assert len({reply.token_ids for reply in replies}) > 10
    assert recompute(models[kind], adapter, replies, prompts) < 1e-4


@pytest.mark.parametrize("kind", KINDS)
def test_the_adapter_changes_what_is_drawn(models, adapters, kind: str):
    sampler = TransformersSampler(models[kind], dtype=torch.float32)
    prompts = make_prompts()
    with_adapter = sampler.sample(prompts, 2, SETTINGS, adapters[kind], seed=3)
    without = sampler.sample(prompts, 2, SETTINGS, None, seed=3)
    assert recompute(models[kind], None, with_adapter, prompts) > 0.1
    assert recompute(models[kind], None, without, prompts) < 1e-4


def test_scaled_rotary_positions_agree_with_transformers(tmp_path: Path):
    folder = make_model("llama", tmp_path / "model")
    config = json.loads((folder / "config.json").read_text())
    config["rope_parameters"] = {
        "rope_type": "llama3",
        "rope_theta": 10000.0,
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 32,
    }
    (folder / "config.json").write_text(json.dumps(config))
    prompts = make_prompts()
    replies = TransformersSampler(folder, dtype=torch.float32).sample(prompts, 2, SETTINGS, None, seed=3)
    assert recompute(folder, None, replies, prompts) < 1e-4


@pytest.mark.parametrize("kind", FAST_KINDS)
def test_bfloat16_stays_near_float32(models, adapters, kind: str):
    sampler = TransformersSampler(models[kind], dtype=torch.bfloat16)
    prompts = make_prompts()
    replies = sampler.sample(prompts, 3, SETTINGS, adapters[kind], seed=3)
    assert 1e-6 < recompute(models[kind], adapters[kind], replies, prompts) < 0.3


def test_prompts_of_several_databases_and_without_a_prefix_mix_in_one_call(models):
    prompts = make_prompts(2)
    prompts += [
        Prompt("other", tuple(range(90, 130)), 30),
        Prompt("alone", (9, 8, 7), 0),
        Prompt("all", (4, 5), 2),
    ]
    sampler = TransformersSampler(models["qwen3"], dtype=torch.float32)
    replies = sampler.sample(prompts, 2, SETTINGS, None, seed=3)
    assert [reply.task_id for reply in replies] == [p.key for p in prompts for _ in range(2)]
    assert [reply.prompt_tokens for reply in replies[::2]] == [len(p.token_ids) for p in prompts]
    assert recompute(models["qwen3"], None, replies, prompts) < 1e-4


@pytest.mark.parametrize("kind", ["llama", "qwen3.5"])
def test_replies_come_in_order_and_a_second_run_gives_the_same(models, adapters, kind: str):
    prompts = make_prompts()
    runs = [
        TransformersSampler(models[kind]).sample(prompts, 3, SETTINGS, adapters[kind], seed=5)
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
    assert [(r.task_id, r.sample) for r in runs[0]] == [(p.key, n) for p in prompts for n in range(3)]
    other = TransformersSampler(models[kind]).sample(prompts, 3, SETTINGS, adapters[kind], seed=6)
    assert [r.token_ids for r in other] != [r.token_ids for r in runs[0]]


@pytest.mark.parametrize("kind", ["llama", "qwen3.5"])
def test_a_reply_does_not_depend_on_what_runs_beside_it(models, kind: str):
    prompts = make_prompts()
    sampler = TransformersSampler(models[kind], dtype=torch.float32)
    together = sampler.sample(prompts, 3, SETTINGS, None, seed=5)
    alone = sampler.sample(prompts[3:4], 2, SamplingSettings(1.0, 1.0, 20, 1), None, seed=5)
    assert [r.token_ids for r in alone] == [r.token_ids for r in together if r.task_id == "task-3"][:2]


@pytest.mark.parametrize("kind", ["qwen3", "qwen3.5"])
def test_the_end_token_is_kept_in_the_ids_and_left_out_of_the_text(models, adapters, kind: str):
    prompts = make_prompts()
    sampler = TransformersSampler(models[kind], dtype=torch.float32)
    drawn = sampler.sample(prompts, 2, SETTINGS, None, seed=5)
    assert {r.finish_reason for r in drawn} == {"length"}
    assert all(len(r.token_ids) == SETTINGS.max_tokens == len(r.logprobs) for r in drawn)
    end = drawn[0].token_ids[4]
    sampler._tokens.ends = frozenset({end})
    again = sampler.sample(prompts, 2, SETTINGS, None, seed=5)
    for before, after in zip(drawn, again, strict=True):
        if end in before.token_ids:
            stop = before.token_ids.index(end) + 1
            assert (after.token_ids, after.finish_reason) == (before.token_ids[:stop], "stop")
            assert after.text == sampler._tokens._tokenizer.decode(
                after.token_ids[:-1], skip_special_tokens=True
            )
        else:
            assert (after.token_ids, after.finish_reason) == (before.token_ids, "length")
    assert again[0].finish_reason == "stop"


def test_end_tokens_are_those_of_the_generation_config_and_of_the_tokenizer(tmp_path: Path):
    folder = make_model("llama", tmp_path / "model")
    config = json.loads((folder / "generation_config.json").read_text())
    (folder / "generation_config.json").write_text(json.dumps(config | {"eos_token_id": [7, 9]}))
    assert TransformersSampler(folder)._tokens.ends == {2, 7, 9}


def test_temperature_zero_takes_the_likeliest_token(models):
    prompts = make_prompts(2)
    sampler = TransformersSampler(models["qwen2"], dtype=torch.float32)
    replies = sampler.sample(prompts, 2, SamplingSettings(0.0, 1.0, 12, 8), None, seed=1)
    model = AutoModelForCausalLM.from_pretrained(models["qwen2"], dtype=torch.float32)
    for prompt, reply in zip(prompts, replies[::2], strict=True):
        greedy = model.generate(torch.tensor([prompt.token_ids]), max_new_tokens=12, do_sample=False)
        assert reply.token_ids == tuple(greedy[0, len(prompt.token_ids) :].tolist())
    assert [r.token_ids for r in replies[::2]] == [r.token_ids for r in replies[1::2]]


def test_an_architecture_without_a_fast_path_says_so(models, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.INFO)
    TransformersSampler(models["llama"])
    assert "no fast path" not in caplog.text
    TransformersSampler(models["qwen3.5"])
    assert "no fast path" in caplog.text


def test_another_adapter_in_the_same_folder_is_noticed(models, adapters, tmp_path: Path):
    sampler = TransformersSampler(models["llama"], dtype=torch.float32)
    folder = tmp_path / "adapter"
    folder.mkdir()
    (folder / "adapter_config.json").write_bytes((adapters["llama"] / "adapter_config.json").read_bytes())
    tensors = load_file(adapters["llama"] / "adapter_model.safetensors")
    prompts = make_prompts(1)
    drawn = []
    for scale in (0.0, 3.0):
        save_file(
            {name: tensor * scale for name, tensor in tensors.items()}, folder / "adapter_model.safetensors"
        )
        drawn.append(sampler.sample(prompts, 1, SETTINGS, folder, seed=1)[0])
    assert drawn[0].token_ids == sampler.sample(prompts, 1, SETTINGS, None, seed=1)[0].token_ids
    assert drawn[1].token_ids != drawn[0].token_ids


@pytest.mark.parametrize("kind", ["llama", "qwen3.5"])
def test_an_adapter_whose_names_the_model_does_not_know_is_refused(
    models, adapters, kind: str, tmp_path: Path
):
    config = (adapters[kind] / "adapter_config.json").read_bytes()
    (tmp_path / "adapter_config.json").write_bytes(config)
    tensors = load_file(adapters[kind] / "adapter_model.safetensors")
    renamed = {name.replace("model.layers", "language_model.layers"): t for name, t in tensors.items()}
    save_file(renamed, tmp_path / "adapter_model.safetensors")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(UserError, match="language_model"):
            TransformersSampler(models[kind]).sample(make_prompts(1), 1, SETTINGS, tmp_path, seed=1)


def test_a_prompt_beyond_the_models_context_is_refused(models):
    prompt = Prompt("long", tuple([5] * 4090), 0)
    with pytest.raises(UserError, match=r"long.*4090.*20.*4096"):
        TransformersSampler(models["llama"]).sample([prompt], 1, SETTINGS, None, seed=1)


def test_a_folder_without_a_model_is_refused(tmp_path: Path):
    with pytest.raises(UserError, match="no model here"):
        open_sampler("transformers", tmp_path, EngineSettings())


def test_an_unknown_kind_of_sampler_is_refused(tmp_path: Path):
    with pytest.raises(UserError, match="'vlm'; allowed: transformers"):
        open_sampler("vlm", tmp_path, EngineSettings())
