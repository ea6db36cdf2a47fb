"""What a holdout can prove: the smallest gain it would show, and the tasks that a gain needs."""

import math

from scipy import stats


def smallest_provable_gain(sd: float, n: float, power: float = 0.8, confidence: float = 0.95) -> float:
    """The true mean difference that n tasks would prove with this chance (minimum detectable effect).

    (z of confidence + z of power) * sd / sqrt(n), two-sided, normal approximation of the mean of n
    paired differences (Cohen 1988, section 2.4; Card et al. 2020 for language models).

    Args:
        sd: standard deviation of the tasks' paired differences, not negative.
        n: tasks; divide by the design effect where tasks come in clusters.
        power: chance of proving a gain that is really there, in (0, 1).
        confidence: of the interval that must exclude zero, in (0, 1).

    Raises:
        ValueError: an argument is outside its range.
    """
    _check(sd >= 0 and n > 0, "sd must not be negative and n must be positive")
    return _quantiles(power, confidence) * sd / math.sqrt(n)


def tasks_needed(sd: float, gain: float, power: float = 0.8, confidence: float = 0.95) -> int:
    """How many tasks prove a true gain of this size: the inverse of smallest_provable_gain, rounded up.

    Raises:
        ValueError: the gain is zero, or an argument is outside its range.
    """
    _check(sd >= 0 and gain != 0, "sd must not be negative and the gain must not be zero")
    exact = (_quantiles(power, confidence) * sd / gain) ** 2
    # 1e-9: a gain made by smallest_provable_gain gives its n back, not n + 1.
    return max(2, math.ceil(exact * (1.0 - 1e-9)))


def _quantiles(power: float, confidence: float) -> float:
    _check(0 < power < 1 and 0 < confidence < 1, "power and confidence must lie between 0 and 1")
    return float(stats.norm.ppf(0.5 + confidence / 2.0) + stats.norm.ppf(power))


def _check(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(f"{what}.")
