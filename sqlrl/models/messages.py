"""Questions as chat messages: the words of every prompt, for models here and for models behind an API."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sqlrl.errors import UserError
from sqlrl.models.prompt import Prompt
from sqlrl.models.question_prompt import Count, Linking, QuestionPrompt, count_bound
from sqlrl.models.system_prompt import SystemPrompt, pair_files


@dataclass(frozen=True)
class PromptSettings:
    """What the system prompt holds besides the one-query rule.

    Fields: the schema as its statements or as a line a table; a text before the system prompt, such
    as a model's mode switch; the chat template's thinking switch, None for templates without one;
    comments of the schema, None for those that the form has by itself; values of each column that are
    shown; how a schema is shown that is larger than a budget, None for as a whole.
    """

    schema: Literal["ddl", "compact"]
    system_prefix: str
    thinking: bool | None
    comments: bool | None = None
    samples: int = 0
    linking: Linking | None = None


class MessageWriter:
    """Writes the messages for the questions of some databases; no tokenizer is needed."""

    def __init__(
        self,
        settings: PromptSettings,
        databases: Sequence[Path],
        notes: Sequence[Path],
        count: Count = count_bound,
    ) -> None:
        """Read what messages are made of.

        Args:
            settings: see PromptSettings.
            databases: catalogs or dumps of the databases, main at least.
            notes: each database's notes.md.
            count: tokens of a text, for the budget of linking; without a tokenizer half its bytes.

        Raises:
            UserError: a file is missing or is not of its kind, or a budget has no room for any table.
        """
        self.count = count
        self._prefix = f"{settings.system_prefix}\n\n" if settings.system_prefix else ""
        self._systems = {
            name: QuestionPrompt(
                SystemPrompt(settings.schema, main, text, settings.comments, settings.samples),
                settings.linking,
                count,
            )
            for name, (main, text) in pair_files(databases, notes).items()
        }

    @property
    def databases(self) -> list[str]:
        """Names of the databases."""
        return list(self._systems)

    def write(self, key: str, database: str, question: str) -> Prompt:
        """The prompt of one question, for a server that renders the chat template itself.

        Args:
            key: the task's id.
            database: the database's name.
            question: in words.

        Raises:
            UserError: the database is not among those given.
        """
        self.check(key, database)
        return Prompt(key, (), 0, tuple(self.messages(database, question)))

    def check(self, key: str, database: str) -> None:
        """Raise UserError where a task's database is not among those given."""
        if database not in self._systems:
            known = ", ".join(self._systems)
            raise UserError(f"task {key}: database {database!r} is not among those given: {known}.")

    def messages(self, database: str, question: str) -> list[dict[str, str]]:
        """System prompt and question, each with its role."""
        return [
            {"role": "system", "content": self._prefix + self._systems[database].text(question)},
            {"role": "user", "content": question.strip()},
        ]

    def whole(self, database: str) -> str:
        """The system prompt of a database with all its tables."""
        return self._prefix + self._systems[database].whole

    def probes(self, database: str, question: str) -> list[list[dict[str, str]]]:
        """Messages that begin as differently as those of any two questions of a database may."""
        return [
            [
                {"role": "system", "content": self._prefix + text},
                {"role": "user", "content": question.strip()},
            ]
            for text in self._systems[database].extremes()
        ]

    def shown(self, database: str, question: str) -> frozenset[str] | None:
        """The tables that the prompt of a question shows; None for the whole schema."""
        return self._systems[database].tables(question)
