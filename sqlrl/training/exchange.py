"""A prompt and a reply as token ids: what likelihood and loss are computed on."""

from dataclasses import dataclass

from transformers import PreTrainedTokenizerBase

from sqlrl.authoring.task import Task
from sqlrl.models.prompts import PromptWriter, write_reply


@dataclass(frozen=True)
class Exchange:
    """One prompt and one reply as token ids; the prompt's first ``prefix`` tokens are shared."""

    prompt: tuple[int, ...]
    reply: tuple[int, ...]
    prefix: int

    @property
    def shared(self) -> tuple[int, ...]:
        """The part of the prompt that others have too."""
        return self.prompt[: self.prefix]


def ideal_exchange(task: Task, prompts: PromptWriter) -> Exchange:
    """A task's prompt and its ideal reply: the reference SQL as the system prompt asks for it, and the
    token that ends a turn.
    """
    prompt = prompts.write(task.id, task.database, task.question)
    return Exchange(
        prompt.token_ids, encode_reply(task.reference_sql, prompts.tokenizer), prompt.prefix_length
    )


def encode_reply(sql: str, tokenizer: PreTrainedTokenizerBase) -> tuple[int, ...]:
    """Token ids of the ideal reply that holds this query, its end token included."""
    return (*tokenizer.encode(write_reply(sql), add_special_tokens=False), tokenizer.eos_token_id)
