"""What n samples of a task say about k tries: pass@k, pass^k and the headroom between k and 1."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Shares = NDArray[np.float64]


def pass_at_k(n: ArrayLike, c: ArrayLike, k: int) -> Shares:
    """Probability that at least one of k samples passes, per task.

    Unbiased estimator 1 - C(n - c, k) / C(n, k) (Chen et al. 2021, eq. 1): k of the n samples that
    were drawn, without replacement.

    Args:
        n: samples drawn, one number or shape (tasks,).
        c: shape (tasks,), how many of the n passed, each in 0..n.
        k: tries, 1 <= k <= n.

    Returns:
        Shape (tasks,), each in [0, 1].

    Raises:
        ValueError: k outside 1..n, or a count outside 0..n.
    """
    drawn, passed = _counts(n, c, k)
    return 1.0 - _share_of_draws(drawn, drawn - passed, k)


def pass_hat_k(n: ArrayLike, c: ArrayLike, k: int) -> Shares:
    """Probability that all of k samples pass, per task: C(c, k) / C(n, k).

    Arguments, result and errors as in pass_at_k. With pass@k it brackets pass@1: ability above,
    reliability below.
    """
    drawn, passed = _counts(n, c, k)
    return _share_of_draws(drawn, passed, k)


def headroom(n: ArrayLike, c: ArrayLike, k: int) -> float:
    """Mean over tasks of pass@k - pass@1: what the model can do but does not do reliably.

    This is what reinforcement learning can amplify; in [0, 1]. Arguments and errors as in pass_at_k.
    """
    return float(np.mean(pass_at_k(n, c, k) - pass_at_k(n, c, 1)))


def mixed_group_share(n: ArrayLike, c: ArrayLike, group_size: int) -> float:
    """Expected share of training groups of this size in which some samples pass and some do not.

    Only such groups move the policy: the advantage of a group of equal rewards is zero. Unbiased
    for tasks drawn alike, 1 - all pass - none passes. Errors as in pass_at_k with k = group_size.
    """
    return float(np.mean(pass_at_k(n, c, group_size) - pass_hat_k(n, c, group_size)))


def _counts(n: ArrayLike, c: ArrayLike, k: int) -> tuple[Shares, Shares]:
    passed = np.asarray(c, dtype=np.float64)
    drawn = np.broadcast_to(np.asarray(n, dtype=np.float64), passed.shape)
    if not np.all((passed >= 0) & (passed <= drawn)):
        raise ValueError("every count of passed samples must lie in 0..n.")
    if k < 1 or np.any(k > drawn):
        raise ValueError(f"k = {k} is outside 1..n; the smallest n is {drawn.min(initial=np.inf):g}.")
    return drawn, passed


def _share_of_draws(drawn: Shares, hits: Shares, k: int) -> Shares:
    """C(hits, k) / C(drawn, k) as a product of k fractions, which no count overflows."""
    steps = np.arange(k, dtype=np.float64)
    fractions = np.clip(hits[..., None] - steps, 0.0, None) / (drawn[..., None] - steps)
    product: Shares = np.prod(fractions, axis=-1)
    return product
