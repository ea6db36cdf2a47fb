"""A limit on what a model may cost."""

import pytest

from sqlrl.authoring.spending import Cost, Purse, SpendingLimit, most, parse_limit
from sqlrl.errors import UserError
from sqlrl.models.server import Price

PRICE = Price(2.0, 10.0)  # US dollars per million


def affordable(purse: Purse, cost: Cost, requests: int = 10) -> int:
    return len(purse.affordable(range(requests), lambda _: cost))


def test_tokens_of_prompts_and_replies_count_up_to_the_limit():
    purse = Purse(SpendingLimit(None, 1000), None)
    assert affordable(purse, Cost(60, 40)) == 10
    purse.pay(Cost(100, 50))
    assert affordable(purse, Cost(60, 40)) == 8
    purse.pay(Cost(0, 800))
    assert affordable(purse, Cost(60, 40)) == 0


def test_money_counts_by_the_price():
    purse = Purse(SpendingLimit(0.01, None), PRICE)
    # 1,000 tokens of prompt cost 0.002, 100 of reply 0.001.
    assert affordable(purse, Cost(1000, 100)) == 3
    purse.pay(Cost(1000, 100))
    assert purse.money == pytest.approx(0.003)
    assert affordable(purse, Cost(1000, 100)) == 2


def test_of_two_limits_the_nearer_one_holds():
    assert affordable(Purse(SpendingLimit(0.01, 2500), PRICE), Cost(1000, 100)) == 2
    assert affordable(Purse(SpendingLimit(0.003, 2500), PRICE), Cost(1000, 100)) == 1


@pytest.mark.parametrize(
    "limit", [SpendingLimit(0.0, None), SpendingLimit(None, 0), SpendingLimit(0.0, 10**9)]
)
def test_zero_allows_nothing_even_where_it_would_cost_nothing(limit):
    purse = Purse(limit, Price(0.0, 0.0))
    assert affordable(purse, Cost(1, 1)) == 0
    assert "is 0, so nothing is asked" in purse.explain(Cost(1, 1))


def test_without_a_limit_all_is_affordable():
    assert affordable(Purse(SpendingLimit(None, None), None), Cost(10**9, 10**9)) == 10


def test_what_is_said_has_limits_what_was_spent_and_what_comes_next():
    purse = Purse(SpendingLimit(0.01, 5000), PRICE)
    purse.pay(Cost(4000, 100))
    assert purse.explain(Cost(1000, 100)) == (
        "authoring.spending_limit (money 0.01 and tokens 5,000) is reached: 4,100 tokens (0.0090 USD) spent, and the "
        "next request may take 1,100 tokens (0.0030 USD)"
    )


def test_the_most_that_a_request_may_take_is_more_than_its_words():
    assert most("word " * 100, 50) == Cost(251, 50)


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("money=5.0,tokens=2000000", SpendingLimit(5.0, 2_000_000)),
        ("tokens=0", SpendingLimit(None, 0)),
        ("", SpendingLimit(None, None)),
    ],
)
def test_a_limit_is_read_from_its_words(text, limit):
    assert parse_limit(text, "--spending") == limit


@pytest.mark.parametrize(
    ("text", "message"),
    [("euros=5", '"euros=5" is no setting'), ("money=much", '"money=much" is no setting')],
)
def test_another_limit_is_refused(text, message):
    with pytest.raises(UserError, match=message):
        parse_limit(text, "--spending")
