"""One line an optimizer step: what it did, the same bytes for the same training, and how long it took."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from sqlrl.files import write_text
from sqlrl.records import read_jsonl, to_line


@dataclass(frozen=True)
class TrainingStep:
    """What one optimizer step did; figures that a kind of stage does not have are None.

    Attributes:
        step: from 1.
        loss: of the step, as the optimizer saw it.
        learning_rate: that the step was taken with.
        gradient_norm: before clipping.
        tokens: reply tokens that were imitated or sampled.
        samples: replies, those of groups that teach nothing included.
        reward: mean over the samples.
        groups: prompts that were sampled, those that others were back-filled for included.
        zero_variance: share of groups whose samples all earned the same, so that they teach nothing.
        gradient_samples: samples that moved the policy: of groups with variance, and not masked.
        kl: mean per token to the reference, with beta above 0.
        entropy: mean over the sampled tokens of -log p, an estimate of the policy's entropy.
        completion_length: mean tokens of a reply.
        truncated: share of replies that ran out of tokens.
        logprob_difference: mean absolute difference between the sampler's and the trainer's
            log-probability of the tokens that were trained on.
        verdicts: share of samples by verdict on main: match, wrong, error.
        reasons: share of samples by the reason of their verdict.
    """

    step: int
    loss: float
    learning_rate: float
    gradient_norm: float
    tokens: int
    samples: int
    reward: float | None = None
    groups: int | None = None
    zero_variance: float | None = None
    gradient_samples: int | None = None
    kl: float | None = None
    entropy: float | None = None
    completion_length: float | None = None
    truncated: float | None = None
    logprob_difference: float | None = None
    verdicts: dict[str, float] | None = None
    reasons: dict[str, float] | None = None


@dataclass(frozen=True)
class StepTime:
    """How long one optimizer step took: wall seconds, and replies a second in all of them."""

    step: int
    seconds: float
    samples_per_second: float


Line = TypeVar("Line", TrainingStep, StepTime)


class StepLog(Generic[Line]):
    """A log of a stage while it runs: lines land as steps do, and go again with steps that are lost."""

    def __init__(self, path: Path, kind: type[Line]) -> None:
        self._path = path
        self._kind: type[Line] = kind

    def append(self, step: Line) -> None:
        """Write one line and put it on the disk."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(to_line(step))
            stream.flush()
            os.fsync(stream.fileno())

    def cut(self, step: int) -> None:
        """Keep the steps up to this one: training goes on from there."""
        text = self._path.read_text(encoding="utf-8") if self._path.exists() else ""
        whole = text[: text.rfind("\n") + 1]
        lines = whole.splitlines(keepends=True)
        write_text(self._path, "".join(lines[:step]))

    def read(self) -> list[Line]:
        """The steps so far."""
        return read_jsonl(self._path, self._kind) if self._path.exists() else []
