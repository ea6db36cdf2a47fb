"""A question as a model reads it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Prompt:
    """One question as the model reads it.

    Fields: the task's id; the token ids of the whole prompt; how many leading tokens the questions
    of one database share (system prompt and schema), 0 where nothing is known to be shared.
    """

    key: str
    token_ids: tuple[int, ...]
    prefix_length: int
