"""Tokens and money of replies."""

import pytest

from sqlrl.models.server import Price
from sqlrl.sampling.cost import timing_of
from sqlrl.sampling.sampler import Reply
from sqlrl.timing import Stopwatch

PRICE = Price(input=2.0, output=10.0)


def reply(text: str, prompt_tokens: int, reply_tokens: int) -> Reply:
    return Reply("t", 0, text, (), (), "stop", prompt_tokens, reply_tokens)


def test_prompts_and_replies_are_counted_and_paid_for():
    timing = timing_of([reply("a", 1000, 50), reply("b", 1000, 150)], 3.5, Stopwatch(), PRICE)
    assert (timing.samples, timing.prompt_tokens, timing.tokens, timing.seconds) == (2, 2000, 200, 3.5)
    assert timing.money == pytest.approx((2000 * 2 + 200 * 10) / 1e6)


def test_without_a_price_there_is_no_money():
    assert timing_of([reply("a", 1000, 50)], 1.0, Stopwatch()).money is None


def test_a_server_that_counts_no_tokens_leaves_the_money_unknown():
    assert timing_of([reply("a", 1000, 50), reply("b", 0, 0)], 1.0, Stopwatch(), PRICE).money is None


def test_a_refused_prompt_costs_nothing():
    assert timing_of([reply("a", 1000, 0), reply("", 0, 0)], 1.0, Stopwatch(), PRICE).money == 0.002
