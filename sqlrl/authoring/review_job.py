"""The review of one database's tasks, from dumps to a line a task."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from sqlrl.authoring.instances import open_instances
from sqlrl.authoring.review import (
    AGREEMENTS,
    FINDINGS,
    Finding,
    OtherAnswer,
    ReviewSettings,
    ReviewSummary,
    SolverUsed,
    Tally,
    TaskReview,
)
from sqlrl.authoring.review_checks import (
    check_answers,
    check_conflicts,
    check_references,
    check_survivors,
    same_answers,
)
from sqlrl.authoring.review_replies import tally_replies
from sqlrl.authoring.screen import Rejection
from sqlrl.authoring.task import Task
from sqlrl.progress import ProgressReport
from sqlrl.sampling.sampler import Reply
from sqlrl.verifier.reward import VerifierSettings
from sqlrl.verifier.verifier import Verifier

WORKERS = 2

Solved = Mapping[str, tuple[Tally, OtherAnswer | None]]


def review_tasks(
    database: str,
    dumps: Mapping[str, Path],
    tasks: Sequence[Task],
    exposed: Sequence[Rejection],
    replies: Sequence[Reply],
    settings: ReviewSettings,
) -> list[TaskReview]:
    """A review of each task, in their order.

    Args:
        database: its name.
        dumps: main and the twins, by instance.
        tasks: what screening and probing kept.
        exposed: what probing refused.
        replies: a solver's, any number a task; none where nobody was asked.
        settings: see ReviewSettings.
    """
    settings.check()
    seconds = settings.statement_timeout_seconds
    with (
        open_instances(dumps, seconds) as instances,
        ProgressReport(len(tasks), "running references") as progress,
    ):
        answers, findings = check_answers(instances, tasks, progress.advance)
    # The rewards are not looked at: only whether rows match, by the rules of training and scoring.
    judging = VerifierSettings(1.0, 0.1, 0.0, "all", seconds, WORKERS)
    with Verifier({database: dumps}, judging) as verifier:
        runs = [task for task in tasks if task.id in answers]
        with ProgressReport(len(runs), "judging references by themselves") as progress:
            failing = check_references(verifier, runs, progress.advance)
        runs = [task for task in runs if task.id not in failing]
        conflicts = check_conflicts(verifier, runs, settings.question_similarity)
        solved = _solved(verifier, runs, replies)
    survivors = check_survivors(tasks, exposed)
    for more in (failing, survivors):
        for name, finding in more.items():
            findings[name].append(finding)
    for name, several in conflicts.items():
        findings[name] += several
    return [_review(task.id, answers.get(task.id), findings[task.id], solved, settings) for task in tasks]


def summarise_review(
    database: str,
    reviews: Sequence[TaskReview],
    digests: Mapping[str, str],
    settings: ReviewSettings,
    solver: SolverUsed | None,
) -> ReviewSummary:
    """The reviews in figures; every class is named, also where there is none of it."""
    found = Counter(kind for one in reviews for kind in {finding.kind for finding in one.findings})
    agreement = Counter(one.agreement for one in reviews if one.agreement)
    groups = same_answers({one.task_id: one.answer for one in reviews if one.answer})
    return ReviewSummary(
        database=database,
        tasks=len(reviews),
        kept=sum(one.dropped is None for one in reviews),
        dropped=dict(sorted(Counter(one.dropped for one in reviews if one.dropped).items())),
        findings={kind: found[kind] for kind in FINDINGS},
        agreement={kind: agreement[kind] for kind in AGREEMENTS} if solver else None,
        same_answers=sum(map(len, groups.values())),
        solver=solver,
        databases=digests,
        settings=settings,
    )


def _solved(verifier: Verifier, tasks: Sequence[Task], replies: Sequence[Reply]) -> Solved:
    by_task: dict[str, list[Reply]] = defaultdict(list)
    for reply in replies:
        by_task[reply.task_id].append(reply)
    with ProgressReport(len(by_task), "judging replies by task") as progress:
        return tally_replies(verifier, tasks, by_task, progress.advance)


def _review(
    name: str, answer: str | None, findings: Sequence[Finding], solved: Solved, settings: ReviewSettings
) -> TaskReview:
    tally, other = solved.get(name, (None, None))
    review = TaskReview(
        task_id=name,
        answer=answer,
        findings=tuple(findings),
        tally=tally,
        agreement=tally.agreement if tally else None,
        other=other,
    )
    dropped = next((kind for kind in review.classes if kind in settings.drop), None)
    return replace(review, dropped=dropped)
