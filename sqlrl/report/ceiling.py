"""What a perfect model could score on some questions, as far as a review of their references can say.

A reference that is wrong calls right replies wrong, so errors in a test set bound what any score on it means
(Northcutt, Athalye and Mueller 2021). What the review can say of a reference is one-sided: it may refute it, or a
solver may confirm it, and much is neither. So there are two figures, and what a perfect model would score is taken to
lie between them:

- **highest**: the share of questions whose reference nobody refuted. Questions whose replies are scattered, or
  do not run, count for the reference: nothing was said against it.
- **lowest**: the share whose reference a solver confirmed. The same questions count against it: they may have no
  one answer.

A solver that errs like nobody else lowers both; a fault that it shares with the reference is not seen by either.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlrl.authoring.review import AGREES, TaskReview
from sqlrl.authoring.task import Task
from sqlrl.errors import UserError
from sqlrl.report.rates import ends
from sqlrl.report.words import count, percent, percent_span
from sqlrl.statistics.bootstrap import BootstrapSettings, interval, unseen_bound


def describe_ceiling(
    tasks: Sequence[Task], reviews: Mapping[str, TaskReview], settings: BootstrapSettings
) -> dict[str, Any]:
    """Both figures with their intervals over questions, query shapes and schemas.

    Args:
        tasks: such as a holdout, at least one.
        reviews: by task; of other tasks too.
        settings: of the intervals.

    Raises:
        UserError: a task was not reviewed.
    """
    missing = [task.id for task in tasks if task.id not in reviews]
    if missing:
        raise UserError(
            f"task {missing[0]} is in no review: tasks and reviews are of another build. Run the workflow again."
        )
    found = [reviews[task.id] for task in tasks]
    asked = sum(one.agreement is not None for one in found)
    return {
        "tasks": len(found),
        "refuted": sum(one.is_refuted for one in found),
        "asked": asked,
        "confirmed": sum(map(_is_confirmed, found)),
        "highest": _rate([not one.is_refuted for one in found], tasks, settings),
        "lowest": _rate([_is_confirmed(one) for one in found], tasks, settings) if asked else None,
    }


def ceiling_sentence(ceiling: Mapping[str, Any]) -> str:
    """What a perfect model could score, in one sentence."""
    questions, highest, lowest = count(ceiling["tasks"], "question"), ceiling["highest"], ceiling["lowest"]
    refuted = ceiling["refuted"]
    most = f"{_words(highest)} on these {questions}"
    if lowest is None:
        found = (
            f"{count(refuted, 'reference')} {'is' if refuted == 1 else 'are'}"
            if refuted
            else "No reference is"
        )
        return (
            f"{found} refuted by the checks that need no solver, so a perfect model could score {most}. "
            "Nobody has answered them to see whether their references are right."
        )
    return (
        f"A perfect model could score between {_words(lowest)} and {most}: a solver that did not see the references "
        f"agrees with {ceiling['confirmed']:,} of them, {refuted:,} are refuted, and the rest is open."
    )


def _words(rate: Mapping[str, Any]) -> str:
    return f"{percent(rate['value'])} ({percent_span(rate['bound'] or rate['interval'])})"


def _is_confirmed(review: TaskReview) -> bool:
    return review.agreement == AGREES and not review.is_refuted


def _rate(flags: Sequence[bool], tasks: Sequence[Task], settings: BootstrapSettings) -> dict[str, Any]:
    templates, schemas = [task.template for task in tasks], [task.database for task in tasks]
    estimate = interval([float(flag) for flag in flags], settings, templates, schemas)
    bound = unseen_bound(estimate, 0.0, 1.0, settings.confidence) if estimate.headline.width == 0 else None
    return {
        "value": estimate.value,
        "interval": ends(estimate.headline),
        "bound": ends(bound) if bound else None,
    }
