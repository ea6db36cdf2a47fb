"""Grouped-query attention in two parts: a prefix that all sequences share, and what is their own.

The shared keys and values are read once for all sequences instead of once a sequence; each part
gives its output with the logarithm of its normaliser, and the two are joined exactly.

Shapes: ``heads`` are the key-value heads, ``group`` the query heads that share one of them,
``size`` the head's dimensions. Queries arrive scaled by 1 / sqrt(size).
"""

import torch
from torch import Tensor


def attend(queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
    """Attention of each batch's queries over its own keys.

    Args:
        queries: shape (..., queries, size).
        keys: transposed, shape (..., size, keys).
        values: shape (..., keys, size).
        mask: added to the scores, broadcast to (..., queries, keys); None adds nothing.

    Returns:
        The output, shape (..., queries, size), and the log of the normaliser, (..., queries, 1),
        float32.
    """
    scores = torch.matmul(queries, keys)
    if mask is not None:
        scores = scores.add_(mask)
    weights = torch.softmax(scores, dim=-1, dtype=torch.float32)
    # The largest weight is 1 / sum(exp(score - largest score)).
    normaliser = scores.amax(dim=-1, keepdim=True).float() - weights.amax(dim=-1, keepdim=True).log_()
    return torch.matmul(weights.to(values.dtype), values), normaliser


def join(first: tuple[Tensor, Tensor], second: tuple[Tensor, Tensor]) -> Tensor:
    """Attention over two disjoint sets of keys, from the attention over each (see attend)."""
    share = torch.sigmoid(first[1] - second[1])
    return torch.lerp(second[0].float(), first[0].float(), share)


def attend_to_prefix(queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    """All sequences' queries over the shared prefix, as one product a key-value head.

    Args:
        queries: shape (sequences, heads, group, size).
        keys: shape (heads, size, prefix).
        values: shape (heads, prefix, size).

    Returns:
        As attend: shapes (sequences, heads, group, size) and (sequences, heads, group, 1).
    """
    sequences, heads, group, size = queries.shape
    gathered = queries.transpose(0, 1).reshape(heads, sequences * group, size)
    output, normaliser = attend(gathered, keys, values, None)
    return (
        output.view(heads, sequences, group, size).transpose(0, 1),
        normaliser.view(heads, sequences, group, 1).transpose(0, 1),
    )


def attend_causally(queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    """Causal attention of whole texts to themselves.

    Args:
        queries: shape (texts, heads * group, tokens, size).
        keys, values: shape (texts, heads, tokens, size).

    Returns:
        The output, shape (texts, heads * group, tokens, size), and the log of the normaliser,
        (texts, heads * group, tokens, 1), float32.
    """
    output, normaliser = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(
        queries, keys, values, is_causal=True, scale=1.0
    )
    return output, normaliser.unsqueeze(-1)
