"""All that a report is made from, read and checked: tasks, passes of every checkpoint, stage order."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sqlrl.authoring.task import Task
from sqlrl.errors import UserError
from sqlrl.records import read_jsonl
from sqlrl.report.files import BASE, ResultFile, parse_results, stage_of
from sqlrl.report.holdout import ids_digest
from sqlrl.report.passes import ScoringPass, read_pass
from sqlrl.verifier.reward import Databases

HOLDOUT, DEV = "holdout", "dev"


@dataclass(frozen=True)
class Evidence:
    """What was asked and what came of it.

    tasks: by id, of the holdout; dev_tasks: of dev; checkpoints: scored on the holdout, base first,
    then stages in the order of the run; parents: stage to the checkpoint it started from;
    passes: checkpoint to its scoring passes over the holdout, by number; dev: the same over dev.
    """

    tasks: Mapping[str, Task]
    dev_tasks: Mapping[str, Task]
    checkpoints: Sequence[str]
    parents: Mapping[str, str]
    passes: Mapping[str, Mapping[int, ScoringPass]]
    dev: Mapping[str, Mapping[int, ScoringPass]]

    @property
    def k(self) -> int:
        """Samples a task in each pass over the holdout, the same everywhere."""
        return next(iter(self.passes[BASE].values())).k

    @property
    def scoring(self) -> list[int]:
        """Numbers of the scoring passes over the holdout."""
        return sorted(self.passes[BASE])

    def without(self, stages: Collection[str]) -> "Evidence":
        """The same less the checkpoints of some stages."""
        kept = [one for one in self.checkpoints if stage_of(one)[0] not in stages]
        dev = {name: found for name, found in self.dev.items() if stage_of(name)[0] not in stages}
        passes = {name: self.passes[name] for name in kept}
        return replace(self, checkpoints=kept, passes=passes, dev=dev)

    def of_databases(self, chosen: Collection[str]) -> "Evidence":
        """The same over the tasks of some databases. Raises UserError where the holdout has none of them."""
        tasks = {name: task for name, task in self.tasks.items() if task.database in chosen}
        if not tasks:
            raise UserError(
                f"the holdout has no task of {', '.join(chosen)}: its tasks are of "
                f"{', '.join(sorted({task.database for task in self.tasks.values()}))}."
            )
        passes = {
            checkpoint: {number: one.of_tasks(tasks) for number, one in found.items()}
            for checkpoint, found in self.passes.items()
        }
        return replace(self, tasks=tasks, passes=passes)

    def parent(self, checkpoint: str) -> str:
        """The checkpoint that this one's stage started from; the base where nothing else is known."""
        return self.parents.get(stage_of(checkpoint)[0], BASE)


def read_tasks(paths: Iterable[Path], part: str) -> dict[str, Task]:
    """Read a run's tasks of one part, by id.

    Raises:
        UserError: a task occurs twice, belongs to another part, or was not selected for a run.
    """
    found: dict[str, Task] = {}
    for path in paths:
        for task in read_jsonl(path, Task):
            if task.id in found:
                raise UserError(f"{path}: task {task.id} occurs twice.")
            if task.part not in (part, None):
                raise UserError(f"{path}: task {task.id} is of part {task.part}; expected {part} tasks.")
            if part == HOLDOUT and task.template_in_training is None:
                raise UserError(
                    f"{path}: task {task.id} does not say whether its template is in training; give the "
                    "tasks that the run selected, results/<run>/tasks/."
                )
            found[task.id] = task
    return found


def read_evidence(
    tasks: Mapping[str, Task],
    dev_tasks: Mapping[str, Task],
    score_files: Iterable[Path],
    rollout_files: Iterable[Path],
    parents: Mapping[str, str],
    databases: Databases,
) -> Evidence:
    """Read all scores with their rollouts and check that they can be compared.

    Args:
        tasks, dev_tasks: by id; see read_tasks.
        score_files, rollout_files: paths as in parse_result; dev scores need no rollouts.
        parents: stage to the checkpoint it started from, stages in the order of the run.
        databases: where a reply must be right.

    Raises:
        UserError: zero tasks; no scores of the base; a checkpoint lacks a pass that another has;
            unequal k; a score of a task that is not among the tasks; and as read_pass.
    """
    if not tasks:
        raise UserError("the holdout has zero tasks: nothing can be reported. Widen tasks.select or split.")
    scores = parse_results(score_files, "scores")
    rollouts = parse_results(rollout_files, "rollouts")
    passes = _passes_of(HOLDOUT, scores, rollouts, databases)
    dev = _passes_of(DEV, scores, [], databases)
    _check_passes(passes)
    _check_known(passes, tasks, HOLDOUT)
    if dev_tasks:
        _check_known(dev, dev_tasks, DEV)
    order = sorted(passes, key=lambda checkpoint: _place(checkpoint, list(parents)))
    return Evidence(tasks, dev_tasks, order, parents, passes, dev)


def _passes_of(
    part: str, scores: Sequence[ResultFile], rollouts: Sequence[ResultFile], databases: Databases
) -> dict[str, dict[int, ScoringPass]]:
    found: dict[str, dict[int, ScoringPass]] = {}
    for checkpoint, scoring in sorted({(one.checkpoint, one.scoring) for one in scores if one.part == part}):
        scored, sampled = (
            [one for one in files if (one.checkpoint, one.scoring, one.part) == (checkpoint, scoring, part)]
            for files in (scores, rollouts)
        )
        if part == HOLDOUT and {one.database for one in scored} != {one.database for one in sampled}:
            raise UserError(f"{checkpoint}: pass {scoring} over the holdout has scores without rollouts.")
        found.setdefault(checkpoint, {})[scoring] = read_pass(scored, sampled, databases)
    return found


def _check_passes(passes: Mapping[str, Mapping[int, ScoringPass]]) -> None:
    if BASE not in passes:
        raise UserError("no scores of the base on the holdout: nothing to compare with.")
    expected = sorted(passes[BASE])
    for checkpoint, found in passes.items():
        if sorted(found) != expected:
            raise UserError(
                f"{checkpoint} has the scoring passes {sorted(found)}, base has {expected}; "
                "score every checkpoint in the same passes."
            )
    sizes = {checkpoint: sorted({one.k for one in found.values()}) for checkpoint, found in passes.items()}
    if len({size for found in sizes.values() for size in found}) > 1:
        listed = "; ".join(f"{checkpoint}: {found}" for checkpoint, found in sorted(sizes.items()))
        raise UserError(f"checkpoints were scored with different k ({listed}); score them with one k.")


def _check_known(
    passes: Mapping[str, Mapping[int, ScoringPass]], tasks: Mapping[str, Task], part: str
) -> None:
    for checkpoint, found in passes.items():
        for scoring, one in found.items():
            strange = sorted(set(one.tasks) - tasks.keys())
            if strange:
                given, scored = ids_digest(tasks)[:12], ids_digest(one.tasks)[:12]
                raise UserError(
                    f"{checkpoint}: pass {scoring} over {part} has {len(strange)} tasks that are not in the "
                    f"{part} given, such as {strange[0]}: these are scores of another {part}. Digests of the task ids: "
                    f"{scored} of the {len(one.tasks)} tasks scored, {given} of the {len(tasks)} given."
                )


def _place(checkpoint: str, stages: Sequence[str]) -> tuple[int, float, str]:
    stage, step = stage_of(checkpoint)
    if checkpoint == BASE:
        return (-1, 0.0, "")
    place = stages.index(stage) if stage in stages else len(stages)
    return (place, float("inf") if step is None else float(step), checkpoint)
