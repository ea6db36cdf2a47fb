"""The kept questions that are most alike: near-duplicates that screening let pass, to judge by eye."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlrl.authoring.review import TaskReview
from sqlrl.authoring.similar import similar_pairs
from sqlrl.authoring.task import Task

LEAST, LISTED = 0.6, 20


def describe_similar(kept: Sequence[Task], reviews: Mapping[str, TaskReview]) -> dict[str, Any]:
    """How many pairs share so many of their words, and the most similar of them."""
    pairs = similar_pairs([task.question for task in kept], LEAST)
    return {
        "least": LEAST,
        "pairs": len(pairs),
        "across": sum({kept[one.one].part, kept[one.other].part} == {"train", "holdout"} for one in pairs),
        "listed": [
            {
                "similarity": pair.similarity,
                "same_answer": _same(reviews, kept[pair.one], kept[pair.other]),
                "same_template": kept[pair.one].template == kept[pair.other].template,
                "questions": [
                    {"id": task.id, "question": task.question, "part": task.part}
                    for task in (kept[pair.one], kept[pair.other])
                ],
            }
            for pair in pairs[:LISTED]
        ],
    }


def _same(reviews: Mapping[str, TaskReview], one: Task, other: Task) -> bool:
    answer = reviews[one.id].answer
    return answer is not None and answer == reviews[other.id].answer
