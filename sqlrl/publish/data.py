"""The published data, one record a line: the training tasks, and what the checkpoint replied on the holdout."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlrl.authoring.task import Task
from sqlrl.database.files import MAIN
from sqlrl.publish.sources import Sources
from sqlrl.report.passes import RIGHT, ScoringPass, kind_of

TRAIN_FILE = "data/train.jsonl"
ROLLOUTS_FILE = "data/holdout_rollouts.jsonl"
# The configurations of the layout, by the names that datasets.load_dataset takes: file and split.
CONFIGURATIONS = {"train": (TRAIN_FILE, "train"), "holdout_rollouts": (ROLLOUTS_FILE, "holdout")}


@dataclass(frozen=True)
class TrainingTask:
    """A training task as it is published: what Task has, without counts of rows and digests of data."""

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


@dataclass(frozen=True)
class HoldoutReply:
    """One reply on the holdout with what became of it; the reference SQL stays back.

    Attributes:
        scoring_pass: number of the scoring pass, from 1.
        sample: of the task in that pass, from 0.
        verdict: on main: ``match``, ``wrong`` or ``error``.
        right_everywhere: a match on main and on every twin.
    """

    task_id: str
    database: str
    question: str
    scoring_pass: int
    sample: int
    reply: str
    verdict: str
    right_everywhere: bool


def training_tasks(sources: Sources) -> list[TrainingTask]:
    """The training tasks, by id."""
    fields = TrainingTask.__dataclass_fields__
    return [
        TrainingTask(**{name: getattr(task, name) for name in fields})
        for _, task in sorted(sources.training.items())
    ]


def holdout_replies(sources: Sources) -> list[HoldoutReply]:
    """All replies, by pass, task and sample."""
    return [
        reply
        for number, one in sorted(sources.passes.items())
        for task_id in one.tasks
        for reply in _replies_of(task_id, number, one, sources.holdout)
    ]


def _replies_of(task_id: str, number: int, one: ScoringPass, tasks: Mapping[str, Task]) -> list[HoldoutReply]:
    task = tasks[task_id]
    return [
        HoldoutReply(
            task_id,
            task.database,
            task.question,
            number,
            reply.sample,
            reply.text,
            verdict.outcomes[MAIN].verdict,
            kind_of(verdict, "all") == RIGHT,
        )
        for reply, verdict in zip(one.replies[task_id], one.verdicts[task_id], strict=True)
    ]
