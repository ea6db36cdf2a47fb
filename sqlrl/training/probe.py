"""What the trainer saw last: tasks with their replies and rewards, for the parity gate to compare with.

A server that applies an adapter wrongly looks well from outside. So a stage writes down, for each of its
checkpoints, how likely its own policy finds some replies and what it was paid for them: the checkpoint
as it is served must say the same.
"""

import math
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from sqlrl.errors import UserError
from sqlrl.records import read_jsonl, write_jsonl
from sqlrl.training.exchange import Exchange
from sqlrl.training.likelihood import Likelihood

# Tasks that are remembered, and tokens of a reply that are compared.
TASKS = 32
REPLY_TOKENS = 256


@dataclass(frozen=True)
class Seen:
    """A task of a step as it was trained on.

    Fields: the task's id; token ids of the prompt, and how many of them other prompts share; token ids of
    one reply, cut off after REPLY_TOKENS; what each sample of the group earned, none where nothing is paid.
    """

    task_id: str
    prompt_ids: tuple[int, ...]
    prefix: int
    reply_ids: tuple[int, ...]
    rewards: tuple[float, ...]


@dataclass(frozen=True)
class Probe:
    """A task of one checkpoint; see Seen.

    Fields: the checkpoint's step; what was seen of the task in the steps before it; natural-log probabilities
    of the reply's tokens at temperature 1 under the policy that was in memory then, rounded to 6 decimals.
    """

    step: int
    seen: Seen
    logprobs: tuple[float, ...]


class Recent:
    """The tasks of the last steps, each as it was seen last."""

    def __init__(self) -> None:
        self._seen: deque[Seen] = deque(maxlen=TASKS)

    def hear(self, seen: Iterable[Seen]) -> None:
        """Remember the tasks of a step."""
        for one in seen:
            for earlier in [old for old in self._seen if old.task_id == one.task_id]:
                self._seen.remove(earlier)
            self._seen.append(one)

    def tasks(self) -> list[Seen]:
        """All that is remembered, by task."""
        return sorted(self._seen, key=lambda one: one.task_id)

    def save(self, file: Path) -> None:
        """Write all down, in the order in which it was heard."""
        write_jsonl(file, list(self._seen))

    def restore(self, file: Path) -> None:
        """Go on from a file of save."""
        self._seen = deque(read_jsonl(file, Seen), maxlen=TASKS)


def see(
    task_id: str, prompt: Sequence[int], prefix: int, reply: Sequence[int], rewards: Sequence[float] = ()
) -> Seen:
    """A task as it is trained on; see Seen."""
    return Seen(task_id, tuple(prompt), prefix, tuple(reply)[:REPLY_TOKENS], tuple(rewards))


class Prober:
    """Writes a checkpoint's probes while its policy is in memory."""

    def __init__(self, likelihood: Likelihood, file: Path, batch: int) -> None:
        """
        Args:
            likelihood: of the policy under training.
            file: to write to.
            batch: sequences a forward pass.
        """
        self.recent = Recent()
        self._likelihood, self._file, self._batch = likelihood, file, batch

    def record(self, step: int) -> None:
        """Write the probes of a step; what the file has of it or of later ones, from a killed job, goes.

        Raises:
            UserError: the policy's probabilities are no numbers any more.
        """
        found = measure(step, self.recent.tasks(), self._likelihood, self._batch)
        if not all(math.isfinite(value) for one in found for value in one.logprobs):
            raise UserError(
                f"step {step}: the policy's probabilities are no numbers any more. The training broke down: lower "
                "learning_rate or max_grad_norm."
            )
        kept = [one for one in read_probes(self._file) if one.step < step] if self._file.exists() else []
        write_jsonl(self._file, [*kept, *found])


def measure(step: int, seen: Sequence[Seen], likelihood: Likelihood, batch: int) -> list[Probe]:
    """How likely the policy finds what was seen.

    Args:
        step: of the policy.
        seen: at least one token a reply.
        likelihood: of the policy.
        batch: sequences a forward pass.
    """
    found: list[Probe] = []
    for start in range(0, len(seen), batch):
        part = seen[start : start + batch]
        exchanges = [Exchange(one.prompt_ids, one.reply_ids, one.prefix) for one in part]
        lengths = [len(one.reply) for one in exchanges]
        values = torch.split(likelihood.measure(exchanges)[:, 0], lengths)
        found += [
            Probe(step, one, tuple(round(value, 6) for value in logprobs.tolist()))
            for one, logprobs in zip(part, values, strict=True)
        ]
    return found


def read_probes(file: Path) -> list[Probe]:
    """Read a stage's probes, checkpoint by checkpoint."""
    return read_jsonl(file, Probe)
