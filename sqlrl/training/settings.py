"""The settings of a training stage, as config.yaml has them under ``runs.<run>.stages.<stage>``."""

import json
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from sqlrl.errors import UserError
from sqlrl.records import from_json


@dataclass(frozen=True)
class LoraSettings:
    """A LoRA adapter: rank, alpha (the update is alpha / rank times B A), dropout on its input, and
    the modules it adapts: ``all-linear`` or a list of names.
    """

    rank: int
    alpha: int
    dropout: float
    targets: str | tuple[str, ...]


@dataclass(frozen=True)
class SftSettings:
    """Imitation of reference SQL, or of the policy's own right replies. Sizes count lessons; seeds decide
    initialisation and order.
    """

    kind: Literal["sft"]
    learn_from: Literal["references", "replies"]
    steps: int
    batch_size: int
    micro_batch_size: int
    gradient_checkpointing: bool
    learning_rate: float
    warmup_steps: int
    schedule: Literal["constant", "linear", "cosine"]
    max_grad_norm: float
    seed: int
    checkpoints: tuple[int, ...]
    save_steps: int
    lora: LoraSettings


@dataclass(frozen=True)
class AdaptiveSettings:
    """How ``feed: adaptive`` chooses tasks; see training/adaptive.py.

    Attributes:
        prior: passed and failed samples that every task starts with.
        memory: how many groups of a task count, older ones less and less.
        retire_above: pass rate above which a task is solved and not asked again.
        hopeless_below: pass rate below which a task is asked only now and then.
        revisit: share of the prompts that go to hopeless tasks.
        backfill: groups that a step may sample, as a multiple of prompts_per_step, while some of them
            have no variance; 1 samples no more.
    """

    prior: float
    memory: float
    retire_above: float
    hopeless_below: float
    revisit: float
    backfill: float


@dataclass(frozen=True)
class GrpoSettings:
    """Reinforcement on the verifier's reward: ``prompts_per_step`` tasks with ``group_size`` samples
    each make one optimizer step; micro_batch_size counts samples.

    Attributes:
        steps_per_generation: steps whose samples are drawn together, from the policy before the first of them.
        gradient_checkpointing: compute activations again in the backward pass instead of keeping them.
        truncated: ``mask`` leaves samples that ran out of tokens out of the loss, ``zero`` pays them as
            an error whatever they hold, ``judge`` pays them as any other.
        feed: ``sweep`` goes through the tasks again and again, ``adaptive`` follows the policy.
        stop_without_variance: end the stage after so many steps in a row of whose groups more than half
            have no variance; None never does.
    """

    kind: Literal["grpo"]
    steps: int
    prompts_per_step: int
    group_size: int
    steps_per_generation: int
    micro_batch_size: int
    gradient_checkpointing: bool
    learning_rate: float
    warmup_steps: int
    schedule: Literal["constant", "linear", "cosine"]
    max_grad_norm: float
    beta: float
    kl_reference: Literal["base", "parent"]
    temperature: float
    max_tokens: int
    loss: Literal["grpo", "dapo", "dr_grpo"]
    scale_rewards: Literal["group", "batch", "none"]
    truncated: Literal["mask", "zero", "judge"]
    epsilon: float
    feed: Literal["sweep", "adaptive"]
    adaptive: AdaptiveSettings
    stop_without_variance: int | None
    seed: int
    checkpoints: tuple[int, ...]
    save_steps: int
    lora: LoraSettings


StageSettings = SftSettings | GrpoSettings
Settings = TypeVar("Settings", SftSettings, GrpoSettings)


def read_stage(kind: type[Settings], text: str, where: str) -> tuple[Settings, dict[str, Any]]:
    """Parse a stage's settings.

    Returns:
        The settings, and the object as it was given, for provenance.

    Raises:
        UserError: not the settings of such a stage, or sizes that do not fit each other.
    """
    settings = from_json(kind, text, where)
    if isinstance(settings, SftSettings):
        batch, name = settings.batch_size, "batch_size"
    else:
        batch, name = settings.prompts_per_step * settings.group_size, "prompts_per_step * group_size"
    micro = settings.micro_batch_size
    if micro > batch or batch % micro:
        raise UserError(f"{where}: micro_batch_size is {micro}, which does not divide {name} = {batch}.")
    if isinstance(settings, GrpoSettings):
        _check_generation(settings, where)
    late = [step for step in settings.checkpoints if not 1 <= step <= settings.steps]
    if late:
        raise UserError(f"{where}: checkpoints has step {late[0]}, outside 1..{settings.steps}.")
    return settings, json.loads(text)


def _check_generation(settings: GrpoSettings, where: str) -> None:
    """Refuse saves within a generation, and a feed that fills up steps one by one."""
    every = settings.steps_per_generation
    if settings.save_steps % every:
        raise UserError(
            f"{where}: save_steps is {settings.save_steps}, no multiple of steps_per_generation = {every}: a job that "
            "goes on from a save draws anew."
        )
    if settings.steps % every:
        raise UserError(f"{where}: steps is {settings.steps}, no multiple of steps_per_generation = {every}.")
    if every > 1 and settings.feed == "adaptive":
        raise UserError(
            f"{where}: feed adaptive fills up each step: set steps_per_generation to 1, not {every}."
        )
