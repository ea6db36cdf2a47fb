"""What prompts say, whatever writes them."""

from typing import Protocol


class Words(Protocol):
    """What writes prompts; see PromptWriter and MessageWriter."""

    def messages(self, database: str, question: str) -> list[dict[str, str]]:
        """System prompt and question."""
        ...

    def whole(self, database: str) -> str:
        """The system prompt with all tables."""
        ...

    def shown(self, database: str, question: str) -> frozenset[str] | None:
        """The tables that a question is shown; None for all."""
        ...

    def count(self, text: str) -> int:
        """Tokens of a text."""
        ...
