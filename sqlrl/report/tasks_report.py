"""The tasks of one database in figures: what was kept and refused, what they are like, what their review found."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from sqlrl.authoring.authored import AuthoringSummary
from sqlrl.authoring.cells import ARCHETYPES, DIFFICULTIES, STYLES, Cell, all_cells
from sqlrl.authoring.exposed import REASON as EXPOSED
from sqlrl.authoring.exposed import ExposureSummary
from sqlrl.authoring.review import AGREEMENTS, FINDINGS, ReviewSummary, TaskReview
from sqlrl.authoring.screen import REASONS, Rejection
from sqlrl.authoring.screening import ScreeningSummary
from sqlrl.authoring.split import PARTS
from sqlrl.authoring.task import Task
from sqlrl.report.ceiling import describe_ceiling
from sqlrl.report.document import rounded
from sqlrl.report.review_findings import describe_review, fair_place
from sqlrl.report.similar_questions import describe_similar
from sqlrl.statistics.bootstrap import BootstrapSettings

MEANINGS: Mapping[str, str] = {
    **REASONS,
    EXPOSED: "a query of another meaning gives the same rows on main and all twins",
    **FINDINGS,
    **AGREEMENTS,
}
ROW_BINS = ((1, 1), (2, 5), (6, 10), (11, 20), (21, 50), (51, None))
WORD_BINS = ((1, 5), (6, 10), (11, 15), (16, 20), (21, 30), (31, 40), (41, None))


@dataclass(frozen=True)
class TaskFiles:
    """What is known of one database's tasks.

    Attributes:
        authoring, screening, exposure, review: the summaries of the steps.
        rejected, exposed: what screening and probing refused.
        tasks: what they kept; reviews: of each of these, in their order.
        parts: what goes on, by part of the split.
    """

    authoring: AuthoringSummary
    screening: ScreeningSummary
    exposure: ExposureSummary
    review: ReviewSummary
    rejected: Sequence[Rejection]
    exposed: Sequence[Rejection]
    tasks: Sequence[Task]
    reviews: Sequence[TaskReview]
    parts: Mapping[str, Sequence[Task]]

    @property
    def kept(self) -> list[Task]:
        """All that goes on, each with its part."""
        return [task for part in PARTS for task in self.parts[part]]

    @property
    def by_task(self) -> dict[str, TaskReview]:
        """The reviews by task."""
        return {review.task_id: review for review in self.reviews}


@dataclass(frozen=True)
class _Refusal:
    """A question that does not go on: its cell, why, and what exactly was found."""

    cell: Cell
    reason: str
    question: str
    reference_sql: str
    detail: str


def build_tasks_report(files: TaskFiles, settings: BootstrapSettings) -> dict[str, Any]:
    """The JSON of a database's tasks: every number of its page.

    Raises:
        UserError: a task was not reviewed.
    """
    kept, refused = files.kept, _refusals(files)
    holdout = files.parts["holdout"]
    document: dict[str, Any] = rounded(
        {
            "database": files.screening.database,
            "teacher": files.authoring.teacher,
            "counts": _counts(files),
            "cells": _cells(kept, refused),
            "reasons": _reasons(refused),
            "features": _features(kept),
            "shapes": _shapes(kept),
            "question_words": _question_words(kept),
            "split": _split(kept),
            "templates": _templates(files.parts),
            "exposure": _exposure(files.exposure),
            "ceiling": describe_ceiling(holdout, files.by_task, settings) if holdout else None,
            "review": describe_review(files.review, files.by_task, files.tasks, files.parts),
            "similar": describe_similar(kept, files.by_task),
            "examples": _examples(kept),
            "statistics": {
                "resamples": settings.resamples,
                "confidence": settings.confidence,
                "seed": settings.seed,
            },
        }
    )
    return document


def fair_choice(names: Iterable[str]) -> str:
    """One of some ids that nobody chose: the first by a hash."""
    return min(names, key=fair_place)


def _counts(files: TaskFiles) -> dict[str, int]:
    return {
        "authored": files.screening.candidates,
        "screened": files.screening.kept,
        "probed": files.exposure.kept,
        "reviewed": files.review.kept,
        **{part: len(files.parts[part]) for part in PARTS},
    }


def _refusals(files: TaskFiles) -> list[_Refusal]:
    found = [
        _Refusal(
            one.candidate.cell, one.reason, one.candidate.question, one.candidate.reference_sql, one.detail
        )
        for one in (*files.rejected, *files.exposed)
    ]
    for task, review in zip(files.tasks, files.reviews, strict=True):
        if review.dropped:
            details = {finding.kind: finding.detail for finding in review.findings}
            detail = details.get(review.dropped, review.other.sql if review.other else "")
            found.append(_Refusal(_cell(task), review.dropped, task.question, task.reference_sql, detail))
    return found


def _cell(task: Task) -> Cell:
    return Cell(task.archetype, task.difficulty, task.style)


def _cells(kept: Sequence[Task], refused: Sequence[_Refusal]) -> list[dict[str, Any]]:
    tasks = Counter(map(_cell, kept))
    reasons: dict[Cell, Counter[str]] = defaultdict(Counter)
    for one in refused:
        reasons[one.cell][one.reason] += 1
    return [
        {
            "archetype": cell.archetype,
            "difficulty": cell.difficulty,
            "style": cell.style,
            "kept": tasks[cell],
            "rejected": sum(reasons[cell].values()),
            "reasons": dict(sorted(reasons[cell].items())),
        }
        for cell in all_cells()
    ]


def _reasons(refused: Sequence[_Refusal]) -> list[dict[str, Any]]:
    """Why candidates were refused, the most frequent reason first, each with one that nobody chose."""
    by_reason: dict[str, list[_Refusal]] = defaultdict(list)
    for one in refused:
        by_reason[one.reason].append(one)
    found = []
    for reason, those in sorted(by_reason.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        example = min(those, key=lambda one: fair_place(one.question))
        found.append(
            {
                "reason": reason,
                "meaning": MEANINGS[reason],
                "number": len(those),
                "example": {name: getattr(example, name) for name in ("question", "reference_sql", "detail")},
            }
        )
    return found


def _features(kept: Sequence[Task]) -> list[dict[str, Any]]:
    counts = Counter(name for task in kept for name in task.features)
    return [
        {"feature": name, "tasks": number, "share": number / len(kept)}
        for name, number in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    ]


def _shapes(kept: Sequence[Task]) -> dict[str, Any]:
    """Tasks by rows and columns of their answer."""
    columns = sorted({task.columns for task in kept})
    counts = Counter((_bin(task.rows, ROW_BINS), task.columns) for task in kept)
    return {
        "columns": columns,
        "rows": [
            {"rows": name, "tasks": [counts[name, number] for number in columns]}
            for name in map(_bin_name, ROW_BINS)
            if any(counts[name, number] for number in columns)
        ],
    }


def _question_words(kept: Sequence[Task]) -> dict[str, Any]:
    lengths = {
        style: [len(task.question.split()) for task in kept if task.style == style] for style in STYLES
    }
    return {
        "styles": [
            {"style": style, "shortest": min(found), "median": median(found), "longest": max(found)}
            for style, found in lengths.items()
            if found
        ],
        "bins": [
            {
                "words": name,
                "tasks": sum(
                    _bin(length, WORD_BINS) == name for found in lengths.values() for length in found
                ),
            }
            for name in map(_bin_name, WORD_BINS)
        ],
    }


def _split(kept: Sequence[Task]) -> list[dict[str, Any]]:
    """Tasks of each part by archetype, difficulty and style."""
    found = []
    for dimension, names in (("archetype", ARCHETYPES), ("difficulty", DIFFICULTIES), ("style", STYLES)):
        counts = Counter((getattr(task, dimension), task.part) for task in kept)
        for name in names:
            parts = {part: counts[name, part] for part in PARTS}
            total = sum(parts.values())
            if total:
                shares = {f"{part}_share": number / total for part, number in parts.items()}
                found.append({"by": dimension, "name": name, **parts, **shares})
    return found


def _templates(parts: Mapping[str, Sequence[Task]]) -> dict[str, Any]:
    """Query shapes, and how many questions set aside have one that training sees too."""
    kept = [task for part in PARTS for task in parts[part]]
    counts = Counter(task.template for task in kept)
    trained = {task.template for task in parts["train"]}
    return {
        "templates": len(counts),
        "single": sum(number == 1 for number in counts.values()),
        "most": max(counts.values()),
        "parts": [
            {
                "part": part,
                "tasks": len(parts[part]),
                "seen_tasks": sum(task.template in trained for task in parts[part]),
                "unseen_tasks": sum(task.template not in trained for task in parts[part]),
                "unseen_templates": len({task.template for task in parts[part]} - trained),
            }
            for part in PARTS
            if part != "train"
        ],
    }


def _exposure(summary: ExposureSummary) -> dict[str, Any]:
    kinds = [{"kind": kind, **vars(figures)} for kind, figures in summary.mutants.items() if kind != "all"]
    return {
        "screened": summary.screened,
        "kept": summary.kept,
        "all": vars(summary.mutants["all"]),
        "kinds": sorted(kinds, key=lambda one: (one["score_on_twins"], one["kind"])),
    }


def _examples(kept: Sequence[Task]) -> list[dict[str, Any]]:
    """One task of each cell, chosen by a hash."""
    by_cell: dict[Cell, dict[str, Task]] = defaultdict(dict)
    for task in kept:
        by_cell[_cell(task)][task.id] = task
    chosen = [by_cell[cell][fair_choice(by_cell[cell])] for cell in all_cells() if by_cell[cell]]
    names = ("id", "archetype", "difficulty", "style", "question", "reference_sql", "rows", "columns", "part")
    return [{name: getattr(task, name) for name in names} for task in chosen]


def _bin(number: int, bins: Sequence[tuple[int, int | None]]) -> str:
    return _bin_name(next(one for one in bins if one[1] is None or number <= one[1]))


def _bin_name(one: tuple[int, int | None]) -> str:
    low, high = one
    if high is None:
        return f"over {low - 1}"
    return str(low) if low == high else f"{low} to {high}"
