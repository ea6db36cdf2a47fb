"""Failures to read: question, reference, reply and both row sets, of the last checkpoint."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlrl.authoring.task import Task
from sqlrl.database.files import MAIN
from sqlrl.errors import UserError
from sqlrl.report.evidence import Evidence
from sqlrl.report.files import BASE
from sqlrl.report.passes import KINDS, RIGHT, ScoringPass, kind_of
from sqlrl.report.rates import mean_values
from sqlrl.verifier.reward import Submission, VerifierSettings
from sqlrl.verifier.verifier import Verifier

Rows = Sequence[Sequence[str | None]] | None


@dataclass(frozen=True)
class Failure:
    """A task and the first of its samples that failed in the first scoring pass."""

    task: Task
    sample: int
    kind: str


def choose_failures(evidence: Evidence, checkpoint: str, count: int) -> list[Failure]:
    """Failures of a checkpoint on main, at most this many, one a task, kinds of error in turn.

    Within a kind the order is that of the task ids, which are hashes: a fair sample, the same in
    every build.
    """
    one = first_pass(evidence, checkpoint)
    queues: dict[str, list[Failure]] = {kind: [] for kind in KINDS if kind != RIGHT}
    for task in one.tasks:
        kinds = [kind_of(verdict, MAIN) for verdict in one.verdicts[task]]
        wrong = next((sample for sample, kind in enumerate(kinds) if kind != RIGHT), None)
        if wrong is not None:
            queues[kinds[wrong]].append(Failure(evidence.tasks[task], wrong, kinds[wrong]))
    found: list[Failure] = []
    while len(found) < count and any(queues.values()):
        found += [queue.pop(0) for queue in queues.values() if queue]
    return found[:count]


def describe_failures(
    failures: Sequence[Failure], evidence: Evidence, checkpoint: str, references: Mapping[str, Rows]
) -> list[dict[str, Any]]:
    """Failures as the report's JSON has them; reference rows by task id where they are known."""
    one = first_pass(evidence, checkpoint)
    chosen = {failure.task.id: failure.task for failure in failures}
    before = mean_values(evidence.passes[BASE], "pass@1", chosen)
    after = mean_values(evidence.passes[checkpoint], "pass@1", chosen)
    found = []
    for failure in failures:
        task, verdict = failure.task, one.verdicts[failure.task.id][failure.sample]
        outcome = verdict.outcomes[MAIN]
        found.append(
            {
                "task": task.id,
                **{name: getattr(task, name) for name in ("question", "reference_sql", "difficulty")},
                **{name: getattr(task, name) for name in ("archetype", "style", "database")},
                "template_in_training": task.template_in_training,
                "sample": failure.sample,
                "kind": failure.kind,
                "reason": outcome.reason,
                "message": outcome.message,
                "reply": one.replies[task.id][failure.sample].text,
                "reply_sql": verdict.sql,
                "reply_rows": outcome.rows,
                "reference_rows": references.get(task.id),
                "reference_row_count": task.rows,
                "pass@1": {BASE: before.get(task.id), checkpoint: after[task.id]},
            }
        )
    return found


def reference_rows(
    tasks: Sequence[Task], databases: Mapping[str, Mapping[str, Path]], settings: VerifierSettings
) -> dict[str, Rows]:
    """The first rows of each task's reference on main, as the verifier itself reads and shows them.

    Raises:
        UserError: no dump of a task's database, or a reference that does not match itself there.
    """
    if not tasks:
        return {}
    missing = sorted({task.database for task in tasks} - databases.keys())
    if missing:
        raise UserError(f"--databases: no dump of {missing[0]}, whose failures are to be shown.")
    main = {name: {MAIN: dumps[MAIN]} for name, dumps in databases.items()}
    with Verifier(main, settings) as verifier:
        verdicts = verifier.judge([_ask_itself(task) for task in tasks])
    for task, verdict in zip(tasks, verdicts, strict=True):
        if verdict.outcomes[MAIN].verdict != "match":
            raise UserError(
                f"task {task.id}: its reference does not match itself on {task.database}/{MAIN} "
                f"({verdict.outcomes[MAIN].reason}); tasks and dumps are not of one build."
            )
    return {task.id: one.outcomes[MAIN].rows for task, one in zip(tasks, verdicts, strict=True)}


def first_pass(evidence: Evidence, checkpoint: str) -> ScoringPass:
    """The first scoring pass of a checkpoint over the holdout."""
    passes = evidence.passes[checkpoint]
    return passes[min(passes)]


def _ask_itself(task: Task) -> Submission:
    return Submission(task.database, f"```sql\n{task.reference_sql}\n```", task.reference_sql)
