"""Self-distillation: the policy's own replies that the verifier found right, for it to imitate.

A reply counts only where it is right on main and on every twin: luck is nothing to learn.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from sqlrl.authoring.task import Task
from sqlrl.errors import UserError
from sqlrl.files import digest_text
from sqlrl.sampling.sampler import Reply
from sqlrl.verifier.reward import Verdict, worst_verdict

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class CollectionSettings:
    """How replies are collected: see config.yaml.

    Attributes:
        k: samples a task.
        temperature, max_tokens: of the samples.
        tasks: how many tasks to sample; None samples all.
        per_task: different right replies of a task that are kept at most.
        batch_size: sequences that are sampled side by side.
        seed: of which tasks are sampled, and of the samples.
    """

    k: int
    temperature: float
    max_tokens: int
    tasks: int | None
    per_task: int
    batch_size: int
    seed: int


@dataclass(frozen=True)
class VerifiedReply:
    """One line of replies.jsonl: a right reply as the policy wrote it, its end token included."""

    task_id: str
    sample: int
    text: str
    token_ids: tuple[int, ...]


def choose_tasks(tasks: Sequence[Task], settings: CollectionSettings) -> list[Task]:
    """The tasks to sample: the first by a hash of seed and id, which no other task moves."""
    order = sorted(tasks, key=lambda task: digest_text(f"{settings.seed}/replies/{task.id}"))
    return order[: settings.tasks]


def keep_verified(
    replies: Sequence[Reply], verdicts: Sequence[Verdict], settings: CollectionSettings
) -> list[VerifiedReply]:
    """The right replies that ended by themselves, in order; of a task each query once, ``per_task`` at most.

    Raises:
        UserError: there is none, with what to change.
    """
    kept: dict[str, dict[str, VerifiedReply]] = {}
    for reply, verdict in zip(replies, verdicts, strict=True):
        is_right = worst_verdict(verdict.outcomes, "all") == "match" and reply.finish_reason == "stop"
        found = kept.setdefault(reply.task_id, {})
        query = " ".join((verdict.sql or "").split())
        if is_right and query not in found and len(found) < settings.per_task:
            found[query] = VerifiedReply(reply.task_id, reply.sample, reply.text, reply.token_ids)
    verified = [one for found in kept.values() for one in found.values()]
    if not verified:
        raise UserError(
            f"none of {len(replies)} replies to {len(kept)} training tasks is right: there is nothing to"
            " distil. Start from a stronger checkpoint, select easier tasks, raise replies.k or"
            " replies.tasks, or let the stage learn_from references."
        )
    logger.info(
        "%d replies to %d of %d tasks are right", len(verified), sum(map(bool, kept.values())), len(kept)
    )
    return verified
