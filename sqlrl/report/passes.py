"""One scoring pass of one checkpoint: what became of every sample, as arrays over tasks and samples."""

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sqlrl.database.files import MAIN
from sqlrl.errors import UserError
from sqlrl.records import from_dict, read_jsonl, read_text
from sqlrl.report.files import ResultFile
from sqlrl.report.grouping import by_task
from sqlrl.verifier.reward import Databases, Score, Verdict, worst_verdict

RIGHT, WRONG_ROWS, DOES_NOT_RUN, NO_SQL = KINDS = ("right", "wrong rows", "does not run", "no SQL")
KIND_OF_VERDICT = {"match": RIGHT, "wrong": WRONG_ROWS, "error": DOES_NOT_RUN}

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class ReplyText:
    """What the report reads of a reply; the other fields of its line are the sampler's."""

    task_id: str
    sample: int
    text: str
    finish_reason: str


Sample = TypeVar("Sample", Score, ReplyText)


@dataclass(frozen=True)
class ScoringPass:
    """All samples of one checkpoint in one pass; arrays have the shape (tasks, k).

    tasks: ids in order; kinds: index into KINDS by the headline's databases; on_main: right on main;
    everywhere: right on main and on every twin; truncated: the reply ran out of tokens; replies,
    verdicts: by task id, samples in order.
    """

    tasks: tuple[str, ...]
    kinds: NDArray[np.int8]
    on_main: Flags
    everywhere: Flags
    truncated: Flags
    replies: Mapping[str, Sequence[ReplyText]]
    verdicts: Mapping[str, Sequence[Verdict]]

    @property
    def k(self) -> int:
        """Samples a task."""
        return int(self.kinds.shape[1])

    @property
    def right(self) -> Flags:
        """Which samples are right on the headline's databases."""
        found: Flags = self.kinds == KINDS.index(RIGHT)
        return found

    def of_tasks(self, chosen: Collection[str]) -> "ScoringPass":
        """The same over some of its tasks."""
        places = [place for place, task in enumerate(self.tasks) if task in chosen]
        return replace(
            self,
            tasks=tuple(self.tasks[place] for place in places),
            kinds=self.kinds[places],
            on_main=self.on_main[places],
            everywhere=self.everywhere[places],
            truncated=self.truncated[places],
            replies={task: found for task, found in self.replies.items() if task in chosen},
            verdicts={task: found for task, found in self.verdicts.items() if task in chosen},
        )


def kind_of(verdict: Verdict, databases: Databases) -> str:
    """What became of one sample, as one of KINDS; of all databases the worst counts."""
    if verdict.sql is None:
        return NO_SQL
    return KIND_OF_VERDICT[worst_verdict(verdict.outcomes, databases)]


def read_replies(path: Path) -> list[ReplyText]:
    """Read the rollouts of one pass. Raises UserError that names the file and the line."""
    wanted = ReplyText.__dataclass_fields__
    found = []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            raise UserError(f"{path}:{number}: not JSON: {error}.") from error
        known = {key: value[key] for key in wanted if key in value} if isinstance(value, dict) else value
        found.append(from_dict(ReplyText, known, f"{path}:{number}"))
    return found


def read_pass(
    scores: Sequence[ResultFile], rollouts: Sequence[ResultFile], databases: Databases
) -> ScoringPass:
    """Read one pass of one checkpoint, its files one a database.

    Args:
        scores: the score files of the pass.
        rollouts: the rollouts that were scored, file by file the same; empty where the report is
            not given them (dev), and then no reply counts as truncated.
        databases: where a reply must be right.

    Raises:
        UserError: a sample or a task occurs twice, a sample is missing, a reward is no finite number, tasks have
            different numbers of samples, or scores and rollouts do not hold the same samples.
    """
    verdicts: dict[str, list[Verdict]] = {}
    replies: dict[str, list[ReplyText]] = {}
    for file in scores:
        records = read_jsonl(file.path, Score)
        _check_records(records, file.path)
        grouped = {
            task: [one.verdict for one in group] for task, group in _without_gaps(records, file.path).items()
        }
        _check_new(grouped, verdicts, file.path)
        verdicts |= grouped
    for file in rollouts:
        read = _without_gaps(read_replies(file.path), file.path)
        _check_new(read, replies, file.path)
        replies |= read
    where = ", ".join(str(file.path) for file in scores)
    _check_samples(verdicts, replies if rollouts else verdicts, where)
    tasks = tuple(sorted(verdicts))
    return ScoringPass(
        tasks=tasks,
        kinds=np.array(
            [[KINDS.index(kind_of(one, databases)) for one in verdicts[task]] for task in tasks], np.int8
        ),
        on_main=np.array([[kind_of(one, MAIN) == RIGHT for one in verdicts[task]] for task in tasks]),
        everywhere=np.array([[kind_of(one, "all") == RIGHT for one in verdicts[task]] for task in tasks]),
        truncated=np.array([_truncated(task, replies, len(verdicts[task])) for task in tasks]),
        replies=replies,
        verdicts=verdicts,
    )


def _without_gaps(records: Iterable[Sample], path: Path) -> dict[str, list[Sample]]:
    """Records by task, see by_task; their samples must be 0 to k - 1."""
    groups = by_task(records, path)
    for task, samples in groups.items():
        numbers = [one.sample for one in samples]
        if numbers != list(range(len(samples))):
            raise UserError(
                f"{path}: task {task} has the samples {numbers}; expected 0 to k - 1 without a gap."
            )
    return groups


def _check_records(records: Iterable[Score], path: Path) -> None:
    for record in records:
        if MAIN not in record.verdict.outcomes:
            raise UserError(f"{path}: task {record.task_id} was not judged on {MAIN}.")
        if not math.isfinite(record.verdict.reward):
            raise UserError(
                f"{path}: sample {record.sample} of task {record.task_id} has the reward {record.verdict.reward}; "
                "expected a finite number. Score it again."
            )


def _check_new(found: Iterable[str], known: Mapping[str, object], path: Path) -> None:
    """A task is of one database, so that only one file of a pass can hold it."""
    twice = sorted(known.keys() & set(found))
    if twice:
        raise UserError(f"{path}: task {twice[0]} occurs in another file of this scoring pass too.")


def _check_samples(
    verdicts: Mapping[str, Sequence[Verdict]], replies: Mapping[str, Sequence[object]], where: str
) -> None:
    if not verdicts:
        raise UserError(f"{where}: no scores in it; a report needs at least one task.")
    sizes = {len(samples) for samples in verdicts.values()}
    if len(sizes) > 1:
        raise UserError(f"{where}: tasks have different numbers of samples: {sorted(sizes)}. Score k alike.")
    different = [
        task
        for task in sorted(verdicts.keys() | replies.keys())
        if len(verdicts.get(task, ())) != len(replies.get(task, ()))
    ]
    if different:
        raise UserError(
            f"{where}: scores and rollouts are not of the same samples: task {different[0]} has "
            f"{len(verdicts.get(different[0], ()))} scores and {len(replies.get(different[0], ()))} replies."
        )


def _truncated(task: str, replies: Mapping[str, Sequence[ReplyText]], k: int) -> list[bool]:
    if not replies:
        return [False] * k
    return [reply.finish_reason == "length" for reply in replies[task]]
