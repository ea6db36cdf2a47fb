"""How a model behind an API is asked for questions."""

from dataclasses import dataclass
from typing import Literal

from sqlrl.authoring.screen import ScreeningSettings


@dataclass(frozen=True)
class Batch:
    """What one prompt asks for: cells, and questions of each at most."""

    cells: int
    questions: int


@dataclass(frozen=True)
class Checks:
    """What a question must pass at once, on main; see ScreeningSettings."""

    tasks_per_template: int
    maximum_rows: int
    maximum_question_words: int
    question_similarity: float
    template_similarity: float
    statement_timeout_seconds: float

    def screening(self, quota: int) -> ScreeningSettings:
        """The same as settings of the screen, without any total that must be reached."""
        return ScreeningSettings(
            kept_per_cell=quota,
            tasks_per_template=self.tasks_per_template,
            minimum_tasks=0,
            minimum_templates=0,
            maximum_template_share=1.0,
            maximum_rows=self.maximum_rows,
            maximum_question_words=self.maximum_question_words,
            question_similarity=self.question_similarity,
            template_similarity=self.template_similarity,
            statement_timeout_seconds=self.statement_timeout_seconds,
        )


@dataclass(frozen=True)
class LlmSettings:
    """What decides a model's questions, besides the model, the prompt's template and the database.

    Attributes:
        seed: told to servers that take one.
        may_see: what of the database goes to the model; see disclosure.
        batch: what one prompt asks for.
        quota: questions of a cell that are enough.
        tries: prompts in a row that may bring a cell nothing.
        temperature: 1.0 is the model's own.
        max_tokens: of one reply.
        duplicates_limit: share of repeated questions at which it stops.
        checks: see Checks.
    """

    seed: int
    may_see: Literal["schema", "samples", "rows"]
    batch: Batch
    quota: int
    tries: int
    temperature: float
    max_tokens: int
    duplicates_limit: float
    checks: Checks
