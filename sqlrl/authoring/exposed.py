"""Refuses the tasks that their data can't protect: where a query that means something else is taken for right.

Small changes are made to a task's reference SQL, as people and models get it wrong. One that main and
all twins accept, and a witness refutes, shows that the task would pay for a wrong answer.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlrl.authoring.screen import Rejection
from sqlrl.authoring.task import Task
from sqlrl.authoring.teacher import Candidate
from sqlrl.errors import UserError
from sqlrl.verifier.exposure import (
    Exposure,
    Probe,
    Target,
    by_kind,
    count_exposure,
    fit_targets,
    probe_mutants,
)
from sqlrl.verifier.reward import VerifierSettings
from sqlrl.verifier.verifier import Verifier

REASON = "exposed"
BATCH = 64
WORKERS = 2


@dataclass(frozen=True)
class MutantFigures:
    """What became of the small changes of reference SQL that change its meaning.

    Attributes:
        changed: how many there were.
        accepted_on_main: how many main alone takes for right.
        accepted_on_twins: how many main and all twins do; the tasks of these are refused.
        score_on_main, score_on_twins: the mutation scores, shares that are refused.
    """

    changed: int
    accepted_on_main: int
    accepted_on_twins: int
    score_on_main: float
    score_on_twins: float


@dataclass(frozen=True)
class ExposureSummary:
    """exposure.json: what probing found in one database's tasks.

    Attributes:
        screened: tasks that were probed.
        kept: those that no mutant exposed.
        mutants: what became of all mutants, by kind, ``all`` first.
        databases: digests of the dumps by instance.
    """

    database: str
    screened: int
    kept: int
    mutants: Mapping[str, MutantFigures]
    databases: Mapping[str, str]


@contextmanager
def open_prober(database: str, dumps: Mapping[str, Path], timeout_seconds: float) -> Iterator[Verifier]:
    """A verifier on main, the twins and the witnesses of a database."""
    settings = VerifierSettings(1.0, 0.1, 0.0, "main", timeout_seconds, WORKERS)
    with Verifier({database: dumps}, settings) as verifier:
        yield verifier


def refuse_exposed(
    verifier: Verifier, tasks: Sequence[Task], advance: Callable[[int], None]
) -> tuple[list[Task], list[Rejection], dict[str, MutantFigures]]:
    """The tasks that no tried mutant exposes, the others with the first that does, and all in figures.

    Args:
        verifier: see ``open_prober``.
        tasks: what the other checks kept.
        advance: called with the number of tasks that were tried since the last call.
    """
    probes: list[Probe] = []
    for start in range(0, len(tasks), BATCH):
        batch = tasks[start : start + BATCH]
        probes += _probe(verifier, [Target(one.id, one.database, one.reference_sql) for one in batch])
        advance(len(batch))
    survivors: dict[str, Probe] = {}
    for probe in probes:
        if probe.changed and probe.on_twins:
            survivors.setdefault(probe.target, probe)
    kept = [task for task in tasks if task.id not in survivors]
    refused = [_refuse(task, survivors[task.id]) for task in tasks if task.id in survivors]
    exposures = {"all": count_exposure(probes), **by_kind(probes)}
    return kept, refused, {kind: _figures(exposure) for kind, exposure in exposures.items()}


def _probe(verifier: Verifier, targets: Sequence[Target]) -> list[Probe]:
    try:
        return probe_mutants(verifier, targets)
    except UserError:
        # A reference that a witness's data make fail: nothing can be said of it.
        return probe_mutants(verifier, fit_targets(verifier, targets))


def _refuse(task: Task, survivor: Probe) -> Rejection:
    candidate = Candidate(task.archetype, task.difficulty, task.style, task.question, task.reference_sql)
    return Rejection(candidate, REASON, f"{survivor.kind}: {survivor.sql}")


def _figures(exposure: Exposure) -> MutantFigures:
    return MutantFigures(
        exposure.changed,
        exposure.on_main,
        exposure.on_twins,
        round(exposure.score_on_main, 4),
        round(exposure.score_on_twins, 4),
    )
