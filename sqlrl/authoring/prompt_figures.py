"""What a run's prompts hold, in figures: how large they are, which tables they show, and which they should have."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlrl.authoring.task import Task
from sqlrl.errors import UserError
from sqlrl.files import canonical_json, digest_text
from sqlrl.sampling.words import Words

# Tasks that are named whose tables a prompt leaves out.
NAMED = 20


@dataclass(frozen=True)
class Recall:
    """Of some tasks, how many references read only tables that their prompts show.

    Attributes:
        tasks: how many there are.
        complete: how many of them have all their tables.
        tables: that a prompt shows on average.
        tokens: of a system prompt on average.
    """

    tasks: int
    complete: int
    tables: float
    tokens: float


@dataclass(frozen=True)
class Missed:
    """A task whose prompt leaves out a table that its reference reads."""

    task_id: str
    part: str
    question: str
    missing: tuple[str, ...]


@dataclass(frozen=True)
class DatabasePrompts:
    """The prompts of one database.

    Attributes:
        digest: SHA-256 of all messages of its training and dev tasks, in the order of their ids.
        whole_tokens: of the system prompt with all tables.
        is_linked: whether that is over the budget, so that questions are shown some tables.
        parts: train and dev; never the holdout, on which nothing is chosen.
        missed: some tasks that are not complete.
    """

    database: str
    digest: str
    whole_tokens: int
    is_linked: bool
    parts: Mapping[str, Recall]
    missed: tuple[Missed, ...]


@dataclass(frozen=True)
class PromptFigures:
    """prompts.json: the settings that prompts were made with, and what came of them."""

    settings: Mapping[str, Any]
    databases: tuple[DatabasePrompts, ...]


def describe_prompts(
    writer: Words, tasks: Mapping[str, Sequence[Task]], settings: Mapping[str, Any]
) -> PromptFigures:
    """Count what prompts show.

    Args:
        writer: of the prompts.
        tasks: of ``train`` and ``dev``.
        settings: that the prompts are made with, as they were given.

    Raises:
        UserError: a task is of the holdout, or there is none.
    """
    held = next((task for found in tasks.values() for task in found if task.part == "holdout"), None)
    if held:
        raise UserError(f"task {held.id} is of the holdout, on which no setting of prompts is chosen.")
    names = dict.fromkeys(task.database for found in tasks.values() for task in found)
    if not names:
        raise UserError("there is no training and no dev task to write prompts for.")
    found = []
    for name in names:
        own = {part: [task for task in given if task.database == name] for part, given in tasks.items()}
        found.append(_describe(writer, name, own))
    return PromptFigures(settings, tuple(found))


def _describe(writer: Words, database: str, tasks: Mapping[str, Sequence[Task]]) -> DatabasePrompts:
    everything = sorted((task for given in tasks.values() for task in given), key=lambda task: task.id)
    written = {task.id: writer.messages(database, task.question) for task in everything}
    shown = {task.id: writer.shown(database, task.question) for task in everything}
    missing = {task.id: _missing(shown[task.id], task) for task in everything}
    parts = {
        part: Recall(
            len(given),
            sum(not missing[task.id] for task in given),
            _mean([len(shown[task.id] or ()) for task in given]),
            _mean([writer.count(written[task.id][0]["content"]) for task in given]),
        )
        for part, given in tasks.items()
    }
    return DatabasePrompts(
        database,
        digest_text(canonical_json([[name, messages] for name, messages in written.items()])),
        writer.count(writer.whole(database)),
        writer.shown(database, "") is not None,
        parts,
        tuple(
            Missed(task.id, part, task.question, missing[task.id])
            for part, given in tasks.items()
            for task in given
            if missing[task.id]
        )[:NAMED],
    )


def _missing(shown: Collection[str] | None, task: Task) -> tuple[str, ...]:
    return () if shown is None else tuple(sorted(set(task.tables).difference(shown)))


def _mean(numbers: Sequence[int]) -> float:
    return round(sum(numbers) / len(numbers), 2) if numbers else 0.0
