"""The sampling loop: sequences that end leave, waiting ones take their place.

Sequences run in lanes, a thread each, that share weights and prefix. Two threads that wait for each
other at every product lose nine tenths of their speed beside another busy process; lanes never wait.
"""

from collections import deque
from collections.abc import Sequence as Texts
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import torch
from torch import Tensor

from sqlrl.sampling.cache import Prefix, Slots
from sqlrl.sampling.decoder import Decoder
from sqlrl.sampling.sequence import Chooser, Sequence

Item = TypeVar("Item")

# Fewer sequences than this a lane, and lanes would only read the same weights more often.
LEAST_IN_LANE = 16


class Engine:
    """Draws replies with one Decoder."""

    def __init__(self, decoder: Decoder, dtype: torch.dtype) -> None:
        self._decoder, self._dtype = decoder, dtype
        self._slots: dict[int, Slots] = {}
        self._prefix: tuple[tuple[int, ...], Prefix | None] = ((), None)

    def run(
        self,
        prefix: tuple[int, ...],
        texts: Texts[tuple[int, ...]],
        sequences: Texts[Sequence],
        chooser: Chooser,
        max_tokens: int,
        batch_size: int,
    ) -> None:
        """Draw every sequence to its end.

        Args:
            prefix: the tokens that stand before every text, maybe none.
            texts: what follows the prefix, a text a prompt, at least one token each.
            sequences: in the order in which they start; each goes on from ``texts[its prompt]``.
            chooser: draws tokens and says which sequences end.
            max_tokens: tokens a reply at most.
            batch_size: sequences that run side by side, all lanes together.
        """
        threads = torch.get_num_threads()
        lanes = max(1, min(threads, min(batch_size, len(sequences)) // LEAST_IN_LANE))
        room = max(len(text) for text in texts) + max_tokens
        shared = self._get_prefix(prefix)

        @torch.inference_mode()
        def run_lane(lane: int) -> None:
            if lanes > 1:
                torch.set_num_threads(threads // lanes)
            part = _part(sequences, lane, lanes)
            size = len(_part(range(batch_size), lane, lanes))
            slots = self._get_slots(lane, min(size, len(part)), room)
            _run_all(_Batch(self._decoder, shared, slots, chooser), part, texts, size)

        if lanes == 1:
            run_lane(0)
            return
        try:
            with ThreadPoolExecutor(lanes) as pool:
                list(pool.map(run_lane, range(lanes)))
        finally:
            torch.set_num_threads(threads)

    def _get_prefix(self, tokens: tuple[int, ...]) -> Prefix | None:
        if tokens != self._prefix[0]:
            self._prefix = (tokens, self._decoder.prefill_prefix(tokens) if tokens else None)
        return self._prefix[1]

    def _get_slots(self, lane: int, slots: int, room: int) -> Slots:
        """Room for a lane's batch; what an earlier one used is used again where it is large enough."""
        have = self._slots.get(lane)
        if have is None or have.count < slots or have.room < room:
            decoder = self._decoder
            have = Slots(decoder.layers, slots, decoder.heads, decoder.size, room, self._dtype)
            self._slots[lane] = have
        return have


def _part(items: Texts[Item], lane: int, lanes: int) -> Texts[Item]:
    """A lane's share of items: neighbours, so that a prompt's samples stay together."""
    return items[len(items) * lane // lanes : len(items) * (lane + 1) // lanes]


def _run_all(
    batch: "_Batch", sequences: Texts[Sequence], texts: Texts[tuple[int, ...]], batch_size: int
) -> None:
    waiting = deque(sequences)
    while waiting or batch.sequences:
        free = batch_size - len(batch.sequences)
        # A few at a time: a prefill costs nearly the same for one text as for several.
        if waiting and free >= min(len(waiting), max(1, batch_size // 8)):
            batch.admit([waiting.popleft() for _ in range(min(free, len(waiting)))], texts)
        batch.step()


class _Batch:
    """The sequences that run now, one a slot, in the order of the slots."""

    def __init__(self, decoder: Decoder, prefix: Prefix | None, slots: Slots, chooser: Chooser) -> None:
        self._decoder, self._prefix, self._slots, self._chooser = decoder, prefix, slots, chooser
        self.sequences: list[Sequence] = []
        self._lengths: list[int] = []

    def admit(self, sequences: Texts[Sequence], texts: Texts[tuple[int, ...]]) -> None:
        """Run the texts of new sequences, once a prompt, and draw their first tokens."""
        prompts = sorted({one.prompt for one in sequences})
        rows = torch.tensor([prompts.index(one.prompt) for one in sequences])
        first = len(self.sequences)
        slots = torch.arange(first, first + len(sequences))

        def store(layer: int, keys: Tensor, values: Tensor) -> None:
            self._slots.fill(layer, slots, keys[rows], values[rows])

        logits = self._decoder.prefill([texts[number] for number in prompts], self._prefix, store)
        self.sequences.extend(sequences)
        self._lengths.extend(len(texts[one.prompt]) for one in sequences)
        ended = self._chooser.advance(sequences, logits[rows])
        self._drop([first + number for number, end in enumerate(ended) if end])

    def step(self) -> None:
        """Draw one token of every sequence."""
        if not self.sequences:
            return
        tokens = torch.tensor([one.tokens[-1] for one in self.sequences])
        logits = self._decoder.step(tokens, torch.tensor(self._lengths), self._prefix, self._slots)
        self._lengths = [length + 1 for length in self._lengths]
        ended = self._chooser.advance(self.sequences, logits)
        self._drop([number for number, end in enumerate(ended) if end])

    def _drop(self, ended: list[int]) -> None:
        """Let sequences go; the last ones move into their slots, highest first."""
        for slot in reversed(ended):
            sequence, length = self.sequences.pop(), self._lengths.pop()
            if slot < len(self.sequences):
                self._slots.move(len(self.sequences), slot, length)
                self.sequences[slot], self._lengths[slot] = sequence, length
