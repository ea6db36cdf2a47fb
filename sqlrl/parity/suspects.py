"""Names the likely cause where what is served is not what was trained: which known mistake explains it best."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager

import torch

from sqlrl.parity.effect import Floats, mean_difference
from sqlrl.parity.referee import Referee
from sqlrl.training.exchange import Exchange

# A mistake is named when it explains what was served this many times better than what was trained does.
CLEARLY = 2.0
TEMPERATURES = (0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1.1, 1.25, 1.5, 2.0)
# Parts of an adapter that loaders have lost, by what stands in the names of their modules.
PARTS = {
    ".mlp.": "the modules of the MLP are missing",
    ".self_attn.": "the modules of the attention are missing",
    ".linear_attn.": "the modules of the linear attention are missing",
}
Tensors = dict[str, torch.Tensor]


def name_weights(
    referee: Referee,
    exchanges: Sequence[Exchange],
    served: Floats,
    temperature: float,
    others: Mapping[str, Tensors],
) -> str | None:
    """Which other weights explain what was served.

    Args:
        referee: of the checkpoint.
        exchanges: replies that were served.
        served: log-probabilities that the server gave their tokens.
        temperature: that they were drawn at.
        others: weights of earlier adapters of the run, by name.

    Returns:
        The cause in words; None where no known mistake explains it clearly.
    """
    trained = mean_difference(served, referee.adapted(exchanges, temperature)[:, 0])
    found = {"the base model is served under the adapter's name": referee.base(exchanges, temperature)}
    for cause, context in _mistakes(referee, others):
        with context:
            found[cause] = referee.adapted(exchanges, temperature)[:, 0]
    errors = {cause: mean_difference(served, logprobs) for cause, logprobs in found.items()}
    cause = min(errors, key=lambda one: errors[one])
    return cause if errors[cause] * CLEARLY < trained else None


def name_temperature(
    referee: Referee, exchanges: Sequence[Exchange], temperature: float
) -> tuple[float, float]:
    """The temperature at which the drawn tokens are likeliest, of TEMPERATURES and the one asked for.

    Returns:
        That temperature, and by how much the tokens' mean log-probability is better there.
    """
    found = {
        one: float(referee.adapted(exchanges, one)[:, 0].mean())
        for one in (temperature, *(temperature * factor for factor in TEMPERATURES))
    }
    best = max(found, key=lambda one: found[one])
    return round(best, 3), found[best] - found[temperature]


def _mistakes(
    referee: Referee, others: Mapping[str, Tensors]
) -> Iterator[tuple[str, AbstractContextManager[None]]]:
    names = [name for name, _ in referee.policy.named_modules()]
    yield "its scale is halved (lora_alpha or rank read wrongly)", referee.scaled(0.5)
    yield "its scale is doubled (lora_alpha or rank read wrongly, or applied twice)", referee.scaled(2.0)
    for part, cause in PARTS.items():
        if any(part in name for name in names):
            yield cause, referee.scaled(0.0, part)
    for name, tensors in others.items():
        yield (
            f"an older adapter is served, that of {name} (a stale file or a reused name or id)",
            (referee.replaced(tensors)),
        )
    yield (
        "it is served from a copy merged into bfloat16, which rounds part of it away",
        (referee.merged(torch.bfloat16)),
    )
