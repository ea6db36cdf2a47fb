"""What a teacher hands over: candidates, what they were made from, and what they cost."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlrl.authoring.cells import Cell
from sqlrl.authoring.teacher import Candidate


@dataclass(frozen=True)
class Asked:
    """How a model was asked.

    Attributes:
        model: its name in config.yaml; model_id is its name at the server.
        model_digest: of what names it.
        prompt: digest of the prompt's templates.
        may_see: what of the database went to it.
        requests: whose replies were used, whenever they were made.
        prompt_tokens, reply_tokens: as the server counted them; cached_tokens of the prompts' came from its cache.
        refused: questions and replies that were no good, by reason.
    """

    model: str
    model_id: str
    model_digest: str
    prompt: str
    may_see: str
    requests: int
    prompt_tokens: int
    cached_tokens: int
    reply_tokens: int
    refused: Mapping[str, int]


@dataclass(frozen=True)
class AuthoringSummary:
    """authoring.json: who wrote a database's candidates.

    Attributes:
        teacher: offline, llm or frozen; or ``import`` and a format, in tasks.origin.json alone.
        candidates: how many, and by cell.
        asked: of teacher llm.
        frozen: of teacher frozen, where they come from.
        grammar: of teacher offline without a grammar of the schema, ``catalog``; note: what that means.
    """

    teacher: str
    candidates: int
    cells: Mapping[str, int]
    asked: Asked | None = None
    frozen: "FrozenFrom | None" = None
    grammar: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class FrozenFrom:
    """Beside frozen tasks: the digest of their file as it was frozen, how many they are, who wrote them."""

    digest: str
    tasks: int
    authoring: AuthoringSummary


@dataclass(frozen=True)
class Authored:
    """Candidates with their summary; of a model also requests, their tokens, and US dollars where they are known."""

    candidates: tuple[Candidate, ...]
    summary: AuthoringSummary
    requests: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    money: float | None = None


def count_cells(candidates: Sequence[Candidate], cells: Sequence[Cell]) -> dict[str, int]:
    """Candidates by cell, every cell named."""
    found = Counter(str(one.cell) for one in candidates)
    return {str(cell): found[str(cell)] for cell in cells}
