"""One digest that says which holdout numbers are about."""

from collections.abc import Iterable, Mapping

from sqlrl.authoring.task import Task
from sqlrl.files import canonical_json, digest_text

# What decides whether a reply is right. Not the part or what a run trains on: two runs share a holdout.
CONTENT = ("id", "database", "question", "reference_sql", "database_digest")


def holdout_digest(tasks: Mapping[str, Task]) -> str:
    """SHA-256 over the tasks in the order of their ids: question, reference and the data that they are asked of."""
    return digest_text(
        canonical_json([[getattr(tasks[name], field) for field in CONTENT] for name in sorted(tasks)])
    )


def ids_digest(ids: Iterable[str]) -> str:
    """SHA-256 over task ids alone, for score files, which hold no questions."""
    return digest_text("\n".join(sorted(ids)))
