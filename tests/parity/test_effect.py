"""The slope tells a whole effect from a lost one; the surprise tells how tokens were drawn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlrl.parity.effect import Tokens, effect_slope, paid_difference, surprise


def make_tokens(applied=1.0, noise=0.01, count=1200, seed=0):
    rng = np.random.default_rng(seed)
    base = -rng.exponential(0.5, count)
    effect = rng.normal(0, 0.06, count)
    served = base + applied * effect + rng.normal(0, noise, count)
    zeros = np.zeros(count)
    return Tokens(np.arange(count) // 40, served, base, base + effect, zeros, zeros)


@pytest.mark.parametrize("applied", [0.0, 0.5, 1.0, 2.0])
def test_the_slope_is_the_share_of_the_effect_that_is_applied(applied: float):
    slope = effect_slope(make_tokens(applied))
    assert slope.low < applied < slope.high
    assert slope.half_width < 0.03


def test_the_interval_of_the_slope_covers_the_truth_as_often_as_it_says():
    found = [effect_slope(make_tokens(seed=seed)) for seed in range(400)]
    covered = np.mean([one.low <= 1.0 <= one.high for one in found])
    assert 0.90 <= covered <= 0.98


def test_an_adapter_without_effect_has_no_slope():
    tokens = make_tokens()
    with pytest.raises(ValueError, match="no effect"):
        effect_slope(
            Tokens(tokens.reply, tokens.served, tokens.base, tokens.base, tokens.mean, tokens.variance)
        )


def drawn(asked: float, at: float, count: int = 3000, seed: int = 0) -> Tokens:
    """Tokens of random distributions, drawn at one temperature and judged at another."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(0, 2, (count, 20))

    def logprobs(temperature):
        scaled = logits / temperature
        return scaled - np.log(np.exp(scaled).sum(1, keepdims=True))

    chosen = np.array([rng.choice(20, p=np.exp(row)) for row in logprobs(at)])
    truth = logprobs(asked)
    mean = -(np.exp(truth) * truth).sum(1)
    variance = (np.exp(truth) * truth**2).sum(1) - mean**2
    own = truth[np.arange(count), chosen]
    return Tokens(np.arange(count), own, own, own, mean, variance)


def test_tokens_drawn_as_asked_are_no_surprise():
    found = [surprise(drawn(1.0, 1.0, count=500, seed=seed)) for seed in range(60)]
    assert abs(np.mean(found)) < 0.5
    assert 0.7 < np.std(found) < 1.3


@pytest.mark.parametrize(("at", "sign"), [(0.6, -1), (1.5, 1)])
def test_colder_tokens_are_less_and_warmer_ones_more_surprising(at: float, sign: int):
    assert surprise(drawn(1.0, at)) * sign > 4


@given(st.floats(0.1, 10))
def test_the_slope_does_not_depend_on_the_unit(unit: float):
    tokens = make_tokens(0.7)
    scaled = Tokens(
        tokens.reply,
        tokens.served * unit,
        tokens.base * unit,
        tokens.adapted * unit,
        tokens.mean,
        tokens.variance,
    )
    assert effect_slope(scaled).value == pytest.approx(effect_slope(tokens).value)


def rewards_of(rng, tasks: int, samples: int, rates) -> dict[str, list[float]]:
    return {str(task): (rng.random(samples) < rates[task]).astype(float).tolist() for task in range(tasks)}


@pytest.mark.parametrize(("tasks", "served", "trained"), [(2, 2, 8), (8, 2, 8), (16, 2, 16)])
def test_samples_of_one_policy_seldom_differ_by_three_errors_however_few_they_are(tasks, served, trained):
    rng = np.random.default_rng(1)
    fallen = 0
    for _ in range(2000):
        rates = rng.beta(0.6, 0.9, tasks)
        change = paid_difference(
            rewards_of(rng, tasks, served, rates), rewards_of(rng, tasks, trained, rates)
        )
        fallen += -change.value > max(0.05, 3 * change.error)
    assert fallen / 2000 < 0.01


def test_a_few_samples_that_all_failed_are_no_proof_and_many_are():
    earned = {"a": [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0], "b": [1.0, *[0.0] * 7]}
    few = paid_difference({"a": [0.0, 0.0], "b": [0.0, 0.0]}, earned)
    assert few.value == pytest.approx(-0.25)
    assert few.low < 0 < few.high
    solved = {str(task): [1.0] * 8 for task in range(8)}
    lost = paid_difference({task: [0.0, 0.0] for task in solved}, solved)
    assert -lost.value > 3 * lost.error
