"""The band: the training tasks that a stage's starting policy solves sometimes.

A group whose samples all pass or all fail teaches nothing; tasks outside the band give such groups.
"""

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlrl.authoring.task import Task
from sqlrl.database.files import MAIN
from sqlrl.errors import UserError
from sqlrl.files import digest_text
from sqlrl.sampling.rollouts import sample_tasks
from sqlrl.sampling.sampler import Prompt, Reply, Sampler, SamplingSettings
from sqlrl.verifier.reward import Submission, Verdict

JUDGED_AT_ONCE = 512

Judge = Callable[[Sequence[Submission]], list[Verdict]]

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class BandSettings:
    """How the band is measured: see config.yaml.

    Attributes:
        enabled: false keeps every task without sampling.
        minimum, maximum: pass rates that are kept, ends included.
        k: samples a task.
        tasks: how many tasks to measure; None measures all.
        temperature, max_tokens: those that the stage trains with.
        batch_size: sequences that are sampled side by side.
        seed: of which tasks are measured, and of the samples.
    """

    enabled: bool
    minimum: float
    maximum: float
    k: int
    tasks: int | None
    temperature: float
    max_tokens: int
    batch_size: int
    seed: int


@dataclass(frozen=True)
class BandTask:
    """One line of band.jsonl: how many of k samples passed, and whether the stage trains on the task.

    Where the band is off, k is 0.
    """

    task_id: str
    passed: int
    k: int
    kept: bool


def measure_band(
    tasks: Sequence[Task],
    prompts: Sequence[Prompt],
    sampler: Sampler,
    adapter: Path | None,
    judge: Judge,
    settings: BandSettings,
    work: Path,
) -> tuple[list[BandTask], list[Reply]]:
    """Sample the chosen tasks, judge the replies, keep what is solved sometimes.

    Args:
        tasks: see choose_tasks.
        prompts: theirs, in the same order.
        sampler, adapter, work: see sample_tasks.
        judge: the verifier's.
        settings: see BandSettings.

    Raises:
        UserError: no task is kept.
    """
    sampling = SamplingSettings(settings.temperature, 1.0, settings.max_tokens, settings.batch_size)
    replies = sample_tasks(sampler, prompts, settings.k, sampling, adapter, settings.seed, work)
    verdicts = judge_replies(tasks, replies, judge)
    band = make_band(tasks, count_passed(tasks, replies, verdicts), settings)
    logger.info(
        "%d of %d tasks are in the band; %s", sum(one.kept for one in band), len(band), describe(band)
    )
    return band, replies


def choose_tasks(tasks: Sequence[Task], settings: BandSettings) -> list[Task]:
    """The tasks to measure: the first by a hash of seed and id, which no other task moves."""
    order = sorted(tasks, key=lambda task: digest_text(f"{settings.seed}/band/{task.id}"))
    return order[: settings.tasks]


def judge_replies(tasks: Sequence[Task], replies: Sequence[Reply], judge: Judge) -> list[Verdict]:
    """The verdicts on replies to some tasks, in the order of the replies."""
    by_id = {task.id: task for task in tasks}
    verdicts: list[Verdict] = []
    for start in range(0, len(replies), JUDGED_AT_ONCE):
        part = replies[start : start + JUDGED_AT_ONCE]
        asked = [by_id[reply.task_id] for reply in part]
        verdicts += judge(
            [
                Submission(task.database, reply.text, task.reference_sql)
                for task, reply in zip(asked, part, strict=True)
            ]
        )
    return verdicts


def count_passed(
    tasks: Sequence[Task], replies: Sequence[Reply], verdicts: Sequence[Verdict]
) -> dict[str, int]:
    """How many replies to each task match on main, by task id."""
    passed = {task.id: 0 for task in tasks}
    for reply, verdict in zip(replies, verdicts, strict=True):
        passed[reply.task_id] += verdict.outcomes[MAIN].verdict == "match"
    return passed


def make_band(tasks: Sequence[Task], passed: dict[str, int], settings: BandSettings) -> list[BandTask]:
    """Which of the measured tasks are kept, in the order of ``tasks``.

    Raises:
        UserError: none is, with the distribution of pass rates and what to change.
    """
    k = settings.k
    band = [
        BandTask(task.id, passed[task.id], k, settings.minimum <= passed[task.id] / k <= settings.maximum)
        for task in tasks
    ]
    if not any(one.kept for one in band):
        raise UserError(_explain_empty(band, settings))
    return band


def keep_all(tasks: Sequence[Task]) -> list[BandTask]:
    """The band of a stage that trains on every task."""
    return [BandTask(task.id, 0, 0, True) for task in tasks]


def in_band(tasks: Sequence[Task], band: Sequence[BandTask]) -> list[Task]:
    """The tasks that the band keeps, in their order.

    Raises:
        UserError: the band keeps a task that is not among these.
    """
    kept = {one.task_id for one in band if one.kept}
    unknown = sorted(kept - {task.id for task in tasks})
    if unknown:
        raise UserError(f"the band keeps task {unknown[0]!r}, which is not among the training tasks.")
    return [task for task in tasks if task.id in kept]


def describe(band: Sequence[BandTask]) -> str:
    """The distribution of pass rates in words, such as ``0/4: 98 tasks, 1/4: 20 tasks``."""
    counts = Counter((one.passed, one.k) for one in band)
    return ", ".join(f"{passed}/{k}: {counts[passed, k]} tasks" for passed, k in sorted(counts))


def _explain_empty(band: Sequence[BandTask], settings: BandSettings) -> str:
    rate = sum(one.passed for one in band) / sum(one.k for one in band)
    bounds = f"band.minimum {settings.minimum:g} to band.maximum {settings.maximum:g}"
    if rate < 0.5:
        advice = "The starting policy is too weak: train its sft stage longer, select easier tasks,"
    else:
        advice = "The starting policy solves these already: select harder tasks,"
    return (
        f"no training task lies in the band of pass rates ({bounds}). Measured: {describe(band)}. "
        f"{advice} raise band.k or band.tasks, or set band.enabled to false."
    )
