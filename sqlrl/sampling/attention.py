"""Grouped-query attention over a prefix that all sequences share, and over what is each one's own.

The shared keys and values are read once for all sequences instead of once a sequence, and nowhere are
heads repeated. Shapes: ``heads`` are the key-value heads, ``group`` the query heads that share one of
them, ``size`` the head's dimensions. Queries arrive scaled by 1 / sqrt(size).
"""

import torch
from torch import Tensor


def attend_to_own(queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> Tensor:
    """One query a sequence over the sequence's own keys.

    Args:
        queries: shape (sequences, heads, group, size).
        keys: transposed, shape (sequences, heads, size, own).
        values: shape (sequences, heads, own, size).
        mask: 0 or -inf, shape (sequences, 1, 1, own).

    Returns:
        Shape (sequences, heads, group, size).
    """
    scores = torch.matmul(queries, keys).add_(mask)
    return torch.matmul(torch.softmax(scores, dim=-1), values)


def attend_to_both(
    queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor, shared_keys: Tensor, shared_values: Tensor
) -> Tensor:
    """One query a sequence over the shared prefix and the sequence's own keys, under one softmax.

    Args:
        queries, keys, values, mask: as in attend_to_own.
        shared_keys: transposed, shape (heads, size, prefix).
        shared_values: shape (heads, prefix, size).

    Returns:
        Shape (sequences, heads, group, size).
    """
    sequences, heads, group, size = queries.shape
    prefix = shared_keys.shape[-1]
    together = queries.transpose(0, 1).reshape(heads, sequences * group, size)
    shared_scores = torch.bmm(together, shared_keys).view(heads, sequences, group, prefix)
    own_scores = torch.matmul(queries, keys).add_(mask).transpose(0, 1)
    weights = torch.softmax(torch.cat([shared_scores, own_scores], dim=-1), dim=-1)
    shared = torch.bmm(weights[..., :prefix].reshape(heads, sequences * group, prefix), shared_values)
    own = torch.matmul(weights[..., prefix:].transpose(0, 1), values)
    return own.add_(shared.view(heads, sequences, group, size).transpose(0, 1))


def attend_in_texts(queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    """Causal attention of whole texts to themselves.

    Args:
        queries: shape (texts, heads * group, tokens, size).
        keys, values: shape (texts, heads, tokens, size).

    Returns:
        The output, shape (texts, heads * group, tokens, size), and the log of the softmax's
        normaliser, (texts, heads * group, tokens), float32.
    """
    output: tuple[Tensor, Tensor] = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(
        queries, keys, values, is_causal=True, scale=1.0
    )
    return output


def attend_to_prefix(queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    """All rows' queries over the shared prefix alone.

    Args:
        queries: shape (rows, heads * group, size).
        keys: transposed, shape (heads, size, prefix).
        values: shape (heads, prefix, size).

    Returns:
        The output, shape (rows, heads * group, size), and the log of the softmax's normaliser,
        (rows, heads * group), float32.
    """
    rows, heads, size = len(queries), keys.shape[0], keys.shape[1]
    together = queries.view(rows, heads, -1, size).transpose(0, 1).reshape(1, heads, -1, size)
    output, normaliser = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(
        together, keys.transpose(1, 2).contiguous()[None], values[None], scale=1.0
    )
    output = output.view(heads, rows, -1, size).transpose(0, 1).reshape(queries.shape)
    return output, normaliser.view(heads, rows, -1).transpose(0, 1).reshape(rows, -1)


def join(first: tuple[Tensor, Tensor], second: tuple[Tensor, Tensor]) -> Tensor:
    """Attention over two disjoint sets of keys, from output and normaliser over each; float32."""
    share = torch.sigmoid(first[1] - second[1]).unsqueeze(-1)
    return torch.lerp(second[0].float(), first[0].float(), share)
