"""Choose each sequence's next token from its logits, by one uniform number a sequence."""

import torch
from torch import Tensor

BLOCK = 256


def choose_tokens(logits: Tensor, uniform: Tensor, temperature: float, top_p: float) -> tuple[Tensor, Tensor]:
    """Draw by inverting the cumulative distribution; temperature 0 takes the likeliest token.

    Args:
        logits: shape (sequences, vocabulary), any floating type.
        uniform: shape (sequences,), float64, each in [0, 1).
        temperature: 0 or more.
        top_p: in (0, 1]; below 1 only the likeliest tokens that reach this mass can be drawn.

    Returns:
        Token ids, shape (sequences,), and their natural-log probabilities, float32, under the
        distribution at the temperature (at 1 where it is 0), before top_p.
    """
    scaled = logits.float()
    if temperature not in (0.0, 1.0):
        scaled = scaled * (1.0 / temperature)
    probabilities = torch.softmax(scaled, dim=-1)
    if temperature == 0.0:
        tokens = probabilities.argmax(dim=-1)
    else:
        kept = probabilities if top_p >= 1.0 else _nucleus(probabilities, top_p)
        tokens = _invert(kept, uniform)
    return tokens, probabilities.gather(1, tokens[:, None]).squeeze(1).log()


def _nucleus(probabilities: Tensor, top_p: float) -> Tensor:
    """Zero all but the smallest set of likeliest tokens whose mass reaches top_p (ties stay in)."""
    ordered = probabilities.sort(dim=-1, descending=True).values
    before = ordered.cumsum(dim=-1) - ordered
    least = ordered.masked_fill(before >= top_p, 2.0).amin(dim=-1, keepdim=True)
    return probabilities.masked_fill(probabilities < least, 0.0)


def _invert(weights: Tensor, uniform: Tensor) -> Tensor:
    """The first token at which the cumulative weight passes ``uniform`` of the whole.

    In two levels, blocks and then tokens of one block: a cumulative sum over the whole vocabulary
    would cost several times the softmax.
    """
    sequences, vocabulary = weights.shape
    blocks = torch.nn.functional.pad(weights, (0, -vocabulary % BLOCK)).view(sequences, -1, BLOCK)
    mass = blocks.sum(dim=-1, dtype=torch.float32).double().cumsum(dim=-1)
    target = uniform * mass[:, -1]
    block = _first_beyond(mass, target)
    rows = torch.arange(sequences)
    before = torch.where(block > 0, mass[rows, (block - 1).clamp(min=0)], 0.0)
    within = blocks[rows, block].double().cumsum(dim=-1)
    return block * BLOCK + _first_beyond(within, target - before)


def _first_beyond(cumulative: Tensor, target: Tensor) -> Tensor:
    """Index of the first entry above the target; rounding never leads past the last weight above 0."""
    first = (cumulative <= target[:, None]).sum(dim=-1)
    last = (cumulative < cumulative[:, -1:]).sum(dim=-1)
    return torch.minimum(first, last)
