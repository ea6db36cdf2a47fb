"""Lets a model behind an API answer questions without their references; each reply is paid for once."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlrl.authoring.correspondent import Correspondent, LimitReached
from sqlrl.authoring.ledger import Ledger, PaidReply
from sqlrl.authoring.spending import Purse, SpendingLimit
from sqlrl.authoring.split import PARTS, SplitSettings, part_of
from sqlrl.authoring.task import Task
from sqlrl.errors import UserError
from sqlrl.models.folder import ModelManifest
from sqlrl.models.prompt import Prompt
from sqlrl.models.server import ServerSettings
from sqlrl.progress import ProgressReport
from sqlrl.sampling.asking import Asking
from sqlrl.sampling.clients import open_client
from sqlrl.sampling.rollouts import RolloutSettings
from sqlrl.sampling.sampler import Reply

logger = logging.getLogger(__name__)

# Questions that are asked before progress is told.
PIECE = 64


@dataclass(frozen=True)
class SolvingSettings:
    """Which questions are asked, and how replies are drawn.

    Attributes:
        parts: of the split; all tasks where all three are named.
        split: shares of the split, where not all parts are named.
        k: replies to each question.
        temperature, max_tokens, batch_size, seed: see RolloutSettings.
    """

    parts: tuple[str, ...]
    split: SplitSettings | None
    k: int
    temperature: float
    max_tokens: int
    batch_size: int
    seed: int

    @property
    def drawn(self) -> RolloutSettings:
        """The same for samplers."""
        return RolloutSettings(self.k, self.temperature, 1.0, self.max_tokens, self.batch_size, self.seed)

    def choose(self, tasks: Sequence[Task]) -> list[Task]:
        """The tasks that are asked. Raises UserError where there is none."""
        if self.split is None:
            return list(tasks)
        split = self.split
        split.check()
        chosen = [task for task in tasks if part_of(task.id, split) in self.parts]
        if not chosen:
            raise UserError(
                f"review.parts is {list(self.parts)}: no task lies there. Parts: {', '.join(PARTS)}."
            )
        return chosen


def ask_solver(
    kind: str,
    model: ModelManifest,
    server: ServerSettings,
    thinking: bool | None,
    prompts: Sequence[Prompt],
    settings: SolvingSettings,
    limit: SpendingLimit,
    work: Path,
) -> tuple[list[Reply], Purse]:
    """k replies to each prompt, and what they cost.

    A reply that is in ``work`` is not asked for again, whatever else changed since.

    Args:
        kind: the source of the model, openai or anthropic.
        model, server: who is asked, and how.
        thinking: the chat template's switch.
        prompts: with their messages.
        settings: see SolvingSettings.
        limit: what all may cost, earlier runs included.
        work: where replies are kept.

    Raises:
        UserError: the limit is reached, or the server does not answer; what landed is kept.
    """
    purse = Purse(limit, server.price, "review")
    client, endpoint = open_client(kind, model, server, thinking)
    asking = Asking(endpoint, server)
    correspondent = Correspondent(client, asking, model, settings, Ledger(work), purse, thinking=thinking)
    replies: dict[tuple[str, int], Reply] = {}
    try:
        with ProgressReport(len(prompts) * settings.k, "replies") as progress:
            for sample in range(settings.k):
                for start in range(0, len(prompts), PIECE):
                    piece = prompts[start : start + PIECE]
                    paid = correspondent.ask([prompt.messages for prompt in piece], sample)
                    for prompt, one in zip(piece, paid, strict=True):
                        replies[prompt.key, sample] = _reply(prompt, sample, one)
                    progress.advance(len(piece))
    except LimitReached as reached:
        raise UserError(
            f"{reached}. All replies are kept: raise the limit and run the same command again, and only what is "
            "missing is asked for; or ask about fewer parts, with a smaller k, or set review.solver to null."
        ) from None
    finally:
        client.close()
        logger.info("solver: %d requests made now; %s", correspondent.counts.made_now, purse.say(purse.spent))
    return [replies[prompt.key, sample] for prompt in prompts for sample in range(settings.k)], purse


def _reply(prompt: Prompt, sample: int, paid: PaidReply) -> Reply:
    return Reply(
        task_id=prompt.key,
        sample=sample,
        text=paid.text,
        token_ids=(),
        logprobs=(),
        finish_reason=paid.finish_reason,
        prompt_tokens=paid.prompt_tokens,
        reply_tokens=paid.reply_tokens,
    )
