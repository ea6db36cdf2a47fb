"""Sequences that end leave, waiting ones take their place, and the prefix is run once."""

import pytest
import torch

from sqlrl.sampling.attention import attend_in_texts, attend_to_both, attend_to_own, attend_to_prefix, join
from sqlrl.sampling.cache import Slots
from sqlrl.sampling.sampler import Prompt, SamplingSettings
from sqlrl.sampling.transformers import TransformersSampler

PREFIX = tuple(range(5, 45))


def make_prompts(count: int) -> list[Prompt]:
    return [Prompt(f"task-{i}", (*PREFIX, 50 + i, 60, 70 + i), len(PREFIX)) for i in range(count)]


@pytest.fixture
def watched(models, monkeypatch: pytest.MonkeyPatch):
    """A sampler whose decoder notes the sizes of its prefills and steps."""
    sampler = TransformersSampler(models["llama"], dtype=torch.float32)
    decoder = sampler._get_engine(None)._decoder
    calls: dict[str, list[int]] = {"prefill_prefix": [], "prefill": [], "step": []}

    def watch(name: str) -> None:
        call = getattr(decoder, name)

        def noted(first, *rest):
            calls[name].append(len(first))
            return call(first, *rest)

        monkeypatch.setattr(decoder, name, noted)

    for name in calls:
        watch(name)
    return sampler, calls


def test_the_prefix_is_run_once_for_all_calls_and_each_prompt_once_for_all_samples(watched):
    sampler, calls = watched
    for _ in range(2):
        sampler.sample(make_prompts(4), 3, SamplingSettings(1.0, 1.0, 5, 64), None, seed=1)
    assert calls["prefill_prefix"] == [len(PREFIX)]
    assert calls["prefill"] == [4, 4]


def test_a_batch_is_never_larger_than_asked_and_is_filled_up(watched):
    sampler, calls = watched
    settings = SamplingSettings(1.0, 1.0, 9, 8)
    ends = {
        r.token_ids[n] for r in sampler.sample(make_prompts(10), 3, settings, None, seed=1) for n in (2, 5)
    }
    calls["step"].clear()
    sampler._tokens.ends = frozenset(ends)
    replies = sampler.sample(make_prompts(10), 3, settings, None, seed=1)
    assert {len(r.token_ids) for r in replies} > {3}
    assert max(calls["step"]) <= 8
    # 30 sequences: each step draws one token of each that runs, the first came from the prefill.
    assert sum(calls["step"]) == sum(len(r.token_ids) - 1 for r in replies)
    assert len(calls["step"]) < 0.7 * 8 * (30 / 8)


def test_lanes_draw_what_one_lane_draws_and_give_the_threads_back(models):
    settings = SamplingSettings(1.0, 1.0, 12, 40)
    sampler = TransformersSampler(models["qwen3"], dtype=torch.float32)
    alone = sampler.sample(make_prompts(15), 5, settings, None, seed=1)
    try:
        torch.set_num_threads(2)
        in_lanes = sampler.sample(make_prompts(15), 5, settings, None, seed=1)
        again = sampler.sample(make_prompts(15), 5, settings, None, seed=1)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(1)
    assert len(sampler._get_engine(None)._slots) == 2
    assert in_lanes == again
    assert [r.token_ids for r in in_lanes] == [r.token_ids for r in alone]


def test_a_fault_in_a_lane_is_raised(models, monkeypatch: pytest.MonkeyPatch):
    sampler = TransformersSampler(models["qwen3"], dtype=torch.float32)
    decoder = sampler._get_engine(None)._decoder

    def fail(*_: object) -> None:
        raise MemoryError("no room")

    monkeypatch.setattr(decoder, "step", fail)
    try:
        torch.set_num_threads(2)
        with pytest.raises(MemoryError, match="no room"):
            sampler.sample(make_prompts(15), 5, SamplingSettings(1.0, 1.0, 12, 40), None, seed=1)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(1)


def test_one_token_replies_need_no_step(watched):
    sampler, calls = watched
    replies = sampler.sample(make_prompts(3), 2, SamplingSettings(1.0, 1.0, 1, 4), None, seed=1)
    assert [len(r.token_ids) for r in replies] == [1] * 6
    assert calls["step"] == []


def test_no_prompts_give_no_replies(watched):
    sampler, _ = watched
    assert sampler.sample([], 3, SamplingSettings(1.0, 1.0, 1, 4), None, seed=1) == []


def reference(queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    return torch.softmax(queries @ keys, -1) @ values


def test_attention_in_two_parts_is_attention_over_both():
    torch.manual_seed(0)
    sequences, heads, group, size, prefix, own = 5, 2, 3, 8, 11, 7
    queries = torch.randn(sequences, heads, group, size) * 3
    keys, values = torch.randn(sequences, heads, size, own), torch.randn(sequences, heads, own, size)
    shared_keys, shared_values = torch.randn(heads, size, prefix), torch.randn(heads, prefix, size)
    lengths = torch.tensor([1, 7, 3, 5, 2])
    hidden = torch.arange(own) >= lengths[:, None]
    mask = torch.zeros(sequences, own).masked_fill(hidden, -torch.inf)[:, None, None]
    both = attend_to_both(queries, keys, values, mask, shared_keys, shared_values)
    alone = attend_to_own(queries, keys, values, mask)
    for row, length in enumerate(lengths.tolist()):
        own_keys, own_values = keys[row, :, :, :length], values[row, :, :length]
        torch.testing.assert_close(alone[row], reference(queries[row], own_keys, own_values))
        all_keys = torch.cat([shared_keys, own_keys], -1)
        all_values = torch.cat([shared_values, own_values], 1)
        torch.testing.assert_close(both[row], reference(queries[row], all_keys, all_values))


def test_parts_with_their_normalisers_join_to_the_whole():
    torch.manual_seed(0)
    heads, group, size, prefix, tokens = 2, 3, 8, 11, 6
    queries = torch.randn(1, heads * group, tokens, size) * 3
    keys, values = torch.randn(1, heads, tokens, size), torch.randn(1, heads, tokens, size)
    shared_keys, shared_values = torch.randn(heads, size, prefix), torch.randn(heads, prefix, size)
    output, normaliser = attend_in_texts(queries, keys, values)
    rows = queries[0].transpose(0, 1)
    joined = join(
        attend_to_prefix(rows, shared_keys, shared_values),
        (output[0].transpose(0, 1), normaliser[0].transpose(0, 1)),
    )
    for token in range(tokens):
        for head in range(heads * group):
            shared = head // group
            all_keys = torch.cat([shared_keys[shared], keys[0, shared, : token + 1].T], -1)
            all_values = torch.cat([shared_values[shared], values[0, shared, : token + 1]])
            wanted = reference(rows[token, head][None], all_keys, all_values)[0]
            torch.testing.assert_close(joined[token, head], wanted, atol=1e-5, rtol=1e-5)


def test_a_moved_sequence_keeps_what_it_has():
    slots = Slots(layers=2, slots=3, heads=1, size=4, tokens=6, dtype=torch.float32)
    for layer in range(2):
        slots.fill(layer, torch.tensor([2]), torch.full((1, 1, 5, 4), 7.0), torch.full((1, 1, 5, 4), 8.0))
    slots.move(2, 0, 5)
    assert (slots.keys[:, 0, :, :, :5] == 7).all()
    assert (slots.values[:, 0, :, :5] == 8).all()
    assert (slots.keys[:, 1] == 0).all()
