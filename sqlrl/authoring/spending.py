"""A limit on what a model may cost, kept even by the requests that are under way."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlrl.assignments import parse_assignments
from sqlrl.errors import UserError
from sqlrl.models.server import Price

Wanted = TypeVar("Wanted")

# A token of a prompt has this many bytes at least, but for rare scripts: most have four.
LEAST_BYTES_A_TOKEN = 2
LIMITS: Mapping[str, Callable[[str], Any]] = {"money": float, "tokens": int}


@dataclass(frozen=True)
class SpendingLimit:
    """US dollars and tokens, None where there is no limit."""

    money: float | None
    tokens: int | None


def parse_limit(text: str, where: str) -> SpendingLimit:
    """Read ``money=5.0,tokens=2000000``.

    Raises:
        UserError: another name, or no number.
    """
    return SpendingLimit(**{"money": None, "tokens": None} | parse_assignments(text, LIMITS, where))


@dataclass(frozen=True)
class Cost:
    """Tokens of prompts and of replies, as a server counted them or as most that a request may take."""

    prompt_tokens: int = 0
    reply_tokens: int = 0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.prompt_tokens + other.prompt_tokens, self.reply_tokens + other.reply_tokens)

    @property
    def tokens(self) -> int:
        """Both."""
        return self.prompt_tokens + self.reply_tokens


def most(prompt: str, max_tokens: int) -> Cost:
    """The most that a request may take: a prompt's tokens are fewer than half its bytes."""
    return Cost(len(prompt.encode()) // LEAST_BYTES_A_TOKEN + 1, max_tokens)


class Purse:
    """What was spent, and what may be."""

    def __init__(self, limit: SpendingLimit, price: Price | None, section: str = "authoring") -> None:
        """Spend at ``price`` up to ``limit``, set in a section of config.yaml; money needs a price, but for 0."""
        self._limit, self._price = limit, price
        self._place = f"{section}.spending_limit"
        self.spent = Cost()

    @property
    def money(self) -> float | None:
        """US dollars spent; None where no price is known."""
        return self._money(self.spent)

    def pay(self, cost: Cost) -> None:
        """Count what a request took."""
        self.spent += cost

    def affordable(self, wanted: Sequence[Wanted], cost: Callable[[Wanted], Cost]) -> Sequence[Wanted]:
        """The first requests that may all be under way at once."""
        total = self.spent
        for place, one in enumerate(wanted):
            total += cost(one)
            if not self._allows(total):
                return wanted[:place]
        return wanted

    def explain(self, next_cost: Cost) -> str:
        """Why the next request is not made: the limits that it would pass, what was spent, what it may take."""
        own = {"money": self._limit.money, "tokens": self._limit.tokens}
        if 0 in own.values():
            name = "money" if own["money"] == 0 else "tokens"
            return f"{self._place}.{name} is 0, so nothing is asked"
        limits = " and ".join(f"{name} {value:,g}" for name, value in own.items() if value is not None)
        return (
            f"{self._place} ({limits}) is reached: {self.say(self.spent)} spent, and the next request may "
            f"take {self.say(next_cost)}"
        )

    def say(self, cost: Cost) -> str:
        """A cost in words."""
        money = self._money(cost)
        words = f"{cost.tokens:,} tokens"
        return words if money is None else f"{words} ({money:.4f} USD)"

    def _allows(self, total: Cost) -> bool:
        tokens, money = self._limit.tokens, self._limit.money
        if 0 in (tokens, money):
            return False
        if tokens is not None and total.tokens > tokens:
            return False
        if money is None:
            return True
        spent = self._money(total)
        if spent is None:
            raise UserError(f"{self._place}.money is set, but the model has no price to count it by.")
        return spent <= money

    def _money(self, cost: Cost) -> float | None:
        return self._price.of(cost.prompt_tokens, cost.reply_tokens) if self._price else None
