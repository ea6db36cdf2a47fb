"""A question as a model reads it."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Prompt:
    """One question as the model reads it.

    Fields: the task's id; the token ids of the whole prompt; how many leading tokens the questions
    of one database share (system prompt and schema), 0 where nothing is known to be shared; the chat
    messages (role and content) where a server makes the token ids, which are not known then.
    """

    key: str
    token_ids: tuple[int, ...]
    prefix_length: int
    messages: tuple[Mapping[str, str], ...] = ()
