import math
from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch
from trl import GRPOTrainer

from sqlrl.errors import UserError
from sqlrl.records import read_jsonl
from sqlrl.training.log import TrainingStep
from sqlrl.verifier.reward import Outcome, Verdict
from tests.training_bench import ADAPTIVE, GRPO, SFT, judge_by_length

STILL = {"lora": {**GRPO["lora"], "dropout": 0.0}}


def always(reward):
    """A verifier that pays the same for everything."""

    def judge(submissions):
        outcome = Outcome("wrong", "rows_differ")
        return [Verdict(None, {"main": outcome}, reward) for _ in submissions]

    return judge


@pytest.fixture(scope="module")
def parent(bench):
    return bench.run("grpo-parent", SFT).adapter


def open_step(bench, parent, change=None, judge=judge_by_length):
    """A trainer with its first step sampled and scored, and the micro-batches of that step."""
    stage = bench.stage({**GRPO, "micro_batch_size": 8, **(change or {})}, parent, work="work-step")
    trainer = bench.trainer(stage, judge)
    trainer.model.train()
    trainer.current_gradient_accumulation_steps = 1
    return trainer, trainer._prepare_inputs([{"prompt": ""} for _ in range(8)])


def gradients(trainer, loss):
    trainer.model.zero_grad()
    loss.backward()
    trainer._likelihood.finish()
    found = {n: w.grad.clone() for n, w in trainer.model.named_parameters() if w.grad is not None}
    trainer.model.zero_grad()
    return found


@pytest.mark.parametrize("change", [{}, {"temperature": 0.8}, {"loss": "grpo"}, {"beta": 0.1}])
def test_loss_and_gradients_are_those_of_trl(bench, parent, change, monkeypatch):
    monkeypatch.setattr("sqlrl.training.policy.best_dtype", lambda: torch.float32)
    trainer, inputs = open_step(bench, parent, {**change, **STILL})
    loss = trainer._compute_loss(trainer.model, inputs)
    own = gradients(trainer, loss)
    monkeypatch.setattr(
        type(trainer), "_get_per_token_logps_and_entropies", GRPOTrainer._get_per_token_logps_and_entropies
    )
    trainer._logprobs = torch.zeros_like(inputs["sampling_per_token_logps"])
    theirs_loss = trainer._compute_loss(trainer.model, inputs)
    theirs = gradients(trainer, theirs_loss)
    torch.testing.assert_close(loss, theirs_loss, atol=1e-5, rtol=1e-4)
    assert max(float(gradient.abs().max()) for gradient in own.values()) > 1e-3
    for name, gradient in theirs.items():
        torch.testing.assert_close(own.get(name, torch.zeros_like(gradient)), gradient, atol=1e-5, rtol=1e-3)


def test_advantages_are_rewards_less_their_groups_mean_over_their_spread(bench, parent):
    trainer, inputs = open_step(bench, parent)
    rewards = torch.tensor([verdict.reward for verdict in trainer._round.verdicts]).view(2, 4)
    expected = (rewards - rewards.mean(1, keepdim=True)) / (rewards.std(1, keepdim=True) + 1e-4)
    torch.testing.assert_close(inputs["advantages"].view(2, 4), expected)
    assert rewards.std(1).max() > 0


def test_a_step_without_variance_changes_nothing_and_is_logged_as_such(bench, parent):
    products = bench.run("no-variance", {**GRPO, "steps": 2, "checkpoints": []}, parent, judge=always(0.1))
    steps = read_jsonl(products.training_log, TrainingStep)
    assert [step.zero_variance for step in steps] == [1.0, 1.0]
    assert [step.gradient_norm for step in steps] == [0.0, 0.0]
    assert (products.adapter / "adapter_model.safetensors").read_bytes() == (
        parent / "adapter_model.safetensors"
    ).read_bytes()


def test_the_log_counts_what_was_sampled_and_judged(bench, parent):
    seen = []

    def judge(submissions):
        seen.append(judge_by_length(submissions))
        return seen[-1]

    steps = read_jsonl(bench.run("counts", GRPO, parent, judge=judge).training_log, TrainingStep)
    assert len(steps) == len(seen) == 5
    for step, verdicts in zip(steps, seen, strict=True):
        rewards = [verdict.reward for verdict in verdicts]
        groups = [rewards[:4], rewards[4:]]
        assert step.samples == 8
        assert step.reward == pytest.approx(sum(rewards) / 8, abs=1e-6)
        assert step.zero_variance == sum(len(set(group)) == 1 for group in groups) / 2
        assert step.verdicts.get("match", 0.0) == pytest.approx(step.reward, abs=1e-6)
        assert step.completion_length == step.tokens / 8
        assert 0 <= step.truncated <= 1
        assert step.entropy > 0
    mixed = [step for step in steps if step.zero_variance < 1]
    assert mixed
    assert all(step.logprob_difference < 0.1 for step in mixed)


def test_truncated_replies_teach_nothing_where_they_are_masked(bench, parent):
    change = {"truncated": "mask", "max_tokens": 2}
    trainer, inputs = open_step(bench, parent, change)
    cut = torch.tensor([reply.finish_reason == "length" for reply in trainer._round.replies])
    assert cut.any()
    assert not inputs["completion_mask"][cut].any()
    trainer, inputs = open_step(bench, parent, {**change, "truncated": "judge"})
    assert inputs["completion_mask"].any(1).all()


def test_truncated_replies_are_paid_as_errors_where_they_are_to_be_zero(bench, parent):
    trainer, inputs = open_step(bench, parent, {"truncated": "zero", "max_tokens": 2}, judge=always(1.0))
    paid = {
        reply.finish_reason: verdict.reward
        for reply, verdict in zip(trainer._round.replies, trainer._round.verdicts, strict=True)
    }
    assert paid.pop("length") == 0.0
    assert set(paid.values()) <= {1.0}
    assert inputs["completion_mask"].any(1).all()


def test_groups_without_variance_give_way_to_others_within_the_step(bench, parent):
    """Half of the tasks pay always the same; the step trains on the other half."""
    flat = {task.reference_sql for task in bench.tasks[::2]}

    def judge(submissions):
        found = judge_by_length(submissions)
        return [
            replace(verdict, reward=0.1) if one.reference_sql in flat else verdict
            for one, verdict in zip(submissions, found, strict=True)
        ]

    settings = {**GRPO, "feed": "adaptive", "adaptive": {**ADAPTIVE, "backfill": 4.0}, "steps": 4}
    stage = bench.stage({**settings, "checkpoints": []}, parent, work="work-fill")
    trainer = bench.trainer(stage, judge)
    trained = []
    real = trainer.roll_out
    trainer.roll_out = lambda: (real(), trained.append(trainer._round))[0]
    stage.train(trainer)
    steps = stage.log.read()
    assert any(step.groups > 2 for step in steps)
    assert all(step.groups <= 8 and step.samples == 4 * step.groups for step in steps)
    for step, one in zip(steps, trained, strict=True):
        assert len(one.prompts) == 2
        mixed = round(step.groups * (1 - step.zero_variance))
        assert one.mixed.count(True) == min(mixed, 2)
        assert step.gradient_samples == 4 * min(mixed, 2)


@pytest.mark.parametrize(("reference", "expected"), [("base", False), ("parent", True)])
def test_kl_is_measured_to_the_base_or_to_the_parent(bench, parent, reference, expected):
    trainer, inputs = open_step(bench, parent, {"beta": 0.1, "kl_reference": reference, **STILL})
    trainer._compute_loss(trainer.model, inputs)
    seen = inputs["completion_mask"].bool()
    to_parent = (inputs["ref_per_token_logps"] - trainer._logprobs)[seen].abs().max() < 1e-6
    assert bool(to_parent) is expected
    assert trainer.model.active_adapters == ["default"]
    assert all("ref" not in name for name in trainer._stage.policy.peft_config) or expected


def test_a_reference_adapter_is_not_among_the_products(bench, parent):
    change = {"beta": 0.1, "kl_reference": "parent", "steps": 3, **STILL}
    products = bench.run("reference", {**GRPO, **change}, parent)
    names = {path.name for path in products.adapter.iterdir()}
    assert names == {"adapter.json", "adapter_config.json", "adapter_model.safetensors"}
    steps = read_jsonl(products.training_log, TrainingStep)
    assert steps[0].kl == pytest.approx(0.0, abs=1e-6)
    assert steps[-1].kl > 0


def test_a_stage_with_fewer_tasks_than_a_step_takes_says_what_to_change(bench):
    stage = bench.stage(GRPO)
    with pytest.raises(UserError, match="1 training tasks are left, but prompts_per_step is 2"):
        bench.trainer(stage, tasks=bench.tasks[:1])


def test_the_sampler_gets_a_fresh_folder_and_seed_each_step(bench, parent):
    stage = bench.stage({**GRPO, "steps": 4, "checkpoints": []}, parent, work="work-folders")
    trainer = bench.trainer(stage)
    calls = []
    sampler = trainer._player.sampler
    real = sampler.sample

    def sample(prompts, n, settings, adapter, seed):
        calls.append(SimpleNamespace(adapter=adapter, seed=seed, keys=[p.key for p in prompts]))
        return real(prompts, n, settings, adapter, seed)

    sampler.sample = sample
    stage.train(trainer)
    assert len({call.adapter for call in calls}) == len({call.seed for call in calls}) == 4
    assert [folder.name for folder in sorted(stage.work.policy.iterdir())] == ["step-2", "step-3"]
    assert calls[0].keys != calls[1].keys
    assert not math.isnan(trainer.spent.loss)
