"""Several prompts and their replies, packed into one row of tokens behind a prefix that they share.

A prompt's own tokens (its question) stand once, its replies behind it one after the other. A token
sees the prefix, its question and its own reply up to itself; nothing is padded.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import torch

BLOCK_TOKENS = 256
"""Replies of one prompt attend together up to about this many tokens: beyond it, the scores between
tokens that do not see each other cost more than a further matrix product."""


@dataclass(frozen=True)
class Branch:
    """One prompt and its replies.

    Fields: the token ids of the question, which is the prompt without the shared prefix, at least
    one; the token ids of each reply, at least one each.
    """

    question: tuple[int, ...]
    replies: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Block:
    """Neighbouring tokens that attend together.

    Fields: how many tokens; the first ``question`` tokens of block ``trunk`` are seen by all of
    them (None where the question stands in this block itself); ``bias`` is added to the scores, 0
    where a token sees a key and -inf where not, shape (length, prefix + question + length), without
    the question where trunk is None.
    """

    length: int
    trunk: int | None
    question: int
    bias: torch.Tensor


@dataclass(frozen=True)
class Tree:
    """Branches as one row of tokens.

    Fields: token ids and positions, both shape (1, tokens); the blocks in the order of the tokens;
    for every reply token in the order of branches, replies and tokens: which packed token predicts
    it, and its id.
    """

    token_ids: torch.Tensor
    positions: torch.Tensor
    blocks: tuple[Block, ...]
    predictors: torch.Tensor
    targets: torch.Tensor


def plant(branches: Sequence[Branch], prefix: int, dtype: torch.dtype, device: torch.device) -> Tree:
    """Pack branches that share a prefix.

    A reply's last token predicts nothing that is asked for, so it is a target only.

    Args:
        branches: at least one.
        prefix: tokens of the shared prefix, 0 or more.
        dtype: of the biases, that of the model's attention scores.
        device: where the tensors live.
    """
    tokens: list[int] = []
    positions: list[int] = []
    predictors: list[int] = []
    targets: list[int] = []
    blocks: list[Block] = []
    for branch in branches:
        start, behind = len(tokens), prefix + len(branch.question)
        tokens += branch.question
        positions += range(prefix, behind)
        for reply in branch.replies:
            predictors += [
                start + len(branch.question) - 1,
                *range(len(tokens), len(tokens) + len(reply) - 1),
            ]
            targets += reply
            tokens += reply[:-1]
            positions += range(behind, behind + len(reply) - 1)
        blocks += _blocks(branch, prefix, len(blocks), dtype, device)
    return Tree(
        torch.tensor([tokens], device=device),
        torch.tensor([positions], device=device),
        tuple(blocks),
        torch.tensor(predictors, device=device),
        torch.tensor(targets, device=device),
    )


def _blocks(branch: Branch, prefix: int, first: int, dtype: torch.dtype, device: torch.device) -> list[Block]:
    question = len(branch.question)
    blocks: list[Block] = []
    for chunk in _chunks([len(reply) - 1 for reply in branch.replies]):
        own = [0] * question if not blocks else []
        own += [number for number, length in enumerate(chunk, start=1) for _ in range(length)]
        if not own:
            continue
        shared = prefix if not blocks else prefix + question
        bias = _bias(own, shared, dtype, device)
        blocks.append(Block(len(own), first if blocks else None, question, bias))
    return blocks


def _chunks(lengths: list[int]) -> list[list[int]]:
    """Lengths of consecutive replies, cut so that a chunk has BLOCK_TOKENS at most where it can."""
    chunks: list[list[int]] = [[]]
    for length in lengths:
        if chunks[-1] and sum(chunks[-1]) + length > BLOCK_TOKENS:
            chunks.append([])
        chunks[-1].append(length)
    return chunks


def _bias(own: list[int], shared: int, dtype: torch.dtype, device: torch.device) -> torch.Tensor:
    """Bias of a block: ``own`` names each token's reply, 0 for the question; ``shared`` keys go before."""
    reply = torch.tensor(own, device=device)
    seen = (reply[None, :] == reply[:, None]) | (reply[None, :] == 0)
    seen = torch.cat([seen.new_ones(len(own), shared), seen.tril()], dim=1)
    return torch.zeros(seen.shape, dtype=dtype, device=device).masked_fill_(~seen, float("-inf"))


def gather_branches(
    prompts: Sequence[tuple[int, ...]], replies: Sequence[tuple[int, ...]], prefix: int
) -> list[Branch]:
    """Branches of prompts with one reply each, in order; neighbours with equal prompts become one."""
    pairs = zip(prompts, replies, strict=True)
    return [
        Branch(prompt[prefix:], tuple(reply for _, reply in group))
        for prompt, group in groupby(pairs, key=lambda pair: pair[0])
    ]
