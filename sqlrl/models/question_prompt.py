"""The system prompt of a question: of a schema that is larger than a budget, the tables that the question is about."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlrl.errors import UserError
from sqlrl.models.linking import Linker
from sqlrl.models.system_prompt import SystemPrompt
from sqlrl.models.values import read_values

# Values of each column that a question may name.
LINKED_VALUES = 20

Count = Callable[[str], int]
"""Tokens of a text."""


@dataclass(frozen=True)
class Linking:
    """When a schema is shown in part: above so many tokens of the whole system prompt, and then in so many."""

    budget: int


def count_bound(text: str) -> int:
    """Tokens of a text where the tokenizer is the server's: half the bytes, high for English and SQL."""
    return (len(text.encode()) + 1) // 2


class QuestionPrompt:
    """Writes the system prompt for the questions of one database."""

    def __init__(self, system: SystemPrompt, linking: Linking | None, count: Count) -> None:
        """
        Args:
            system: its parts.
            linking: None shows the whole schema to every question.
            count: tokens of a text.

        Raises:
            UserError: the budget has no room for any table.
        """
        self._system, self._linker = system, None
        self.whole = system.text()
        if linking is None or count(self.whole) <= linking.budget:
            return
        catalog = system.catalog
        bare = count(system.text(()))
        names = [table.name for table in catalog.tables]
        # One more, since tokens of parts may be fewer than those of the whole.
        self._costs = {name: count(system.text({name})) - bare + 1 for name in names}
        self._room = linking.budget - bare
        if self._room < min(self._costs.values()):
            raise UserError(
                f"runs.<run>.prompt.linking.budget is {linking.budget}, but the prompt of {catalog.database} takes "
                f"{bare} tokens without any table (its notes, mostly) and the smallest table "
                f"{min(self._costs.values())}: raise the budget, or shorten the notes."
            )
        self._linker = Linker(catalog, read_values(system.dump, catalog, LINKED_VALUES))

    def text(self, question: str) -> str:
        """The whole prompt for a question."""
        return self.whole if self._linker is None else self._system.text(self.tables(question))

    def tables(self, question: str) -> frozenset[str] | None:
        """The tables that it shows; None for all."""
        return None if self._linker is None else self._linker.choose(question, self._costs, self._room)

    def extremes(self) -> list[str]:
        """Prompts that differ as early as those of any two questions may."""
        names = [] if self._linker is None else [table.name for table in self._system.catalog.tables]
        return [self._system.text({name}) for name in names[:: max(len(names) - 1, 1)]] or [self.whole]
