"""Log-probabilities of chosen tokens without keeping the logits of the whole vocabulary."""

from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional

ROWS_AT_ONCE = 256

Score = Callable[[torch.Tensor, torch.Tensor, torch.Tensor, float], torch.Tensor]


def token_logprobs(
    states: torch.Tensor, head: torch.Tensor, targets: torch.Tensor, temperature: float
) -> torch.Tensor:
    """Log-probability of each target after its hidden state.

    The gradient by the states is formed in the forward pass, where the probabilities are at hand:
    one row a token, since a token's loss depends on its log-probability alone.

    Args:
        states: shape (tokens, hidden size).
        head: shape (vocabulary, hidden size); it gets no gradient.
        targets: shape (tokens,), ids.
        temperature: above 0.

    Returns:
        Shape (tokens,), float32.
    """
    arguments = states, head, targets, temperature
    logprobs: torch.Tensor = _TokenLogprobs.apply(*arguments)  # type: ignore[no-untyped-call]
    return logprobs


@torch.no_grad()
def token_moments(
    states: torch.Tensor, head: torch.Tensor, targets: torch.Tensor, temperature: float
) -> torch.Tensor:
    """What is known of each target's surprisal -log p where the token before it stands.

    Args:
        states, head, targets, temperature: see token_logprobs.

    Returns:
        Shape (tokens, 3), float32: the target's log-probability; the mean (the entropy) and the variance of
        the surprisal of a token that is drawn there.
    """
    found = torch.empty((len(targets), 3), dtype=torch.float32, device=states.device)
    for start in range(0, len(targets), ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        logprobs = functional.linear(states[rows], head).float().div_(temperature).log_softmax(dim=-1)
        shares = logprobs.exp()
        mean = -(shares * logprobs).nansum(dim=-1)
        square = (shares * logprobs.square()).nansum(dim=-1)
        chosen = logprobs.gather(1, targets[rows, None])[:, 0]
        found[rows] = torch.stack([chosen, mean, square - mean.square()], dim=-1)
    return found


class _TokenLogprobs(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, states: torch.Tensor, head: torch.Tensor, targets: torch.Tensor, temperature: float
    ) -> torch.Tensor:
        slopes = torch.empty_like(states) if states.requires_grad else None
        logprobs = torch.empty(len(targets), dtype=torch.float32, device=states.device)
        for start in range(0, len(targets), ROWS_AT_ONCE):
            rows = slice(start, start + ROWS_AT_ONCE)
            logits = functional.linear(states[rows], head).float().div_(temperature)
            total = logits.logsumexp(dim=-1, keepdim=True)
            chosen = targets[rows, None]
            logprobs[rows] = (logits.gather(1, chosen) - total)[:, 0]
            if slopes is not None:
                pull = logits.sub_(total).exp_().neg_()
                pull.scatter_add_(1, chosen, torch.ones_like(total))
                slopes[rows] = torch.matmul(pull.to(head.dtype), head).div_(temperature)
        if slopes is not None:
            ctx.save_for_backward(slopes)
        return logprobs

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        (slopes,) = ctx.saved_tensors
        return (slopes * gradients[0][:, None]).to(slopes.dtype), None, None, None
