"""What a checkpoint says of tokens when its files are loaded by transformers and PEFT: the truth served is held to."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import torch
from peft.tuners.lora import LoraLayer
from safetensors.torch import load_file

from sqlrl.parity.effect import Floats, Tokens
from sqlrl.sampling.sampler import Prompt, Reply
from sqlrl.training.exchange import Exchange
from sqlrl.training.likelihood import Likelihood
from sqlrl.training.manifest import WEIGHTS
from sqlrl.training.policy import ADAPTER, load_tensors, open_adapted
from sqlrl.training.probe import REPLY_TOKENS, Probe, measure

BATCH = 8


class Referee:
    """A base model with the adapter under test."""

    def __init__(self, model: Path, adapter: Path, probe: Sequence[Exchange], causal: bool = False) -> None:
        """
        Args:
            model: folder of the base model.
            adapter: folder of the adapter.
            probe: a few exchanges; see Likelihood.
            causal: load the base as ``AutoModelForCausalLM`` does.
        """
        self.policy = open_adapted(model, adapter, causal)
        self._own = load_file(adapter / WEIGHTS)
        self._likelihood = Likelihood(self.policy, probe)

    def reload(self, probes: Sequence[Probe], batch: int) -> Floats:
        """Absolute differences between what a stage wrote down and what its files say, a number a token."""
        again = measure(probes[0].step, [one.seen for one in probes], self._likelihood, batch)
        before, after = (np.concatenate([one.logprobs for one in part]) for part in (probes, again))
        found: Floats = np.abs(before - after)
        return found

    def base(self, exchanges: Sequence[Exchange], temperature: float) -> Floats:
        """Log-probabilities of all reply tokens under the base model."""
        with self.policy.disable_adapter():
            return self._measure(exchanges, temperature)[:, 0]

    def adapted(self, exchanges: Sequence[Exchange], temperature: float) -> Floats:
        """What token_moments says of all reply tokens with the adapter, shape (tokens, 3)."""
        return self._measure(exchanges, temperature)

    def tokens(self, exchanges: Sequence[Exchange], served: Floats, temperature: float) -> Tokens:
        """All that is known of the tokens that a server drew."""
        moments = self.adapted(exchanges, temperature)
        reply = np.repeat(np.arange(len(exchanges)), [len(one.reply) for one in exchanges])
        base = self.base(exchanges, temperature)
        return Tokens(reply, served, base, moments[:, 0], moments[:, 1], moments[:, 2])

    @contextmanager
    def scaled(self, factor: float, part: str = "") -> Iterator[None]:
        """The adapter's effect times a factor, in the modules whose name has ``part`` in it."""
        layers = [
            layer
            for name, layer in self.policy.named_modules()
            if isinstance(layer, LoraLayer) and part in name
        ]
        before = [layer.scaling[ADAPTER] for layer in layers]
        for layer, scale in zip(layers, before, strict=True):
            layer.scaling[ADAPTER] = scale * factor
        yield
        for layer, scale in zip(layers, before, strict=True):
            layer.scaling[ADAPTER] = scale

    @contextmanager
    def replaced(self, tensors: dict[str, torch.Tensor]) -> Iterator[None]:
        """Other weights in the adapter's place."""
        load_tensors(self.policy, tensors)
        yield
        load_tensors(self.policy, self._own)

    @contextmanager
    def merged(self, dtype: torch.dtype) -> Iterator[None]:
        """The base in ``dtype`` with the adapter merged into it, which rounds part of its effect away."""
        weights = [
            layer.get_base_layer().weight for layer in self.policy.modules() if isinstance(layer, LoraLayer)
        ]
        before = [weight.data for weight in weights]
        for layer in self.policy.modules():
            if isinstance(layer, LoraLayer):
                weight = layer.get_base_layer().weight
                whole = weight.data.to(dtype) + layer.get_delta_weight(ADAPTER).to(dtype)
                weight.data = whole.to(weight.dtype)
        with self.policy.disable_adapter():
            yield
        for weight, old in zip(weights, before, strict=True):
            weight.data = old

    def _measure(self, exchanges: Sequence[Exchange], temperature: float) -> Floats:
        parts = [
            self._likelihood.measure(exchanges[start : start + BATCH], temperature)
            for start in range(0, len(exchanges), BATCH)
        ]
        found: Floats = torch.cat(parts).double().cpu().numpy()
        return found


def exchange_of(prompt: Prompt, reply: Reply) -> Exchange:
    """A reply as it is compared: its first tokens."""
    return Exchange(prompt.token_ids, reply.token_ids[:REPLY_TOKENS], prompt.prefix_length)


def served_of(replies: Sequence[Reply]) -> Floats:
    """What the server said of the tokens of exchange_of, reply by reply."""
    return np.concatenate([reply.logprobs[:REPLY_TOKENS] for reply in replies])
