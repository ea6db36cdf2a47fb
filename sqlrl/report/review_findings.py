"""What the review of a database's tasks found, for its page: classes, suspects to read, answers that recur."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sqlrl.authoring.review import (
    AGREEMENTS,
    CONFLICT,
    FINDINGS,
    REFUTING,
    SCATTERED,
    ReviewSummary,
    TaskReview,
)
from sqlrl.authoring.review_checks import same_answers
from sqlrl.authoring.split import PARTS
from sqlrl.authoring.task import Task
from sqlrl.files import digest_text

# What the page lists to read; all are in review.jsonl.
LISTED = 60
SCATTERED_LISTED = 12


def describe_review(
    summary: ReviewSummary,
    reviews: Mapping[str, TaskReview],
    tasks: Sequence[Task],
    parts: Mapping[str, Sequence[Task]],
) -> dict[str, Any]:
    """The review as the report's JSON has it.

    Args:
        summary: its figures.
        reviews: by task.
        tasks: all that were reviewed.
        parts: those that go on, by part.
    """
    by_id = {task.id: task for task in tasks}
    part_of = {task.id: part for part in PARTS for task in parts[part]}
    suspects = [task for task in tasks if reviews[task.id].is_refuted]
    scattered = [task for task in tasks if reviews[task.id].agreement == SCATTERED]
    listed = [_suspect(task, reviews[task.id], by_id, part_of) for task in _in_fair_order(suspects)[:LISTED]]
    return {
        "tasks": summary.tasks,
        "solver": vars(summary.solver) if summary.solver else None,
        "findings": [
            {
                "kind": kind,
                "meaning": meaning,
                "refutes": kind in REFUTING,
                "tasks": summary.findings[kind],
                "example": _example(kind, tasks, reviews),
            }
            for kind, meaning in FINDINGS.items()
        ],
        "agreement": summary.agreement
        and [
            {"kind": kind, "meaning": meaning, "tasks": summary.agreement[kind]}
            for kind, meaning in AGREEMENTS.items()
        ],
        "dropped": dict(summary.dropped),
        "suspects": len(suspects),
        "listed": listed,
        "scattered": [
            _suspect(task, reviews[task.id], by_id, part_of)
            for task in _in_fair_order(scattered)[:SCATTERED_LISTED]
        ],
        "same_answers": _same_answers(reviews, part_of),
    }


def _suspect(
    task: Task, review: TaskReview, by_id: Mapping[str, Task], part_of: Mapping[str, str]
) -> dict[str, Any]:
    """A task to read: its reference, and what speaks against it."""
    against = [
        {"question": by_id[finding.detail].question, "reference_sql": by_id[finding.detail].reference_sql}
        for finding in review.findings
        if finding.kind == CONFLICT and finding.detail in by_id
    ]
    return {
        "id": task.id,
        "part": part_of.get(task.id),
        "archetype": task.archetype,
        "difficulty": task.difficulty,
        "style": task.style,
        "question": task.question,
        "reference_sql": task.reference_sql,
        "classes": list(review.classes),
        "tally": vars(review.tally) if review.tally else None,
        "other": vars(review.other) if review.other else None,
        "conflicts": against,
        "faults": [one.detail for one in review.findings if one.kind in REFUTING and one.kind != CONFLICT],
    }


def _example(kind: str, tasks: Sequence[Task], reviews: Mapping[str, TaskReview]) -> dict[str, str] | None:
    """A task with a finding that nobody chose, and what was found."""
    found = [(task, one.detail) for task in tasks for one in reviews[task.id].findings if one.kind == kind]
    if not found:
        return None
    task, detail = min(found, key=lambda pair: fair_place(pair[0].id))
    return {"question": task.question, "reference_sql": task.reference_sql, "detail": detail}


def _same_answers(reviews: Mapping[str, TaskReview], part_of: Mapping[str, str]) -> dict[str, int]:
    """Tasks whose reference gives the rows of another's everywhere, and what of it crosses the split."""
    answers = {name: one.answer for name, one in reviews.items() if one.answer and name in part_of}
    groups = same_answers(answers).values()
    parts = [Counter(part_of[name] for name in group) for group in groups]
    return {
        "groups": len(parts),
        "tasks": sum(found.total() for found in parts),
        "holdout_in_training": sum(found["holdout"] for found in parts if found["train"]),
    }


def _in_fair_order(tasks: Sequence[Task]) -> list[Task]:
    return sorted(tasks, key=lambda task: fair_place(task.id))


def fair_place(name: str) -> str:
    """What examples are chosen by, the least first: an order that nobody chose."""
    return digest_text(f"example of {name}")
