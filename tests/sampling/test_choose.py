"""Tokens are drawn from the distribution that the logits and settings say."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlrl.sampling.choose import choose_tokens
from sqlrl.sampling.streams import stream_of, uniforms


def draw(logits: torch.Tensor, count: int, temperature: float, top_p: float) -> torch.Tensor:
    """Counts of each token over an even grid of uniforms: exact up to one in ``count``."""
    grid = (torch.arange(count, dtype=torch.float64) + 0.5) / count
    tokens, _ = choose_tokens(logits.expand(count, -1), grid, temperature, top_p)
    return torch.bincount(tokens, minlength=logits.shape[-1]) / count


@pytest.mark.parametrize("vocabulary", [5, 256, 300, 1000])
@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_shares_are_the_softmax_at_the_temperature(vocabulary: int, temperature: float):
    logits = torch.randn(vocabulary, generator=torch.Generator().manual_seed(1)) * 2
    wanted = torch.softmax(logits / temperature, -1)
    assert (draw(logits, 20_000, temperature, 1.0) - wanted).abs().max() < 2e-4


def test_log_probabilities_are_at_the_temperature_and_before_top_p():
    logits = torch.tensor([[1.0, 2.0, 3.0]])
    token, logprob = choose_tokens(logits, torch.tensor([0.5], dtype=torch.float64), 0.7, 0.1)
    assert token.item() == 2
    torch.testing.assert_close(logprob, torch.log_softmax(logits / 0.7, -1)[:, 2])


def test_top_p_draws_only_from_the_smallest_set_that_reaches_it():
    logits = torch.log(torch.tensor([0.05, 0.4, 0.3, 0.2, 0.05]))
    shares = draw(logits, 10_000, 1.0, 0.75)
    torch.testing.assert_close(shares, torch.tensor([0.0, 4 / 9, 3 / 9, 2 / 9, 0.0]), atol=2e-4, rtol=0)
    assert draw(logits, 100, 1.0, 0.01)[1] == 1.0


def test_temperature_zero_takes_the_largest_and_its_probability_at_one():
    logits = torch.tensor([[0.0, 3.0, 1.0]])
    token, logprob = choose_tokens(logits, torch.tensor([0.99], dtype=torch.float64), 0.0, 1.0)
    assert token.item() == 1
    torch.testing.assert_close(logprob, torch.log_softmax(logits, -1)[:, 1])


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 700), st.integers(0, 2**32 - 1), st.sampled_from([0.0, 1e-12, 0.5, 1 - 2**-53]))
def test_a_token_of_no_probability_is_never_drawn(vocabulary: int, seed: int, uniform: float):
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(3, vocabulary, generator=generator) * 50
    logits[:, torch.rand(vocabulary, generator=generator) < 0.5] = -torch.inf
    logits[:, int(torch.randint(vocabulary, (1,), generator=generator))] = 0.0
    tokens, logprobs = choose_tokens(logits, torch.full((3,), uniform, dtype=torch.float64), 1.0, 1.0)
    assert (tokens < vocabulary).all()
    assert torch.isfinite(logprobs).all()


def test_a_stream_is_a_function_of_seed_key_and_sample():
    streams = {stream_of(seed, key, sample) for seed in (1, 2) for key in ("a", "b") for sample in (0, 1)}
    assert len(streams) == 8
    assert stream_of(1, "a", 0) == stream_of(1, "a", 0)


def test_the_numbers_are_uniform_and_without_memory():
    streams = np.array([stream_of(1, f"task-{i}", 0) for i in range(2000)], dtype=np.uint64)
    drawn = np.stack([uniforms(streams, np.full(2000, position, dtype=np.uint64)) for position in range(50)])
    assert drawn.min() >= 0.0
    assert drawn.max() < 1.0
    counts = np.histogram(drawn, bins=20, range=(0, 1))[0]
    assert abs(counts - 5000).max() < 350
    assert abs(np.corrcoef(drawn[:-1].ravel(), drawn[1:].ravel())[0, 1]) < 0.02
    assert abs(np.corrcoef(drawn[:, :-1].ravel(), drawn[:, 1:].ravel())[0, 1]) < 0.02


def test_the_numbers_of_a_stream_are_those_of_splitmix64():
    # First outputs for seed 1234567, from the reference implementation's published test values.
    wanted = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    stream = np.array([1234567], dtype=np.uint64)
    drawn = [uniforms(stream, np.array([position], dtype=np.uint64))[0] for position in range(3)]
    assert drawn == [(value >> 11) * 2.0**-53 for value in wanted]
