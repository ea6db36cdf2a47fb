"""What the trainers of all stages share: their arguments, exact saves, the log and the progress lines."""

import logging
import math
import time
from collections.abc import Callable
from typing import Any

import torch
from peft import PeftModel
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from sqlrl.errors import UserError
from sqlrl.progress import ProgressReport
from sqlrl.training.checkpoints import Save, Workshop
from sqlrl.training.log import TrainingLog, TrainingStep
from sqlrl.training.policy import adapter_tensors
from sqlrl.training.settings import StageSettings

SCHEDULES = {"constant": "constant_with_warmup", "linear": "linear", "cosine": "cosine"}

logger = logging.getLogger(__name__)


def common_arguments(
    policy: PeftModel, settings: StageSettings, work: Workshop, accumulation: int
) -> dict[str, Any]:
    """Arguments of transformers' Trainer that all kinds of stages set alike."""
    return {
        "output_dir": str(work.saves),
        "max_steps": settings.steps,
        "per_device_train_batch_size": settings.micro_batch_size,
        "gradient_accumulation_steps": accumulation,
        "learning_rate": settings.learning_rate,
        "lr_scheduler_type": SCHEDULES[settings.schedule],
        "warmup_steps": settings.warmup_steps,
        "max_grad_norm": settings.max_grad_norm,
        "weight_decay": 0.0,
        "seed": settings.seed,
        "data_seed": settings.seed,
        "logging_strategy": "steps",
        "logging_steps": 1,
        "logging_nan_inf_filter": False,
        "save_strategy": "steps",
        "save_steps": settings.save_steps,
        "bf16": policy.get_base_model().dtype == torch.bfloat16,
        "gradient_checkpointing": False,
        "dataloader_pin_memory": False,
        "use_cpu": not torch.cuda.is_available(),
        "disable_tqdm": True,
        "report_to": "none",
        "remove_unused_columns": False,
    }


class Keeper(TrainerCallback):  # type: ignore[misc]  # transformers has no types
    """Saves, keeps the asked-for steps and reports progress."""

    def __init__(
        self,
        policy: PeftModel,
        settings: StageSettings,
        work: Workshop,
        log: TrainingLog,
        progress: ProgressReport,
        seconds_before: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._policy, self._settings, self._work, self._log = policy, settings, work, log
        self._progress, self._clock = progress, clock
        self._start = clock() - seconds_before

    def seconds(self) -> float:
        """Wall seconds of the stage, those of earlier, killed jobs included."""
        return self._clock() - self._start

    def on_step_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any
    ) -> TrainerControl:
        """Keep the weights where the settings ask for it; save at the stage's end in any case."""
        if state.global_step in self._settings.checkpoints:
            self._work.keep(state.global_step, adapter_tensors(self._policy))
        if state.global_step == self._settings.steps:
            control.should_save = True
        return control

    def on_save(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any
    ) -> None:
        """A save counts from here on."""
        self._work.mark_complete(Save(state.global_step, round(self.seconds(), 3)))

    def record(self, step: TrainingStep) -> None:
        """Write the log's line of a step and move the progress on.

        Raises:
            UserError: the training broke down: its loss or gradient is not a number any more.
        """
        if not math.isfinite(step.loss + step.gradient_norm):
            raise UserError(
                f"step {step.step}: loss {step.loss}, gradient norm {step.gradient_norm}. "
                "The training broke down: lower learning_rate or max_grad_norm."
            )
        self._log.append(step)
        figure = f"loss {step.loss:.3f}" if step.reward is None else f"reward {step.reward:.3f}"
        self._progress.advance(1, figure)
