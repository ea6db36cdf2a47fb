"""Keys and values: those of the shared prefix once, those of each sequence in its own slot."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Prefix:
    """The shared prefix: a layer's keys, transposed, (heads, size, length), and values, (heads,
    length, size).
    """

    length: int
    keys: list[Tensor]
    values: list[Tensor]


class Slots:
    """Room for the keys and values of what belongs to one sequence alone: question and reply.

    Slots 0 .. used - 1 are in use, so that a step works on views, never on copies; a sequence that
    ends gives its slot to the last one.
    """

    def __init__(
        self, layers: int, slots: int, heads: int, size: int, tokens: int, dtype: torch.dtype
    ) -> None:
        self.keys = torch.zeros(layers, slots, heads, size, tokens, dtype=dtype)
        self.values = torch.zeros(layers, slots, heads, tokens, size, dtype=dtype)
        self.count, self.room = slots, tokens
        self._columns = torch.arange(tokens)

    def fill(self, layer: int, slots: Tensor, keys: Tensor, values: Tensor) -> None:
        """Put texts at the start of slots; keys and values of shape (texts, heads, tokens, size)."""
        tokens = keys.shape[2]
        self.keys[layer, slots, :, :, :tokens] = keys.transpose(2, 3)
        self.values[layer, slots, :, :tokens] = values

    def append(self, layer: int, lengths: Tensor, keys: Tensor, values: Tensor) -> None:
        """Put one token behind what each used slot holds; keys and values (used, heads, size)."""
        rows = torch.arange(len(lengths))
        self.keys[layer][rows, :, :, lengths] = keys
        self.values[layer][rows, :, lengths] = values

    def mask(self, lengths: Tensor, dtype: torch.dtype) -> Tensor:
        """What hides the unused columns: 0 up to each slot's length, then -inf.

        Returns:
            Shape (used, 1, 1, longest).
        """
        hidden = self._columns[: int(lengths.max())] >= lengths[:, None]
        return torch.zeros(hidden.shape, dtype=dtype).masked_fill_(hidden, -torch.inf)[:, None, None, :]

    def move(self, source: int, target: int, length: int) -> None:
        """Copy a sequence's first ``length`` tokens into another slot."""
        self.keys[:, target, :, :, :length] = self.keys[:, source, :, :, :length]
        self.values[:, target, :, :length] = self.values[:, source, :, :length]
