"""The gate passes what is served as it was trained, and names each known mistake."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from sqlrl.models.prompts import PromptSettings
from sqlrl.parity.findings import ParitySettings
from sqlrl.parity.gate import Gate, Served, draw, open_referee
from sqlrl.parity.trained import Trained
from sqlrl.parity.words import Prompting
from sqlrl.sampling.transformers import TransformersSampler
from sqlrl.training.checkpoints import extract_step, read_step
from sqlrl.training.manifest import CONFIG, WEIGHTS, read_manifest
from sqlrl.training.probe import read_probes
from tests.training_bench import PAYMENT, judge_by_length

SETTINGS = ParitySettings(
    samples=8, floor=0.01, slope=0.05, reload=0.001, reward=0.05,
    temperature=1.0, max_tokens=24, batch_size=64, truncated="judge", seed=3,
)  # fmt: skip


class Faulty:
    """A server that draws from something else than it was asked to."""

    def __init__(self, sampler, adapter=lambda asked: asked, change=lambda settings: settings):
        self._sampler, self._adapter, self._change = sampler, adapter, change

    def sample(self, prompts, n, settings, adapter, seed):
        return self._sampler.sample(
            prompts, n, self._change(settings), adapter and self._adapter(adapter), seed
        )

    def close(self): ...


def checkpoint(trained, name="grpo", adapter=None, model=None) -> Trained:
    bench, products = trained.bench, getattr(trained, name)
    folder = adapter or products.adapter
    manifest = read_manifest(folder)
    others = {
        "step 4": read_step(trained.grpo.checkpoints, 4),
        "sft": load_file(trained.sft.adapter / WEIGHTS),
    }
    probes = [one for one in read_probes(products.probes) if one.step == manifest.step]
    tasks = {task.id: task for task in bench.tasks}
    others = others if name == "grpo" else {}
    return Trained(model or bench.model, folder, manifest, probes, 4, tasks, others)


def prompting(bench, thinking=None, model=None) -> Prompting:
    settings = PromptSettings("compact", "", thinking)
    shop = bench.folder / "shop"
    return Prompting(model or bench.model, settings, [shop / "main.json"], [shop / "notes.md"])


def judge(trained, sampler, settings=SETTINGS, one=None, served_prompts=None, pay=judge_by_length):
    """All checks but that of turns, whose tokens random weights draw now and then."""
    one = one or checkpoint(trained)
    words = served_prompts or prompting(trained.bench)
    gate = Gate(one, settings)
    gate.check_files(words)
    if gate.cause is None:
        served = draw(one, words, sampler, settings)
        gate.check_weights(served, open_referee(one))
        gate.check_reward(served, pay, PAYMENT)
    return gate.result("transformers")


def copy_adapter(adapter: Path, folder: Path, change=lambda tensors: tensors, **config) -> Path:
    shutil.copytree(adapter, folder)
    (folder / CONFIG).write_text(json.dumps({**json.loads((folder / CONFIG).read_text()), **config}))
    save_file(change(load_file(folder / WEIGHTS)), folder / WEIGHTS, metadata={"format": "pt"})
    return folder


@pytest.mark.parametrize("name", ["sft", "grpo"])
def test_what_is_served_as_it_was_trained_passes(trained, name: str):
    found = judge(trained, trained.sampler, one=checkpoint(trained, name))
    assert found.passed, found
    assert found.cause is None
    checks = {check.name: check for check in found.checks}
    assert {check.state for check in found.checks} == {"passed"}
    assert ("reward" in checks) == (name == "grpo")
    assert checks["effect slope"].value == pytest.approx(1.0, abs=0.01)
    assert checks["reload"].value < 1e-5
    assert found.tokens > 50


def test_a_kept_step_passes_too(trained, tmp_path: Path):
    extract_step(trained.grpo.checkpoints, trained.grpo.adapter, 4, tmp_path / "adapter")
    assert judge(trained, trained.sampler, one=checkpoint(trained, adapter=tmp_path / "adapter")).passed


def test_weights_under_another_classes_names_are_named(trained, tmp_path: Path):
    def rename(tensors):
        return {
            name.replace("model.layers", "model.language_model.layers"): one for name, one in tensors.items()
        }

    wrong = copy_adapter(trained.grpo.adapter, tmp_path / "adapter", rename)
    found = judge(trained, trained.sampler, one=with_files(trained, wrong))
    assert "another class of this model (wrong prefix)" in found.cause


def test_weights_lost_from_the_files_are_named(trained, tmp_path: Path):
    def drop(tensors):
        return {name: one for name, one in tensors.items() if ".mlp." not in name}

    wrong = copy_adapter(trained.grpo.adapter, tmp_path / "adapter", drop)
    assert "part of it was lost on the way" in judge(trained, None, one=with_files(trained, wrong)).cause


def test_an_adapter_that_does_nothing_is_named(trained, tmp_path: Path):
    def empty(tensors):
        return {name: one * 0 if ".lora_B." in name else one for name, one in tensors.items()}

    wrong = copy_adapter(trained.grpo.adapter, tmp_path / "adapter", empty)
    assert "every lora_B is zero" in judge(trained, None, one=with_files(trained, wrong)).cause


def with_files(trained, folder: Path) -> Trained:
    return replace(checkpoint(trained), adapter=folder)


def test_modules_that_the_server_passes_over_are_named(trained, tmp_path: Path):
    def silence(tensors):
        return {name: one * 0 if ".mlp." in name else one for name, one in tensors.items()}

    lossy = copy_adapter(trained.grpo.adapter, tmp_path / "adapter", silence)
    found = judge(trained, Faulty(trained.sampler, lambda _: lossy))
    assert found.cause == "the modules of the MLP are missing"


def test_a_halved_scale_is_named(trained, tmp_path: Path):
    half = copy_adapter(trained.grpo.adapter, tmp_path / "adapter", lora_alpha=4)
    found = judge(trained, Faulty(trained.sampler, lambda _: half))
    assert found.cause.startswith("its scale is halved")
    assert not found.passed


def test_a_stale_adapter_is_named(trained):
    found = judge(trained, Faulty(trained.sampler, lambda _: trained.sft.adapter))
    assert found.cause.startswith("an older adapter is served, that of sft")


def test_a_reused_id_is_named(trained, tmp_path: Path):
    """A server that keeps adapters by number goes on with the first one it saw under it."""
    extract_step(trained.grpo.checkpoints, trained.grpo.adapter, 4, tmp_path / "step-4")
    seen: dict[int, Path] = {}
    server = Faulty(trained.sampler, lambda asked: seen.setdefault(1, asked))
    draw(checkpoint(trained, adapter=tmp_path / "step-4"), prompting(trained.bench), server, SETTINGS)
    assert judge(trained, server).cause.startswith("an older adapter is served, that of step 4")


def test_the_base_under_the_adapters_name_is_named(trained):
    found = judge(trained, Faulty(trained.sampler, lambda _: None))
    assert found.cause == "the base model is served under the adapter's name"
    slope = next(check for check in found.checks if check.name == "effect slope")
    assert slope.value == pytest.approx(0.0, abs=0.01)


def test_another_thinking_switch_is_named(trained):
    found = judge(trained, trained.sampler, served_prompts=prompting(trained.bench, thinking=False))
    assert found.cause == "the thinking switch differs: trained with None, served with False"


def test_another_chat_template_is_named(trained, tmp_path: Path):
    model = shutil.copytree(trained.bench.model, tmp_path / "model")
    template = model / "chat_template.jinja"
    template.write_text(template.read_text().replace("{{ message.content }}", "{{ message.content }}\n"))
    found = judge(trained, trained.sampler, served_prompts=prompting(trained.bench, model=model))
    assert "template drift" in found.cause
    assert "at token" in next(check for check in found.checks if check.name == "prompts").found


def colder(settings):
    return replace(settings, temperature=0.6)


def test_a_temperature_that_nobody_asked_for_is_named(trained):
    found = judge(trained, Faulty(trained.sampler, change=colder))
    assert "drawn at about temperature 0.6, not 1" in found.cause


def test_a_temperature_is_found_behind_log_probabilities_of_the_one_asked_for(trained):
    one, words = checkpoint(trained), prompting(trained.bench)
    served = draw(one, words, Faulty(trained.sampler, change=colder), SETTINGS)
    referee = open_referee(one)
    honest = Served(
        served.prompts,
        relabel(referee, served.prompts, served.adapted, True),
        relabel(referee, served.prompts, served.base, False),
    )
    gate = Gate(one, SETTINGS)
    gate.check_weights(honest, referee)
    assert [check.name for check in gate.checks if check.state == "failed"] == ["sampling"]
    assert "drawn at about temperature 0.6, not 1" in gate.cause


def relabel(referee, prompts, replies, adapted):
    """The same replies with the log-probabilities that they have at temperature 1."""
    from sqlrl.parity.referee import exchange_of

    by_key = {prompt.key: prompt for prompt in prompts}
    found = []
    for reply in replies:
        exchange = [exchange_of(by_key[reply.task_id], reply)]
        values = referee.adapted(exchange, 1.0)[:, 0] if adapted else referee.base(exchange, 1.0)
        found.append(replace(reply, logprobs=tuple(values.tolist())))
    return found


def test_a_base_that_training_changed_is_named(trained):
    one = checkpoint(trained)
    drifted = replace(one, manifest=replace(one.manifest, frozen_after="0" * 64))
    assert "training changed the frozen base" in judge(trained, trained.sampler, one=drifted).cause


def test_a_copy_merged_into_bfloat16_is_named(trained, tmp_path: Path):
    merged = merge(trained, tmp_path / "merged")
    base, own = trained.sampler, TransformersSampler(merged)

    class Merging:
        def sample(self, prompts, n, settings, adapter, seed):
            return (own if adapter else base).sample(prompts, n, settings, None, seed)

    found = judge(trained, Merging(), replace(SETTINGS, floor=0.0005))
    assert "merged into bfloat16" in found.cause


def merge(trained, folder: Path) -> Path:
    """A model folder that holds the base with the adapter, rounded as a server in bfloat16 has it."""
    with open_referee(checkpoint(trained)).merged(torch.bfloat16):
        pass
    referee = open_referee(checkpoint(trained))
    shutil.copytree(trained.bench.model, folder)
    with referee.merged(torch.bfloat16):
        weights = load_file(folder / "model.safetensors")
        for name, module in referee.policy.get_base_model().named_modules():
            if hasattr(module, "base_layer"):
                weights[f"{name}.weight"] = module.base_layer.weight.detach().clone().contiguous()
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def test_replies_that_earn_less_than_in_training_are_named(trained):
    def strict(submissions):
        return [replace(verdict, reward=0.0) for verdict in judge_by_length(submissions)]

    found = judge(trained, trained.sampler, pay=strict)
    assert found.cause.startswith("the weights are right, but replies earn less")


def test_a_second_turn_in_a_reply_is_found(trained):
    one, words = checkpoint(trained), prompting(trained.bench)
    served = draw(one, words, trained.sampler, SETTINGS)
    end = words.writer.tokenizer.eos_token_id
    single = [replace(reply, token_ids=(5, 6, end), finish_reason="stop") for reply in served.adapted]
    double = [replace(reply, token_ids=(5, end, 5, end)) for reply in single[:3]]
    found = []
    for replies in (single, [*double, *single[3:]]):
        gate = Gate(one, SETTINGS)
        gate.check_turns(replace(served, adapted=replies), words)
        found += gate.checks
    assert [check.state for check in found] == ["passed", "failed"]
    assert "3 have tokens within that begin or end a turn" in found[1].found
