"""Pass rates as real holdouts have them, to simulate scoring from."""

import numpy as np


def counts(rng: np.random.Generator, tasks: int, k: int, alpha: float, beta: float) -> np.ndarray:
    """Passed samples of k for tasks whose pass rates follow a beta distribution; shape (tasks,)."""
    return rng.binomial(k, rng.beta(alpha, beta, tasks))


def coverage(
    rng: np.random.Generator, runs: int, tasks: int, alpha: float, beta: float, interval_of
) -> float:
    """Share of simulated holdouts whose interval holds the true mean pass rate."""
    truth = alpha / (alpha + beta)
    hits = 0
    for _ in range(runs):
        found = interval_of(counts(rng, tasks, 4, alpha, beta) / 4)
        hits += found.low <= truth <= found.high
    return hits / runs
