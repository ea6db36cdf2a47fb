"""Small files in a stage's work folder for whoever watches it train: no product, and nothing reads them back."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlrl.database.files import MAIN
from sqlrl.files import write_json, write_text
from sqlrl.records import to_dict, to_line
from sqlrl.sampling.sampler import Reply
from sqlrl.verifier.reward import Verdict

PLAN, LATEST = "plan.json", "latest_replies.jsonl"
SHOWN = 6
CHARACTERS = 600


@dataclass(frozen=True)
class Plan:
    """What a stage is about to do: its kind, and how many optimizer steps."""

    kind: str
    steps: int


@dataclass(frozen=True)
class ShownReply:
    """One reply that a step trains on.

    Attributes:
        step: the optimizer step, from 1.
        task_id: of its task.
        text: the reply's beginning.
        verdict: on main: match, wrong or error.
        reason: of the verdict.
        reward: that was paid.
    """

    step: int
    task_id: str
    text: str
    verdict: str
    reason: str
    reward: float


def write_plan(folder: Path, plan: Plan) -> None:
    """Say what the stage is about to do."""
    write_json(folder / PLAN, to_dict(plan))


def show_replies(folder: Path, step: int, replies: Sequence[Reply], verdicts: Sequence[Verdict]) -> None:
    """Show a few replies of a step, evenly spread over all, in place of those of the step before.

    Args:
        folder: the stage's work folder.
        step: from 1.
        replies: of the step, group by group.
        verdicts: theirs, in the same order.
    """
    every = -(-len(replies) // SHOWN)
    chosen = list(zip(replies, verdicts, strict=True))[::every]
    shown = [
        ShownReply(
            step,
            reply.task_id,
            reply.text[:CHARACTERS],
            verdict.outcomes[MAIN].verdict,
            verdict.outcomes[MAIN].reason,
            verdict.reward,
        )
        for reply, verdict in chosen
    ]
    write_text(folder / LATEST, "".join(map(to_line, shown)))
