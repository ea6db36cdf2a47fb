"""Many comparisons at once: p values that say how sure the whole family is."""

from collections.abc import Sequence

import numpy as np


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjustment (Holm 1979): p values that may be held against one level all together.

    Where nothing differs, the chance that any adjusted p lies below the level is at most the level, however
    the comparisons hang together. The smallest of m is multiplied by m, the next by m - 1 and so on, and
    none comes out below a smaller one.

    Args:
        p_values: of one family of comparisons, each in [0, 1].

    Returns:
        The adjusted values in the same order, each in [0, 1] and none below its own p.

    Raises:
        ValueError: a value that is no probability.
    """
    found = np.asarray(p_values, dtype=np.float64)
    if not np.all((found >= 0) & (found <= 1)):
        raise ValueError("every p value must lie in 0..1.")
    order = np.argsort(found, kind="stable")
    steps = np.maximum.accumulate(found[order] * np.arange(found.size, 0, -1))
    adjusted = np.empty_like(found)
    adjusted[order] = np.minimum(steps, 1.0)
    result: list[float] = adjusted.tolist()
    return result
