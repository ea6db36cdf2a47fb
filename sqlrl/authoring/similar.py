"""Questions that have many words in common, of all pairs there are."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from sqlrl.authoring.duplicates import content_words

BLOCK = 256


@dataclass(frozen=True)
class Pair:
    """Two places of a list of questions, ``one`` before ``other``, and the share of their words in common."""

    one: int
    other: int
    similarity: float


def similar_pairs(questions: Sequence[str], least: float) -> list[Pair]:
    """All pairs whose content words are common to at least this share (Jaccard), the most similar first.

    Args:
        questions: in any order; ties keep it.
        least: in (0, 1].
    """
    words = [content_words(question) for question in questions]
    numbers: dict[str, int] = {}
    places = [numbers.setdefault(word, len(numbers)) for found in words for word in sorted(found)]
    sizes = np.array([len(found) for found in words])
    starts = np.concatenate([[0], np.cumsum(sizes)])
    shape = (len(words), max(1, len(numbers)))
    matrix = sparse.csr_matrix((np.ones(len(places), dtype=np.float32), places, starts), shape=shape)
    found: list[Pair] = []
    for start in range(0, len(words), BLOCK):
        rows = np.arange(start, min(start + BLOCK, len(words)))
        common = (matrix[rows] @ matrix.T).toarray()
        union = sizes[rows][:, None] + sizes[None, :] - common
        share = np.where(union > 0, common / np.maximum(union, 1), 0.0)
        share[np.arange(len(words))[None, :] <= rows[:, None]] = 0.0
        for row, other in np.argwhere(share >= least - 1e-6):
            found.append(Pair(int(rows[row]), int(other), round(float(share[row, other]), 4)))
    return sorted(found, key=lambda pair: (-pair.similarity, pair.one, pair.other))
