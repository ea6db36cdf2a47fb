"""Supervised fine-tuning: the policy imitates the replies of its lessons."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch.utils.data import Dataset, SequentialSampler
from transformers import Trainer, TrainingArguments

from sqlrl import ranks
from sqlrl.errors import UserError
from sqlrl.models.prompts import PromptWriter
from sqlrl.training.exchange import Exchange
from sqlrl.training.feed import SweepFeed
from sqlrl.training.lessons import Lesson
from sqlrl.training.likelihood import Likelihood
from sqlrl.training.log import TrainingStep
from sqlrl.training.probe import see
from sqlrl.training.settings import SftSettings
from sqlrl.training.stage import Stage
from sqlrl.training.trainer import common_arguments


class Schedule(Dataset[Exchange]):
    """What the feed gives, step after step, in one row."""

    def __init__(self, feed: SweepFeed[Lesson], steps: int, batch_size: int, prompts: PromptWriter) -> None:
        self._feed, self._length, self._batch_size, self._prompts = (
            feed,
            steps * batch_size,
            batch_size,
            prompts,
        )

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, place: int) -> Exchange:
        step, number = divmod(place, self._batch_size)
        return self._feed.tasks(step)[number].exchange(self._prompts)


class SftTrainer(Trainer):  # type: ignore[misc]  # transformers has no types
    """transformers' Trainer with a loss on reply tokens only, averaged over the whole batch's tokens."""

    def __init__(self, stage: Stage[SftSettings], lessons: Sequence[Lesson]) -> None:
        settings = stage.settings
        feed = SweepFeed(lessons, settings.batch_size, settings.seed, "batch_size")
        together = settings.micro_batch_size * ranks.world()
        if settings.batch_size % together:
            raise UserError(
                f"{ranks.world()} processes can't share {settings.batch_size} lessons a step evenly in "
                f"micro-batches of {settings.micro_batch_size}: "
                "batch_size must be a multiple of gpus * micro_batch_size."
            )
        accumulation = settings.batch_size // together
        super().__init__(
            model=stage.policy,
            args=TrainingArguments(
                **common_arguments(stage.policy, settings, stage.work, accumulation, stage.request.reporting)
            ),
            train_dataset=Schedule(feed, settings.steps, settings.batch_size, stage.prompts),
            data_collator=list,
            callbacks=[stage.keeper],
        )
        self.loss_is_scaled_for_ga = True
        self._stage = stage
        self._likelihood = Likelihood(
            stage.policy,
            [lesson.exchange(stage.prompts) for lesson in feed.tasks(0)[:2]],
            settings.gradient_checkpointing,
        )
        self._feed = feed
        stage.probe_with(self._likelihood)

    def train(self, resume_from_checkpoint: str | None = None, **named: Any) -> Any:
        """transformers' own; the probes go on from what was seen."""
        self._stage.restore_seen(resume_from_checkpoint)
        return super().train(resume_from_checkpoint, **named)

    def get_batch_samples(self, *arguments: Any) -> tuple[list[list[Exchange]], float]:
        """The micro-batches of a step, and how many reply tokens a process has of it on average."""
        batches, _ = super().get_batch_samples(*arguments)
        lessons = self._feed.tasks(self.state.global_step)
        exchanges = [lesson.exchange(self._stage.prompts) for lesson in lessons]
        self._stage.see(
            see(lesson.task.id, exchange.prompt, exchange.prefix, exchange.reply)
            for lesson, exchange in zip(lessons, exchanges, strict=True)
        )
        self._tokens = sum(len(exchange.reply) for exchange in exchanges)
        return batches, self._tokens / ranks.world()

    def compute_loss(
        self, model: Any, inputs: list[Exchange], return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> torch.Tensor:
        """Negative log-likelihood of the reply tokens of a micro-batch, over those of the whole step."""
        loss: torch.Tensor = -self._likelihood.logprobs(inputs).sum() / num_items_in_batch
        return loss

    def training_step(self, *arguments: Any, **named: Any) -> torch.Tensor:
        """One micro-batch; the last one of a step completes the gradients."""
        loss: torch.Tensor = super().training_step(*arguments, **named)
        if self.accelerator.sync_gradients:
            self._likelihood.finish()
            ranks.average_gradients(self._stage.policy.parameters())
        return loss

    def log(self, logs: dict[str, float], *arguments: Any) -> None:
        """Record a step."""
        if "loss" in logs:
            step = TrainingStep(
                step=self.state.global_step,
                loss=round(logs["loss"], 6),
                learning_rate=logs["learning_rate"],
                gradient_norm=round(logs["grad_norm"], 6),
                tokens=self._tokens,
                samples=self._stage.settings.batch_size,
            )
            self._stage.keeper.record(step)
        super().log(logs, *arguments)

    def _prepare_inputs(self, inputs: list[Exchange]) -> list[Exchange]:
        return inputs

    def _get_train_sampler(self, *_: Any) -> SequentialSampler:
        return SequentialSampler(self.train_dataset)

    def _save(self, output_dir: str | None = None, state_dict: Any = None) -> None:
        folder = Path(output_dir or self.args.output_dir)
        self._stage.save(folder)
        self._stage.save_seen(folder)
