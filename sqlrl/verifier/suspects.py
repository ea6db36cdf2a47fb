"""Tells a reply that takes its session or its judging process down from a machine that fails.

Were every such fault raised, whoever learns to crash a backend would stop the run; were it scored, a server
that restarts would cost good replies their reward. So the job is judged once more while nothing else runs, between
two canaries: runs of its reference where the reply would run. The reply is to blame only where both canaries
live and it is lost between them.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from sqlrl.verifier.reward import error_outcome
from sqlrl.verifier.worker import Fault, Finding, Job

Run = Callable[[Sequence[Job], Callable[[int, Finding | Fault], None]], list[int]]
"""WorkerPool.run: gives the indices of the jobs that were left out after a Fault."""


def run_all(jobs: Sequence[Job], run: Run, done: Callable[[Job, Finding | Fault], None]) -> None:
    """Run all jobs; what the machine failed is judged alone before the rest goes on.

    Args:
        jobs: the jobs.
        run: runs several side by side.
        done: called with each job and what came out; it raises what it can't use.
    """
    left = jobs
    while left:
        suspects, left = _run_together(left, run, done)
        for suspect in suspects:
            done(suspect, judge_alone(suspect, run))


def judge_alone(suspect: Job, run: Run) -> Finding | Fault:
    """Judge a job that the machine failed at every try, while nothing else runs.

    Returns:
        Its outcomes, all of them ``crash`` where the reply is to blame; a Fault where the machine is.
    """
    canary = _canary(suspect)
    before = _run_one(canary, run)
    if isinstance(before, Fault):
        return before
    found = _run_one(suspect, run)
    if isinstance(found, Finding) or found.kind != "lost":
        return found
    after = _run_one(canary, run)
    if isinstance(after, Fault):
        return after
    outcome = error_outcome("crash", found.message)
    return Finding(tuple(outcome for _ in suspect.references))


def _canary(suspect: Job) -> Job:
    """Prepares the same references, then runs one of them as if it were the reply.

    It has to live, not to be right: a reference slower than a reply may be gives an error.
    """
    return replace(suspect, sql=suspect.references[0])


def _run_one(job: Job, run: Run) -> Finding | Fault:
    answers: list[Finding | Fault] = []
    run([job], lambda _, found: answers.append(found))
    return answers[0]


def _run_together(
    jobs: Sequence[Job], run: Run, done: Callable[[Job, Finding | Fault], None]
) -> tuple[list[Job], list[Job]]:
    """The jobs that the machine failed, and those that were left out for that."""
    suspects: list[Job] = []

    def sort(index: int, found: Finding | Fault) -> None:
        if isinstance(found, Fault) and found.kind != "reference":
            suspects.append(jobs[index])
        else:
            done(jobs[index], found)

    left = run(jobs, sort)
    return suspects, [jobs[index] for index in left]
