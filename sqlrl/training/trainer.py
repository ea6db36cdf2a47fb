"""What the trainers of all stages share: their arguments, exact saves, the log and the progress lines."""

import logging
import math
import time
from collections.abc import Callable
from typing import Any

import torch
from peft import PeftModel
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from sqlrl import ranks
from sqlrl.errors import UserError
from sqlrl.progress import ProgressReport
from sqlrl.training.checkpoints import Save, Workshop
from sqlrl.training.log import StepLog, StepTime, TrainingStep
from sqlrl.training.policy import adapter_tensors
from sqlrl.training.probe import Prober
from sqlrl.training.reporting import PROJECT, Reporting
from sqlrl.training.settings import GrpoSettings, StageSettings

SCHEDULES = {"constant": "constant_with_warmup", "linear": "linear", "cosine": "cosine"}

# Share of a step's groups without variance from which the step was mostly in vain.
MOST = 0.5

logger = logging.getLogger(__name__)


def common_arguments(
    policy: PeftModel, settings: StageSettings, work: Workshop, accumulation: int, reporting: Reporting
) -> dict[str, Any]:
    """Arguments of transformers' Trainer that all kinds of stages set alike."""
    return {
        "report_to": list(reporting.trackers) or "none",
        "run_name": reporting.name,
        "project": PROJECT,
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
        "gradient_checkpointing": settings.gradient_checkpointing,
        "gradient_checkpointing_kwargs": {"use_reentrant": False},
        "dataloader_pin_memory": False,
        "use_cpu": not torch.cuda.is_available(),
        "ddp_find_unused_parameters": False,
        "disable_tqdm": True,
        "remove_unused_columns": False,
    }


class Keeper(TrainerCallback):  # type: ignore[misc]  # transformers has no types
    """Saves, keeps the asked-for steps and reports progress."""

    def __init__(
        self,
        policy: PeftModel,
        settings: StageSettings,
        work: Workshop,
        log: StepLog[TrainingStep],
        times: StepLog[StepTime],
        progress: ProgressReport,
        save: Save | None,
        wall_minutes: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._policy, self._settings, self._work = policy, settings, work
        self._log, self._times, self._progress, self._clock = log, times, progress, clock
        self._start = clock() - (save.seconds if save else 0.0)
        self._last = clock()
        self._end = clock() + 60 * wall_minutes if wall_minutes else math.inf
        self.prober: Prober | None = None
        self.is_out_of_time = False
        self.stop_reason = save.stop_reason if save else None
        self._rule = VarianceRule(settings)
        for step in log.read():
            self._rule.hear(step)

    def seconds(self) -> float:
        """Wall seconds of the stage, those of earlier, killed jobs included."""
        return self._clock() - self._start

    def on_step_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any
    ) -> TrainerControl:
        """Keep the weights where the settings ask for it; save at the stage's end in any case."""
        if state.global_step in self._settings.checkpoints and ranks.is_first():
            self._work.keep(state.global_step, adapter_tensors(self._policy))
        if state.global_step in (*self._settings.checkpoints, self._settings.steps):
            self._probe(state.global_step)
        if state.global_step == self._settings.steps:
            control.should_save = True
        elif self._may_end(state.global_step) and ranks.any_says(self._would_end_late()):
            self.is_out_of_time = control.should_save = control.should_training_stop = True
        return control

    def on_save(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any
    ) -> None:
        """A save counts from here on."""
        if self.stop_reason:
            self._probe(state.global_step)
        ranks.wait()
        if ranks.is_first():
            self._work.mark_complete(Save(state.global_step, round(self.seconds(), 3), self.stop_reason))

    def on_step_begin(self, *_: Any, **__: Any) -> None:
        """The first step begins after the set-up, which is none of its time."""
        self._last = self._clock()

    def record(self, step: TrainingStep) -> bool:
        """Write the logs' lines of a step and move the progress on.

        Returns:
            Whether the stage ends here by its own rule.

        Raises:
            UserError: the training broke down: its loss or gradient is not a number any more.
        """
        if not math.isfinite(step.loss + step.gradient_norm):
            raise UserError(
                f"step {step.step}: loss {step.loss}, gradient norm {step.gradient_norm}. "
                "The training broke down: lower learning_rate or max_grad_norm."
            )
        seconds, self._last = self._clock() - self._last, self._clock()
        if ranks.is_first():
            self._log.append(step)
            rate = round(step.samples / max(seconds, 1e-3), 3)
            self._times.append(StepTime(step.step, round(seconds, 3), rate))
        self.stop_reason = self._rule.hear(step)
        figure = f"loss {step.loss:.3f}" if step.reward is None else f"reward {step.reward:.3f}"
        if ranks.is_first():
            self._progress.advance(1, figure)
        if self.stop_reason:
            logger.warning("the stage ends at step %d: %s", step.step, self.stop_reason)
        return self.stop_reason is not None

    def _may_end(self, step: int) -> bool:
        """Whether a job can go on from here as if it had never ended: no samples of this generation are left."""
        settings = self._settings
        return not isinstance(settings, GrpoSettings) or step % settings.steps_per_generation == 0

    def _probe(self, step: int) -> None:
        if self.prober and ranks.is_first():
            self.prober.record(step)

    def _would_end_late(self) -> bool:
        """Whether another step like this one would end after the limit."""
        return self._clock() + (self._clock() - self._last) > self._end


class VarianceRule:
    """Ends a stage whose groups mostly teach nothing; see GrpoSettings.stop_without_variance."""

    def __init__(self, settings: StageSettings) -> None:
        self._limit = settings.stop_without_variance if isinstance(settings, GrpoSettings) else None
        self._steps, self._flat = settings.steps, 0

    def hear(self, step: TrainingStep) -> str | None:
        """Why the stage ends with this step; None where it goes on, or ends anyway."""
        self._flat = self._flat + 1 if (step.zero_variance or 0.0) > MOST else 0
        if self._limit is None or self._flat < self._limit or step.step >= self._steps:
            return None
        return (
            f"more than half of its groups had no variance for {self._limit} steps; the tasks are solved or"
            " hopeless by now: measure the band again on this checkpoint in a new stage (band.measured_on:"
            " start), or let the feed follow the policy (feed: adaptive)"
        )
