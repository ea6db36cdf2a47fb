"""Seconds of a GRPO step: this project's trainer against plain TRL, same model, tasks and settings.

Plain TRL samples with transformers' generate and runs the whole prompt again for every sample. Both
get the same rule for rewards, which mixes every group, so that no sample is left out of the loss.

Usage: python -m benchmarks.grpo_step --model results/models/smollm2-135m/model.json \\
    --tasks results/laptop/tasks/shop-train.jsonl --databases results/databases/shop/main.json \\
    --notes databases/shop/notes.md
"""

import argparse
import itertools
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from datasets import Dataset
from transformers import PrinterCallback, TrainerCallback
from trl import GRPOConfig, GRPOTrainer

from sqlrl.authoring.task import Task
from sqlrl.models.prompts import PromptSettings, PromptWriter
from sqlrl.records import read_jsonl
from sqlrl.sampling.engine_settings import EngineSettings
from sqlrl.sampling.open import open_sampler
from sqlrl.training.feed import SweepFeed
from sqlrl.training.grpo import GrpoTrainer
from sqlrl.training.open_feed import open_feed
from sqlrl.training.play import Player
from sqlrl.training.policy import open_policy
from sqlrl.training.settings import AdaptiveSettings, GrpoSettings, LoraSettings
from sqlrl.training.stage import Request, Stage
from sqlrl.verifier.reward import Outcome, Submission, Verdict, VerifierSettings

PAYMENT = VerifierSettings(1.0, 0.1, 0.0, "main", statement_timeout_seconds=3.0, workers=2)
LORA = LoraSettings(rank=16, alpha=32, dropout=0.0, targets="all-linear")


class StepClock(TrainerCallback):  # type: ignore[misc]  # transformers has no types
    """Wall seconds of every step."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def on_step_begin(self, *_: Any, **__: Any) -> None:
        self._start = time.monotonic()

    def on_step_end(self, *_: Any, **__: Any) -> None:
        self.seconds.append(time.monotonic() - self._start)


def main() -> None:
    arguments = make_arguments().parse_args()
    settings = make_settings(arguments)
    tasks = read_jsonl(arguments.tasks, Task)
    prompt = PromptSettings(arguments.schema, "", None)
    prompts = PromptWriter(arguments.model.parent, prompt, [arguments.databases], [arguments.notes])
    with tempfile.TemporaryDirectory() as folder:
        ours, spent, tokens = time_ours(arguments.model, settings, tasks, prompts, Path(folder) / "ours")
        plain, plain_tokens = time_plain(arguments.model, settings, tasks, prompts, Path(folder) / "plain")
    print(
        f"{settings.prompts_per_step} prompts x {settings.group_size} samples, up to {settings.max_tokens} tokens"
    )
    print(f"this project: {ours:.1f} s a step ({spent}), {tokens:.0f} tokens sampled")
    print(f"plain TRL:    {plain:.1f} s a step, {plain_tokens:.0f} tokens sampled")
    print(f"ratio: {plain / ours:.2f}")


def make_arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, required=True, help="model.json of the base model")
    parser.add_argument("--tasks", type=Path, required=True, help="training tasks, JSONL")
    parser.add_argument("--databases", type=Path, required=True, help="catalog of the main database")
    parser.add_argument("--notes", type=Path, required=True, help="notes.md")
    parser.add_argument("--schema", choices=("compact", "ddl"), default="compact")
    parser.add_argument("--prompts", type=int, default=8, help="prompts a step")
    parser.add_argument("--samples", type=int, default=8, help="samples a prompt")
    parser.add_argument("--max-tokens", type=int, default=128)
    parser.add_argument("--steps", type=int, default=2, help="steps of each; the first one is not counted")
    return parser


def make_settings(arguments: argparse.Namespace) -> GrpoSettings:
    return GrpoSettings(
        kind="grpo", steps=arguments.steps, prompts_per_step=arguments.prompts, group_size=arguments.samples,
        steps_per_generation=1, gradient_checkpointing=False,
        micro_batch_size=arguments.samples, learning_rate=1e-4, warmup_steps=0, schedule="constant",
        max_grad_norm=1.0, beta=0.0, kl_reference="base", temperature=1.0, max_tokens=arguments.max_tokens,
        loss="dapo", scale_rewards="group", truncated="judge", epsilon=0.2, feed="sweep",
        adaptive=AdaptiveSettings(1.0, 3.0, 0.93, 0.07, 0.1, 2.0), stop_without_variance=None, seed=1, checkpoints=(),
        save_steps=10**6, lora=LORA,
    )  # fmt: skip


def time_ours(
    model: Path, settings: GrpoSettings, tasks: Sequence[Task], prompts: PromptWriter, work: Path
) -> tuple[float, str, float]:
    """Mean seconds of a step after the first, where they went, and tokens sampled a step."""
    stage = Stage(Request(settings, {}, model, None, [], {}, ""), prompts, work)
    sampler = open_sampler("transformers", model.parent, EngineSettings())
    feed = open_feed(settings, tasks, [])
    trainer = GrpoTrainer(Player(stage, feed, sampler, make_judge(settings.group_size), PAYMENT))
    clock = StepClock()
    trainer.add_callback(clock)
    stage.train(trainer)
    sampler.close()
    tokens = [step.tokens for step in stage.log.read()]
    return mean_after_first(clock.seconds), str(trainer.spent), mean_after_first(tokens)


def time_plain(
    model: Path, settings: GrpoSettings, tasks: Sequence[Task], prompts: PromptWriter, work: Path
) -> tuple[float, float]:
    """The same of TRL's own trainer."""
    feed = SweepFeed(tasks, settings.prompts_per_step, settings.seed, "prompts_per_step")
    chosen = [task for step in range(settings.steps) for task in feed.tasks(step)]
    rows = Dataset.from_dict({"prompt": [prompts.messages(task.database, task.question) for task in chosen]})
    lengths: list[float] = []
    places = itertools.count()

    def reward(completion_ids: list[list[int]], **_: Any) -> list[float]:
        lengths.append(sum(map(len, completion_ids)))
        return [mixed_reward(next(places), settings.group_size) for _ in completion_ids]

    trainer = GRPOTrainer(
        model=open_policy(model.parent, None, settings.lora, settings.seed),
        reward_funcs=reward,
        args=plain_arguments(settings, work),
        train_dataset=rows,
        processing_class=prompts.tokenizer,
    )
    clock = StepClock()
    trainer.add_callback(clock)
    trainer.remove_callback(PrinterCallback)
    trainer.train()
    return mean_after_first(clock.seconds), mean_after_first(lengths)


def plain_arguments(settings: GrpoSettings, work: Path) -> GRPOConfig:
    """The same settings in TRL's words."""
    samples = settings.prompts_per_step * settings.group_size
    return GRPOConfig(
        output_dir=str(work),
        max_steps=settings.steps,
        per_device_train_batch_size=settings.micro_batch_size,
        gradient_accumulation_steps=samples // settings.micro_batch_size,
        learning_rate=settings.learning_rate,
        num_generations=settings.group_size,
        max_completion_length=settings.max_tokens,
        temperature=settings.temperature,
        beta=settings.beta,
        loss_type=settings.loss,
        shuffle_dataset=False,
        gradient_checkpointing=False,
        dataloader_pin_memory=False,
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
        use_cpu=True,
        bf16=True,
    )


def make_judge(group_size: int) -> Callable[[Sequence[Submission]], list[Verdict]]:
    """Rewards that alternate within every group."""

    def judge(submissions: Sequence[Submission]) -> list[Verdict]:
        rewards = [mixed_reward(place, group_size) for place in range(len(submissions))]
        outcome = Outcome("wrong", "rows_differ")
        return [Verdict(None, {"main": outcome}, reward) for reward in rewards]

    return judge


def mixed_reward(place: int, group_size: int) -> float:
    return float(place % group_size % 2)


def mean_after_first(values: Sequence[float]) -> float:
    return sum(values[1:]) / (len(values) - 1)


if __name__ == "__main__":
    main()
