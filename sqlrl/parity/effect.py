"""How much of an adapter's effect arrives at the server: a slope, and whether samples are drawn as asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Tokens:
    """Tokens that a server drew, each with its log-probabilities; all arrays have shape (tokens,).

    Fields: the reply that each token is of; what the server said; what the base model says; what the base with
    the adapter says; mean and variance of the surprisal of a token drawn there, the adapter applied.
    """

    reply: NDArray[np.int64]
    served: Floats
    base: Floats
    adapted: Floats
    mean: Floats
    variance: Floats


@dataclass(frozen=True)
class Estimate:
    """An estimate and its 95% interval."""

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2

    @property
    def error(self) -> float:
        """The standard error that the interval was made with."""
        return self.half_width / 1.96


def effect_slope(tokens: Tokens) -> Estimate:
    """Regress the effect that was served on the effect that was trained, through the origin.

    With x = log p(adapter) - log p(base) and y = log p(served) - log p(base), the slope is
    sum(xy) / sum(x^2): 1 where the adapter is applied whole, 0 where it is not applied. A mean difference
    can't tell these apart from the engine's rounding; a slope can. The interval is of the
    cluster-robust (sandwich) error, tokens of one reply a cluster (Liang and Zeger 1986).

    Raises:
        ValueError: the adapter has no effect on any of these tokens.
    """
    x, y = tokens.adapted - tokens.base, tokens.served - tokens.base
    total = float(x @ x)
    if total == 0.0:
        raise ValueError("the adapter has no effect on any of these tokens")
    value = float(x @ y) / total
    scores = np.zeros(int(tokens.reply.max()) + 1)
    np.add.at(scores, tokens.reply, x * (y - value * x))
    error = float(np.sqrt(scores @ scores)) / total
    return Estimate(value, value - 1.96 * error, value + 1.96 * error)


def mean_difference(one: Floats, other: Floats) -> float:
    """Mean absolute difference."""
    return float(np.abs(one - other).mean())


def paid_difference(paid: Mapping[str, Sequence[float]], earned: Mapping[str, Sequence[float]]) -> Estimate:
    """What the samples of some tasks are paid less what they earned before, a mean over tasks, with its interval.

    Were both drawn alike, the difference of a task's two means would have the variance s^2 (1/n + 1/m), s^2 that of
    all n + m rewards together, as in a two-sample test. A few samples that happen to be alike say so little: the
    spread between tasks alone, which is used where it is wider, would be 0 for them.

    Args:
        paid, earned: rewards by task, the same tasks on both sides.
    """
    tasks = sorted(earned)
    changes = np.array([np.mean(paid[task]) - np.mean(earned[task]) for task in tasks])
    variances = [
        float(np.var([*paid[task], *earned[task]])) * (1 / len(paid[task]) + 1 / len(earned[task]))
        for task in tasks
    ]
    between = float(changes.std()) / len(tasks) ** 0.5
    error = max(between, sum(variances) ** 0.5 / len(tasks))
    value = float(changes.mean())
    return Estimate(value, value - 1.96 * error, value + 1.96 * error)


def surprise(tokens: Tokens) -> float:
    """By how many standard errors the drawn tokens are more surprising than tokens drawn as asked would be.

    A token drawn from p has a surprisal -log p of mean H(p), the entropy, whatever came before; so the sum
    of the differences is a martingale, and over the root of the sum of the variances nearly standard
    normal. Colder sampling than asked makes it negative, warmer positive.
    """
    excess = -tokens.adapted - tokens.mean
    spread = float(np.sqrt(np.clip(tokens.variance, 0.0, None).sum()))
    return float(excess.sum()) / spread if spread > 0 else 0.0
