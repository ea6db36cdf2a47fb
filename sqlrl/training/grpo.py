"""GRPO: TRL's trainer, with our feed, sampler, verifier and likelihood in it."""

import json
import logging
import time
import warnings
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

from sqlrl import ranks
from sqlrl.errors import UserError
from sqlrl.files import write_json
from sqlrl.records import read_text
from sqlrl.training.exchange import Exchange, ideal_exchange
from sqlrl.training.likelihood import Likelihood
from sqlrl.training.log import TrainingStep
from sqlrl.training.play import Player, Spent
from sqlrl.training.settings import GrpoSettings
from sqlrl.training.stage import Stage
from sqlrl.training.trainer import common_arguments

REFERENCE = "ref"
FEED = "feed.json"
logger = logging.getLogger(__name__)


class GrpoTrainer(GRPOTrainer):  # type: ignore[misc]  # TRL has no types
    """TRL's GRPOTrainer: advantages, loss and optimizer are its own.

    The feed chooses a step's tasks, our sampler draws from the adapter as it would be served, the
    verifier pays. Samples that can't move the policy are left out of the forward pass: those of a
    group without variance (with beta 0), and truncated ones where they are masked.
    """

    def __init__(self, player: Player) -> None:
        self._player = player
        self._stage = stage = player.stage
        settings = stage.settings
        rows = Dataset.from_dict({"prompt": [""] * (settings.steps * settings.prompts_per_step)})
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="You are using 'rollout_func'")
            super().__init__(
                model=stage.policy,
                reward_funcs=read_reward,
                args=_arguments(stage),
                train_dataset=rows,
                processing_class=stage.prompts.tokenizer,
                callbacks=[stage.keeper],
                rollout_func=lambda _, trainer: trainer.roll_out(),
            )
        if settings.kl_reference == "base" and REFERENCE in stage.policy.peft_config:
            # TRL copies the adapter that it is given as the reference; without it, the base is.
            stage.policy.delete_adapter(REFERENCE)
        self._likelihood = Likelihood(
            stage.policy,
            [ideal_exchange(task, stage.prompts) for task in player.feed.tasks(0)[:2]],
            settings.gradient_checkpointing,
        )
        stage.probe_with(self._likelihood)
        self._prefixes: dict[tuple[int, ...], int] = {}
        self._differences: list[torch.Tensor] = []
        self._buffered_inputs: list[dict[str, Any]] | None = None

    @property
    def spent(self) -> Spent:
        """Where the time went."""
        return self._player.spent

    def train(self, resume_from_checkpoint: str | None = None, **named: Any) -> Any:
        """TRL's; the feed goes on from where it was, and the end says where the time went."""
        self._stage.restore_seen(resume_from_checkpoint)
        if resume_from_checkpoint:
            self._player.feed.restore(json.loads(read_text(Path(resume_from_checkpoint) / FEED)))
        found = super().train(resume_from_checkpoint, **named)
        spent = self.spent
        logger.info(
            "sampling took %.0f s, judging %.0f s, the loss %.0f s", spent.sampling, spent.judging, spent.loss
        )
        return found

    def roll_out(self) -> dict[str, list[Any]]:
        """Sample and judge the step's tasks, in the form that TRL takes."""
        settings = self._stage.settings
        self._played = self._player.play(self.state.global_step)
        self._whole = self._played.best(settings.prompts_per_step * settings.steps_per_generation)
        self._stage.see(self._whole.seen())
        steps = range(settings.steps_per_generation)
        self._round = found = self._whole.groups(
            [group for step in steps for group in ranks.share(self._groups_of_step(step))]
        )
        self._prefixes = {prompt.token_ids: prompt.prefix_length for prompt in found.prompts}
        return {
            "prompt_ids": [
                list(prompt.token_ids) for prompt in found.prompts for _ in range(found.group_size)
            ],
            "completion_ids": [list(reply.token_ids) for reply in found.replies],
            "logprobs": [list(reply.logprobs) for reply in found.replies],
            "task_id": [reply.task_id for reply in found.replies],
            "verdict": found.verdicts,
            "earned": [verdict.reward for verdict in found.verdicts],
        }

    def _generate_and_score_completions(self, inputs: Any) -> dict[str, Any]:
        """TRL's, with advantages of exactly zero where all samples of a group earned the same."""
        found: dict[str, Any] = super()._generate_and_score_completions(inputs)
        mixed = torch.tensor(self._round.mixed, device=found["advantages"].device)
        found["advantages"] *= mixed.repeat_interleave(self._round.group_size)
        return found

    def _prepare_inputs(self, generation_batch: Any) -> dict[str, Any]:
        """The next micro-batch. Unlike TRL's, groups stay together: they share their question."""
        every = self.args.steps_per_generation
        if self._step % every == 0 or self._buffered_inputs is None:
            found = self._generate_and_score_completions(generation_batch)
            size = self.args.per_device_train_batch_size
            self._buffered_inputs = [_cut(found, slice(i * size, (i + 1) * size)) for i in range(every)]
        inputs: dict[str, Any] = self._buffered_inputs[self._step % every]
        return inputs

    def training_step(self, *arguments: Any, **named: Any) -> torch.Tensor:
        """One micro-batch; the last one of a step completes the gradients."""
        start, before = time.monotonic(), self.spent.sampling + self.spent.judging
        loss: torch.Tensor = super().training_step(*arguments, **named)
        if self.accelerator.sync_gradients:
            self._likelihood.finish()
            ranks.average_gradients(self._stage.policy.parameters())
        self.spent.loss += time.monotonic() - start - (self.spent.sampling + self.spent.judging - before)
        return loss

    def _compute_loss(self, model: Any, inputs: dict[str, Any]) -> torch.Tensor:
        advantages = inputs["advantages"]
        self._teaches = advantages != 0 if self.beta == 0 else torch.ones_like(advantages, dtype=torch.bool)
        loss: torch.Tensor = super()._compute_loss(model, inputs)
        seen = inputs["completion_mask"].bool() & self._teaches[:, None]
        self._differences.append((self._logprobs - inputs["sampling_per_token_logps"])[seen].abs().double())
        return loss

    def _get_per_token_logps_and_entropies(
        self,
        model: Any,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        logits_to_keep: int,
        batch_size: int | None = None,
        **_: Any,
    ) -> tuple[torch.Tensor, torch.Tensor, None]:
        """Log-probabilities of the completions, shape (rows, logits_to_keep), 0 where they don't count.

        With gradients this is one micro-batch of the policy; without, the reference of a whole step.
        In place of entropies stand the sampled tokens' own surprisals, whose mean estimates the same.
        """
        chosen = attention_mask[:, -logits_to_keep:].bool()
        if torch.is_grad_enabled():
            chosen = chosen & self._teaches[:, None]
        rows = [row for row in range(len(chosen)) if chosen[row].any()]
        exchanges = [self._exchange(input_ids[row], attention_mask[row], logits_to_keep) for row in rows]
        size = batch_size or len(exchanges) or 1
        parts = [
            self._likelihood.logprobs(exchanges[start : start + size], self.temperature)
            for start in range(0, len(exchanges), size)
        ]
        logprobs = torch.zeros(chosen.shape, device=chosen.device, requires_grad=not parts)
        if parts:
            logprobs = logprobs.masked_scatter(chosen, torch.cat(parts))
        if not torch.is_grad_enabled():
            self._likelihood.finish()
        self._logprobs = logprobs.detach()
        return logprobs, -self._logprobs, None

    def _exchange(self, token_ids: torch.Tensor, mask: torch.Tensor, reply: int) -> Exchange:
        seen = mask.bool()
        prompt = tuple(token_ids[:-reply][seen[:-reply]].tolist())
        return Exchange(prompt, tuple(token_ids[-reply:][seen[-reply:]].tolist()), self._prefixes[prompt])

    def log(self, logs: dict[str, float], *arguments: Any) -> None:
        """Record a step."""
        super().log(logs, *arguments)
        if "loss" in logs and self._stage.keeper.record(self._describe(logs)):
            self.control.should_save = self.control.should_training_stop = True

    def _describe(self, logs: dict[str, float]) -> TrainingStep:
        """The log's line of the step that ended; TRL has put its metrics into ``logs``."""
        differences, self._differences = torch.cat(self._differences), []
        off, tokens = map(
            sum, zip(*ranks.gather([(float(differences.sum()), len(differences))]), strict=True)
        )
        settings = self._stage.settings
        trained = self._whole.groups(
            self._groups_of_step((self.state.global_step - 1) % settings.steps_per_generation)
        )
        return TrainingStep(
            step=self.state.global_step,
            loss=round(logs["loss"], 6),
            learning_rate=logs["learning_rate"],
            gradient_norm=round(logs["grad_norm"], 6),
            kl=round(logs["kl"], 6) if "kl" in logs else None,
            logprob_difference=round(off / tokens, 6) if tokens else None,
            **(self._played if settings.steps_per_generation == 1 else trained).figures(
                trained, settings.truncated == "mask"
            ),
        )

    def _groups_of_step(self, step: int) -> range:
        """Numbers of the groups that a step of the generation trains on, of all processes."""
        size = self._stage.settings.prompts_per_step
        return range(step * size, (step + 1) * size)

    def create_model_card(self, *_: Any, **__: Any) -> None:
        """None: what an adapter was made from stands in adapter.json."""

    def _save(self, output_dir: str | None = None, state_dict: Any = None) -> None:
        folder = Path(output_dir or self.args.output_dir)
        self._stage.save(folder)
        self._stage.save_seen(folder)
        write_json(folder / FEED, self._player.feed.state())


def read_reward(earned: list[float], **_: Any) -> list[float]:
    """TRL's reward function: the verifier has paid already."""
    return earned


def _arguments(stage: Stage[GrpoSettings]) -> GRPOConfig:
    settings = stage.settings
    samples = settings.prompts_per_step // ranks.world() * settings.group_size
    if settings.prompts_per_step % ranks.world() or samples % settings.micro_batch_size:
        raise UserError(
            f"{ranks.world()} processes can't share {settings.prompts_per_step} prompts a step of "
            f"{settings.group_size} samples evenly in micro-batches of {settings.micro_batch_size}: "
            "prompts_per_step must be a multiple of gpus."
        )
    accumulation = samples // settings.micro_batch_size
    return GRPOConfig(
        **common_arguments(stage.policy, settings, stage.work, accumulation, stage.request.reporting),
        num_generations=settings.group_size,
        steps_per_generation=accumulation * settings.steps_per_generation,
        max_completion_length=settings.max_tokens,
        temperature=settings.temperature,
        beta=settings.beta,
        loss_type=settings.loss,
        scale_rewards=settings.scale_rewards,
        mask_truncated_completions=settings.truncated == "mask",
        epsilon=settings.epsilon,
        shuffle_dataset=False,
        disable_dropout=False,
        use_vllm=False,
    )


def _cut(batch: dict[str, Any], rows: slice) -> dict[str, Any]:
    """Some rows of a batch; what has none, such as a count, stays whole."""
    return {
        key: value[rows] if isinstance(value, torch.Tensor) and value.dim() else value
        for key, value in batch.items()
    }
