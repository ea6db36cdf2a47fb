"""Samples that are drawn together for several steps, judged while others are drawn, and layers that run twice."""

import json
from contextlib import closing

import pytest
import torch

from sqlrl.errors import UserError
from sqlrl.records import read_jsonl
from sqlrl.sampling.transformers import TransformersSampler
from sqlrl.training.judging import Judging
from sqlrl.training.log import TrainingStep
from sqlrl.training.settings import GrpoSettings, read_stage
from tests.training_bench import ADAPTIVE, GRPO, SFT, judge_by_length, product_bytes

STILL = {"lora": {**GRPO["lora"], "dropout": 0.0}}
TOGETHER = {**GRPO, **STILL, "steps": 4, "steps_per_generation": 2, "checkpoints": []}


@pytest.mark.parametrize(("change", "message"), [
    ({"save_steps": 3}, "save_steps is 3, no multiple of steps_per_generation = 2"),
    ({"steps": 5}, "steps is 5, no multiple of steps_per_generation = 2"),
    ({"feed": "adaptive", "adaptive": ADAPTIVE}, "set steps_per_generation to 1, not 2"),
])  # fmt: skip
def test_steps_that_share_samples_must_fit_saves_and_feed(change, message):
    with pytest.raises(UserError, match=message):
        read_stage(GrpoSettings, json.dumps({**TOGETHER, **change}), "stage")


def test_the_steps_of_a_generation_learn_from_one_policy_and_are_logged_apart(bench):
    asked = []

    class Asked(TransformersSampler):
        def sample(self, prompts, n, settings, adapter, seed):
            asked.append((len(prompts), adapter.name))
            return super().sample(prompts, n, settings, adapter, seed)

    products = bench.run("together", TOGETHER, sampler=Asked(bench.model))
    assert asked == [(4, "step-0"), (4, "step-2")]
    steps = read_jsonl(products.training_log, TrainingStep)
    assert [step.samples for step in steps] == [8, 8, 8, 8]
    assert len({step.entropy for step in steps}) == 4
    # The first step's samples are its own policy's, the second's are not.
    assert steps[0].logprob_difference < 1e-3 < steps[1].logprob_difference


class Landing(TransformersSampler):
    """Hands replies over one by one, the last first."""

    def land(self, wanted, settings, adapter, seed):
        prompts = list({one.prompt.key: one.prompt for one in wanted}.values())
        n = max(one.sample for one in wanted) + 1
        yield from reversed(self.sample(prompts, n, settings, adapter, seed))


def test_replies_that_land_one_by_one_train_the_same_policy(bench):
    batches = []

    def judge(submissions):
        batches.append(len(submissions))
        return judge_by_length(submissions)

    given = {**GRPO, "prompts_per_step": 6, "steps": 2, "checkpoints": []}
    whole = bench.run("landed-whole", given, judge=judge)
    assert batches == [24, 24]
    batches.clear()
    landed = bench.run("landed", given, judge=judge, sampler=Landing(bench.model))
    assert batches == [16, 8, 16, 8]
    assert product_bytes(landed) == product_bytes(whole)


def test_judging_gives_each_reply_its_own_verdict(bench):
    tasks = {task.id: task for task in bench.tasks[:3]}
    sampler = Landing(bench.model)
    prompts = [bench.prompts.write(task.id, task.database, task.question) for task in tasks.values()]
    from sqlrl.sampling.sampler import Request, SamplingSettings

    wanted = [Request(prompt, number) for prompt in prompts for number in range(8)]
    with (
        Judging(judge_by_length, tasks) as judging,
        closing(sampler.land(wanted, SamplingSettings(1.0, 1.0, 12, 8), None, 1)) as replies,
    ):
        heard = []
        for reply in replies:
            judging.hear(reply)
            heard.append(reply)
        verdicts = judging.verdicts(heard)
    assert [verdict.sql for verdict in verdicts] == [reply.text for reply in heard]


def test_a_judge_that_fails_ends_the_step(bench):
    def fail(submissions):
        raise UserError("the server is gone")

    stage = bench.stage(GRPO, work="work-judge")
    with pytest.raises(UserError, match="the server is gone"):
        stage.train(bench.trainer(stage, fail, sampler=Landing(bench.model)))


@pytest.mark.parametrize("given", [{**SFT, **STILL}, {**GRPO, **STILL}], ids=["sft", "grpo"])
def test_layers_that_run_again_give_the_same_policy(bench, given, monkeypatch):
    monkeypatch.setattr("sqlrl.training.policy.best_cpu_dtype", lambda: torch.float32)
    given = {**given, "steps": 2, "checkpoints": []}
    name = f"again-{given['kind']}"
    plain, again = (
        bench.run(f"{name}-{flag}", {**given, "gradient_checkpointing": flag}) for flag in (False, True)
    )
    losses = [[step.loss for step in read_jsonl(one.training_log, TrainingStep)] for one in (plain, again)]
    assert losses[0] == pytest.approx(losses[1], abs=1e-4)
    from safetensors.torch import load_file

    before, after = (load_file(one.adapter / "adapter_model.safetensors") for one in (plain, again))
    for key, value in before.items():
        torch.testing.assert_close(after[key], value, atol=1e-5, rtol=1e-3)
