"""Made-up tasks of one database with all that is known of them, one of each kind of finding among them."""

from dataclasses import replace

from sqlrl.authoring.authored import AuthoringSummary
from sqlrl.authoring.cells import all_cells
from sqlrl.authoring.exposed import ExposureSummary, MutantFigures
from sqlrl.authoring.review import (
    AGREEMENTS,
    FINDINGS,
    Finding,
    OtherAnswer,
    ReviewSettings,
    SolverUsed,
    Tally,
    TaskReview,
)
from sqlrl.authoring.review_job import summarise_review
from sqlrl.authoring.screen import Rejection
from sqlrl.authoring.screening import LargestTemplate, ScreeningSummary
from sqlrl.authoring.split import SplitSettings, split_tasks
from sqlrl.authoring.task import Task
from sqlrl.report.tasks_report import TaskFiles
from sqlrl.statistics.bootstrap import BootstrapSettings
from tests.authoring.small import SETTINGS, candidate, task

BOOTSTRAP = BootstrapSettings(resamples=200, confidence=0.95, seed=1)
REVIEW = ReviewSettings(drop=(), question_similarity=0.9, statement_timeout_seconds=3.0)
SPLIT = SplitSettings(dev=0.1, holdout=0.3)


def make_tasks() -> list[Task]:
    """Two tasks a cell: the first of all cells are nearly the same question."""
    found = []
    for number, cell in enumerate(all_cells()):
        for twin in range(2):
            question = f"What do the {number} dearest <things> of {cell} cost, kind {twin}?"
            found.append(
                replace(
                    task(question),
                    archetype=cell.archetype,
                    difficulty=cell.difficulty,
                    style=cell.style,
                    reference_sql=f"SELECT price FROM items WHERE id < {number} AND kind = '{twin}'",
                    template=f"{number // 2:016x}",
                    features=("join",) if twin else ("group by", "join"),
                    rows=1 + number % 60,
                    columns=1 + twin,
                )
            )
    return found


def make_reviews(tasks: list[Task], solved: bool) -> list[TaskReview]:
    """Every tenth task has a finding; with a solver, every class comes in turn."""
    reviews = []
    for number, one in enumerate(tasks):
        kind = list(FINDINGS)[number // 10 % len(FINDINGS)]
        detail = tasks[(number + 1) % len(tasks)].id if kind == "conflict" else "on twin-1"
        findings = (Finding(kind, detail),) if number % 10 == 0 else ()
        review = TaskReview(one.id, f"{number // 2:016x}" if number < 8 else f"{number + 99:016x}", findings)
        if solved and number % 3:
            agreement = list(AGREEMENTS)[number % len(AGREEMENTS)]
            counts = {"agrees": (4, 3, 0), "other_answer": (4, 1, 3), "scattered": (4, 1, 1)}
            tally = Tally(4, *counts.get(agreement, (1, 0, 1)))
            other = (
                OtherAnswer("SELECT 1 < 2", 3, "twin-1", (("1", None),), ())
                if agreement == "other_answer"
                else None
            )
            review = replace(review, tally=tally, agreement=agreement, other=other)
        reviews.append(review)
    return reviews


def make_files(solved: bool = True, dropped: str | None = None) -> TaskFiles:
    """All files of a database; ``dropped`` is a class whose tasks did not go on."""
    tasks = make_tasks()
    reviews = [
        replace(one, dropped=dropped) if dropped in one.classes else one
        for one in make_reviews(tasks, solved)
    ]
    kept = [one for one, review in zip(tasks, reviews, strict=True) if review.dropped is None]
    solver = SolverUsed("far", "f" * 64, 4, 160) if solved else None
    rejected = [
        Rejection(candidate("SELECT now() < 1", f"What <time> is it {number}?"), "volatile", "NOW & then")
        for number in range(5)
    ]
    exposed = [Rejection(candidate("SELECT 7", "How many days?"), "exposed", "predicate dropped: SELECT 8")]
    return TaskFiles(
        authoring=AuthoringSummary("offline", 246, {}),
        screening=make_screening(len(tasks)),
        exposure=make_exposure(len(tasks)),
        review=summarise_review("small", reviews, {}, REVIEW, solver),
        rejected=rejected,
        exposed=exposed,
        tasks=tasks,
        reviews=reviews,
        parts=split_tasks(kept, SPLIT, "here"),
    )


def make_screening(tasks: int) -> ScreeningSummary:
    largest = LargestTemplate("0" * 16, 4, 0.01)
    counts: dict[str, dict] = {
        name: {} for name in ("reasons", "cells", "features", "rows", "columns", "databases")
    }
    return ScreeningSummary("small", tasks + 6, tasks + 1, 60, 0, largest, settings=SETTINGS, **counts)


def make_exposure(tasks: int) -> ExposureSummary:
    figures = {
        "all": MutantFigures(100, 10, 2, 0.9, 0.98),
        "predicate dropped": MutantFigures(50, 10, 2, 0.8, 0.96),
    }
    return ExposureSummary("small", tasks + 1, tasks, figures, {})
