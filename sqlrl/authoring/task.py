"""A task: one question over a database, and the SQL whose rows are its answer."""

import re
import unicodedata
from dataclasses import dataclass

from sqlrl.files import digest_text


@dataclass(frozen=True)
class Task:
    """A kept task. Every field but the last two is set when it is screened.

    Attributes:
        id: first 16 hex digits of the SHA-256 of the normalised question.
        database: the schema's name, such as ``shop``.
        template: 16 hex digits, digest of the SQL with its literals replaced; the cluster of intervals.
        features: sorted names of what the SQL uses, such as ``join`` or ``aggregate:sum``.
        tables: sorted names of the tables it reads.
        rows: rows of the expected result on main.
        columns: columns of the expected result.
        database_digest: SHA-256 of the dump of main that the rows were counted on.
        part: ``train``, ``dev`` or ``holdout``, once split.
        template_in_training: whether the template occurs among a run's training tasks, once selected.
    """

    id: str
    database: str
    question: str
    reference_sql: str
    archetype: str
    difficulty: str
    style: str
    template: str
    features: tuple[str, ...]
    tables: tuple[str, ...]
    rows: int
    columns: int
    database_digest: str
    part: str | None = None
    template_in_training: bool | None = None


# Words and numbers, joined ones such as 7.50 or sign-up whole; comparisons and operators.
WORD = re.compile(r"[\w%$€]+(?:[.'’\-][\w%]+)*|[<>=+*/]+")


def normalise_question(question: str) -> str:
    """The question without what does not change its meaning: case, spaces, punctuation between words."""
    text = unicodedata.normalize("NFKC", question).casefold()
    return " ".join(WORD.findall(text))


def task_id(question: str) -> str:
    """The id of the task that asks this question: 16 hex digits, the same on every machine."""
    return digest_text(normalise_question(question))[:16]
