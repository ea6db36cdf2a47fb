"""Questions as token ids: the one place where prompts are made, for training and for sampling."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from transformers import AutoTokenizer, PreTrainedTokenizerBase

from sqlrl.errors import UserError
from sqlrl.models.messages import MessageWriter
from sqlrl.models.messages import PromptSettings as PromptSettings
from sqlrl.models.prompt import Prompt

# Questions that begin as differently as questions can: what their prompts share, all prompts share.
PROBES = ("How many?", "count", "2025", "(a)", "É", '"x"')


class PromptWriter:
    """Writes the prompts of one model for the questions of some databases."""

    def __init__(
        self, model: Path, settings: PromptSettings, databases: Sequence[Path], notes: Sequence[Path]
    ) -> None:
        """Read what prompts are made of.

        Args:
            model: the model's folder; its tokenizer and chat template are used.
            settings: see PromptSettings.
            databases: catalogs or dumps of the databases, main at least.
            notes: each database's notes.md.

        Raises:
            UserError: a file is missing, or the tokenizer has no chat template.
        """
        self.tokenizer: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(model)
        if not self.tokenizer.chat_template:
            raise UserError(f"{model}: the tokenizer has no chat template; an instruct model is needed.")
        self._settings = settings
        self._words = MessageWriter(settings, databases, notes, self.count)
        self._prefixes = {name: self._find_prefix(name) for name in self._words.databases}

    def write(self, key: str, database: str, question: str) -> Prompt:
        """The prompt of one question.

        Args:
            key: the task's id.
            database: the database's name.
            question: in words.

        Returns:
            The prompt, up to where the reply begins. Its prefix is what it shares with every other
            question of the database; a question that melts into the chat template's own tokens has a
            shorter one.

        Raises:
            UserError: the database is not among those given.
        """
        self._words.check(key, database)
        token_ids = self._encode(self.messages(database, question))
        prefix = _common_length([token_ids, self._prefixes[database]])
        return Prompt(key, token_ids, min(prefix, len(token_ids) - 1))

    def messages(self, database: str, question: str) -> list[dict[str, str]]:
        """The prompt as chat messages."""
        return self._words.messages(database, question)

    def whole(self, database: str) -> str:
        """The system prompt of a database with all its tables."""
        return self._words.whole(database)

    def shown(self, database: str, question: str) -> frozenset[str] | None:
        """The tables that the prompt of a question shows; None for the whole schema."""
        return self._words.shown(database, question)

    def _encode(self, messages: list[dict[str, str]]) -> tuple[int, ...]:
        switches: dict[str, Any] = {}
        if self._settings.thinking is not None:
            switches["enable_thinking"] = self._settings.thinking
        text = self.tokenizer.apply_chat_template(
            messages, tokenize=False, add_generation_prompt=True, **switches
        )
        return tuple(self.tokenizer.encode(text, add_special_tokens=False))

    def _find_prefix(self, database: str) -> tuple[int, ...]:
        probes = [messages for probe in PROBES for messages in self._words.probes(database, probe)]
        prompts = [self._encode(messages) for messages in probes]
        return prompts[0][: _common_length(prompts)]

    def count(self, text: str) -> int:
        """Tokens of a text."""
        return len(self.tokenizer.encode(text, add_special_tokens=False))


def write_reply(sql: str) -> str:
    """The reply that the system prompt asks for, holding this query."""
    return f"```sql\n{sql.strip()}\n```"


def _common_length(texts: Sequence[Sequence[int]]) -> int:
    """How many leading tokens all texts share."""
    length = 0
    for tokens in zip(*texts, strict=False):
        if len(set(tokens)) > 1:
            break
        length += 1
    return length
