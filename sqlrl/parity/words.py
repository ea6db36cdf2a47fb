"""Whether prompts and replies are what they should be, token by token."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from transformers import PreTrainedTokenizerBase

from sqlrl.authoring.task import Task
from sqlrl.models.prompts import PromptSettings, PromptWriter
from sqlrl.parity.findings import Check
from sqlrl.sampling.sampler import Reply
from sqlrl.sampling.tokens import ReplyTokens
from sqlrl.training.probe import Seen

AROUND = 6
# Share of the replies that may draw such a token by chance.
MOST_ODD = 0.01


class Prompting:
    """What it takes to write the prompts of a run again, with other switches too."""

    def __init__(
        self, model: Path, settings: PromptSettings, databases: Sequence[Path], notes: Sequence[Path]
    ) -> None:
        """See PromptWriter."""
        self.settings = settings
        self._model, self._databases, self._notes = model, databases, notes
        self.writer = self._open(settings)

    def differing(
        self, seen: Sequence[Seen], tasks: Mapping[str, Task], settings: PromptSettings
    ) -> list[Seen]:
        """Those whose prompt would be another one under some settings."""
        writer = self.writer if settings == self.settings else self._open(settings)
        return [one for one in seen if self._write(writer, tasks[one.task_id]) != one.prompt_ids]

    def _open(self, settings: PromptSettings) -> PromptWriter:
        return PromptWriter(self._model, settings, self._databases, self._notes)

    def _write(self, writer: PromptWriter, task: Task) -> tuple[int, ...]:
        return writer.write(task.id, task.database, task.question).token_ids


def check_prompts(
    seen: Sequence[Seen], tasks: Mapping[str, Task], prompting: Prompting
) -> tuple[Check, str | None]:
    """Whether the prompts that are served are those that were trained on, token for token.

    Returns:
        The check, and the likely cause where it failed.
    """
    other = prompting.differing(seen, tasks, prompting.settings)
    if not other:
        return Check("prompts", "passed", f"{len(seen)} of {len(seen)} have the trainer's token ids"), None
    first = _difference(other[0], tasks, prompting)
    found = f"{len(other)} of {len(seen)} differ from the trainer's, the first {first}"
    for thinking in (None, True, False):
        if not prompting.differing(seen, tasks, replace(prompting.settings, thinking=thinking)):
            return Check("prompts", "failed", found), (
                f"the thinking switch differs: trained with {thinking}, served with {prompting.settings.thinking}"
            )
    return Check("prompts", "failed", found), (
        "the chat template, the system prompt or the tokenizer is not the one of training (template drift)"
    )


def _difference(one: Seen, tasks: Mapping[str, Task], prompting: Prompting) -> str:
    task = tasks[one.task_id]
    now = prompting.writer.write(task.id, task.database, task.question).token_ids
    pairs = zip(one.prompt_ids, now, strict=False)
    place = next((n for n, (old, new) in enumerate(pairs) if old != new), min(len(now), len(one.prompt_ids)))
    old, new = (
        prompting.writer.tokenizer.decode(list(ids[max(0, place - AROUND) : place + AROUND]))
        for ids in (one.prompt_ids, now)
    )
    return f"at token {place}: {old!r} was trained, {new!r} is served"


def check_turns(replies: Sequence[Reply], tokens: ReplyTokens, tokenizer: PreTrainedTokenizerBase) -> Check:
    """Whether each reply is one turn of the assistant: nothing follows its end, no other turn begins in it."""
    special = set(tokenizer.all_special_ids)
    odd = [
        reply
        for reply in replies
        if set(reply.token_ids[:-1]) & (special | tokens.ends)
        or (reply.finish_reason == "stop") != tokens.has_stopped(reply.token_ids)
    ]
    ended = sum(reply.finish_reason == "stop" for reply in replies)
    found = f"{ended} of {len(replies)} replies ended by themselves"
    found += f"; {len(odd)} have tokens within that begin or end a turn"
    return Check("one turn", "failed" if len(odd) > MOST_ODD * len(replies) else "passed", found)
