"""How a model behind an API is asked: what decides speed and price, and no reply."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlrl.assignments import parse_assignments
from sqlrl.errors import UserError

MILLION = 1_000_000


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens of prompts (input) and of replies (output)."""

    input: float
    output: float

    def of(self, prompt_tokens: int, reply_tokens: int) -> float:
        """US dollars for so many tokens, to a millionth."""
        return round((prompt_tokens * self.input + reply_tokens * self.output) / MILLION, 6)


@dataclass(frozen=True)
class ServerSettings:
    """How a server is asked.

    Fields: the environment variable that holds the key; requests under way side by side; the slowest
    speed that a request may have, in reply tokens a second; tries after the first; the price, None
    where it is not known.
    """

    key_variable: str
    concurrency: int
    tokens_per_second: float
    retries: int
    price: Price | None


# Words of a server's settings with their types; the price is two of them, or none.
_TYPES: Mapping[str, Callable[[str], Any]] = {
    "key_variable": str,
    "concurrency": int,
    "tokens_per_second": float,
    "retries": int,
    "input_price": float,
    "output_price": float,
}
NO_SERVER = "none"


def parse_server(text: str, where: str) -> ServerSettings | None:
    """Read ``key_variable=OPENAI_API_KEY,concurrency=8,tokens_per_second=20,retries=6,input_price=2.0,...``.

    Returns:
        None for ``none``: a model whose weights are here.

    Raises:
        UserError: an unknown word, a missing one, or no number.
    """
    if text == NO_SERVER:
        return None
    values = parse_assignments(text, _TYPES, where)
    prices = [values.pop(name, None) for name in ("input_price", "output_price")]
    price = None if None in prices else Price(*prices)
    if missing := [name for name in _TYPES if name not in values and not name.endswith("_price")]:
        raise UserError(f"{where}: {', '.join(missing)} missing in {text!r}.")
    return ServerSettings(**values, price=price)
