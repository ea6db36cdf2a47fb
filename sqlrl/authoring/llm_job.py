"""Authoring by a model behind an API, on the main database."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlrl.authoring.authored import Asked, Authored, AuthoringSummary, count_cells
from sqlrl.authoring.cells import all_cells
from sqlrl.authoring.correspondent import Correspondent
from sqlrl.authoring.disclosure import Disclosure
from sqlrl.authoring.instances import Instances, open_instances
from sqlrl.authoring.ledger import Ledger
from sqlrl.authoring.llm import Check, LlmTeacher
from sqlrl.authoring.llm_form import FORM
from sqlrl.authoring.llm_prompt import TeacherPrompt
from sqlrl.authoring.llm_settings import LlmSettings
from sqlrl.authoring.screen import Rejection, Screen
from sqlrl.authoring.spending import Purse, SpendingLimit
from sqlrl.authoring.teacher import Candidate
from sqlrl.database.files import MAIN, database_of
from sqlrl.files import digest_file, write_text
from sqlrl.models.folder import ModelManifest
from sqlrl.models.server import ServerSettings
from sqlrl.sampling.asking import Asking
from sqlrl.sampling.clients import open_client

logger = logging.getLogger(__name__)

FIRST_PROMPT = "first_prompt.md"


@dataclass(frozen=True)
class Assignment:
    """What a model is to write about, and with what.

    Attributes:
        model, server: who is asked, and how.
        templates: of the prompts.
        dump: of main.
        notes: what its data mean.
        work: where replies are kept.
        limit: what all may cost.
    """

    model: ModelManifest
    server: ServerSettings
    templates: Sequence[Path]
    dump: Path
    notes: Path
    work: Path
    limit: SpendingLimit


def author_with_model(kind: str, task: Assignment, settings: LlmSettings) -> Authored:
    """Fill every cell from a model.

    Args:
        kind: the source of the model, openai or anthropic.
        task: see Assignment.
        settings: see LlmSettings.

    Raises:
        UserError: see LlmTeacher.author; what was paid for is kept.
    """
    cells = all_cells()
    purse = Purse(task.limit, task.server.price)
    client, endpoint = open_client(kind, task.model, task.server)
    asking = Asking(endpoint, task.server)
    ledger = Ledger(task.work)
    correspondent = Correspondent(client, asking, task.model, settings, ledger, purse, FORM)
    try:
        with open_instances({MAIN: task.dump}, settings.checks.statement_timeout_seconds) as instances:
            disclosure = Disclosure(instances, settings.may_see)
            shown = disclosure.show()
            prompt = TeacherPrompt(task.templates, task.dump, task.notes, shown, settings.checks)
            check = make_check(instances, task.dump, settings)
            teacher = LlmTeacher(prompt, correspondent, disclosure, check, settings)
            write_text(task.work / FIRST_PROMPT, teacher.first_prompt(cells, settings.quota))
            logger.info("%s: the first prompt as it is sent to %s", task.work / FIRST_PROMPT, endpoint)
            candidates = tuple(teacher.author(cells, settings.quota))
    finally:
        client.close()
        _log_cost(correspondent)
    asked = Asked(
        model=task.model.name,
        model_id=task.model.origin["id"],
        model_digest=task.model.digest,
        prompt=prompt.digest,
        may_see=settings.may_see,
        requests=correspondent.counts.requests,
        prompt_tokens=purse.spent.prompt_tokens,
        cached_tokens=correspondent.counts.cached_tokens,
        reply_tokens=purse.spent.reply_tokens,
        refused=dict(sorted(teacher.refused.items())),
    )
    summary = AuthoringSummary("llm", len(candidates), count_cells(candidates, cells), asked)
    return Authored(candidates, summary, asked.requests, asked.prompt_tokens, asked.reply_tokens, purse.money)


def make_check(instances: Instances, dump: Path, settings: LlmSettings) -> Check:
    """What a candidate must pass at once: all that screening asks, but on main alone."""
    screen = Screen(
        database_of(dump), digest_file(dump), instances, settings.checks.screening(settings.quota)
    )

    def check(candidate: Candidate) -> Rejection | None:
        found = next(iter(screen.screen([candidate])))
        return found if isinstance(found, Rejection) else None

    return check


def _log_cost(correspondent: Correspondent) -> None:
    counts, purse = correspondent.counts, correspondent.purse
    logger.info(
        "%d requests, %d of them now; %d tokens of prompts (%d from the server's cache), %d of replies; %s",
        counts.requests,
        counts.made_now,
        purse.spent.prompt_tokens,
        counts.cached_tokens,
        purse.spent.reply_tokens,
        "price unknown" if purse.money is None else f"{purse.money:.4f} USD",
    )
