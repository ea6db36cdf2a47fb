"""How a model behind an API is asked: what decides speed and price, and no reply."""

from dataclasses import dataclass

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
