"""Sequences on their way: what each has drawn so far, and when it ends."""

from collections.abc import Sequence as Texts
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from sqlrl.sampling.choose import choose_tokens
from sqlrl.sampling.sampler import SamplingSettings
from sqlrl.sampling.streams import uniforms


@dataclass
class Sequence:
    """One reply in the making: its prompt's number, its sample's number, its random stream."""

    prompt: int
    sample: int
    stream: int
    tokens: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)


class Chooser:
    """Draws the next token of sequences and says which of them end."""

    def __init__(self, settings: SamplingSettings, end_tokens: frozenset[int]) -> None:
        self._settings, self._end_tokens = settings, end_tokens

    def advance(self, sequences: Texts[Sequence], logits: Tensor) -> list[bool]:
        """Add one token to each sequence.

        Args:
            sequences: in the order of the rows.
            logits: shape (sequences, vocabulary).

        Returns:
            For each sequence whether it has ended.
        """
        streams = np.array([one.stream for one in sequences], dtype=np.uint64)
        positions = np.array([len(one.tokens) for one in sequences], dtype=np.uint64)
        drawn = torch.from_numpy(uniforms(streams, positions))
        tokens, logprobs = choose_tokens(logits, drawn, self._settings.temperature, self._settings.top_p)
        for one, token, logprob in zip(sequences, tokens.tolist(), logprobs.tolist(), strict=True):
            one.tokens.append(token)
            one.logprobs.append(logprob)
        return [self._has_ended(one) for one in sequences]

    def has_stopped(self, sequence: Sequence) -> bool:
        """Whether the model itself ended the reply."""
        return bool(sequence.tokens) and sequence.tokens[-1] in self._end_tokens

    def _has_ended(self, sequence: Sequence) -> bool:
        return self.has_stopped(sequence) or len(sequence.tokens) >= self._settings.max_tokens
