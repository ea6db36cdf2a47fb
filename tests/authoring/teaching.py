"""A model that writes questions over the small database: what it is asked, and what it answers."""

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlrl.authoring.cells import Cell, all_cells
from sqlrl.authoring.correspondent import Correspondent
from sqlrl.authoring.disclosure import Disclosure
from sqlrl.authoring.instances import Instances
from sqlrl.authoring.ledger import Ledger
from sqlrl.authoring.llm import LlmTeacher
from sqlrl.authoring.llm_form import FORM
from sqlrl.authoring.llm_job import make_check
from sqlrl.authoring.llm_prompt import CELLS, RULES, TeacherPrompt
from sqlrl.authoring.llm_settings import Batch, Checks, LlmSettings
from sqlrl.authoring.spending import Purse, SpendingLimit
from sqlrl.authoring.teacher import Candidate
from sqlrl.models.folder import ModelManifest
from sqlrl.models.server import Price, ServerSettings
from sqlrl.sampling.asking import Asking
from sqlrl.sampling.clients import open_client
from tests.answering_server import AnsweringServer

ROOT = Path(__file__).parents[2]
TEMPLATES = [ROOT / "sqlrl/authoring" / name for name in (RULES, CELLS)]
NOTES = "# What the items mean\n\n- stock is NULL where nobody counted.\n"
CHECKS = Checks(
    tasks_per_template=1000,
    maximum_rows=50,
    maximum_question_words=40,
    question_similarity=1.0,
    template_similarity=1.0,
    statement_timeout_seconds=2.0,
)
SETTINGS = LlmSettings(
    seed=1,
    may_see="schema",
    batch=Batch(2, 2),
    quota=2,
    tries=2,
    temperature=1.0,
    max_tokens=500,
    duplicates_limit=0.4,
    checks=CHECKS,
)
SERVER = ServerSettings("FAR_KEY", concurrency=4, tokens_per_second=1000.0, retries=3, price=None)
PRICE = Price(2.0, 10.0)
# Six cells: three prompts of two.
SOME = all_cells()[:6]
ASKED = re.compile(r"^## Cell (\d+): (.+)\n\n- Questions: (\d+)", re.MULTILINE)


@dataclass(frozen=True)
class WantedCell:
    """A cell as a prompt asks for it: its number there, its name, how many questions, and all its lines."""

    number: int
    name: str
    count: int
    lines: str


def wanted_cells(prompt: str) -> list[WantedCell]:
    """What a prompt asks for."""
    found = list(ASKED.finditer(prompt))
    ends = [*(one.start() for one in found[1:]), len(prompt)]
    return [
        WantedCell(int(one[1]), one[2], int(one[3]), prompt[one.end() : end])
        for one, end in zip(found, ends, strict=True)
    ]


def good_question(name: str, place: int) -> dict[str, str]:
    """A question that no other cell or place asks, with an SQL that the data decide."""
    mark = hashlib.sha256(f"{name} {place}".encode()).hexdigest()[:8]
    return {
        "question": f"{name}: what is the highest price plus {int(mark, 16)}, called {mark}?",
        "sql": f"SELECT max(price) + {int(mark, 16)} FROM items",
    }


def good_reply(
    prompt: str, change: Callable[[WantedCell, dict[str, Any]], Any] = lambda cell, one: one
) -> str:
    """Good questions for all cells of a prompt; ``change`` may spoil each."""
    written = []
    for cell in wanted_cells(prompt):
        had = len(re.findall(r'^  - (?!")', cell.lines, re.MULTILINE))
        for place in range(had, had + cell.count):
            written.append(change(cell, {"cell": cell.number, **good_question(cell.name, place)}))
    return json.dumps({"questions": [one for one in written if one]})


@dataclass(frozen=True)
class Desk:
    """A teacher with what it needs; each ``author`` is as a job of its own that goes on from the same folder."""

    folder: Path
    dump: Path
    instances: Instances
    server: AnsweringServer
    kind: str

    @property
    def replies(self) -> Path:
        return self.folder / "teacher" / "replies.jsonl"

    def open(
        self,
        settings: LlmSettings = SETTINGS,
        limit: SpendingLimit | None = None,
        price: Price | None = None,
        **asked: Any,
    ) -> tuple[LlmTeacher, Correspondent]:
        """A teacher, and what asks for it."""
        origin = {"id": "big", "base_url": self.server.address(self.kind)}
        model = ModelManifest("far", {}, "0" * 64, self.kind, origin, {})
        server = replace(SERVER, price=price, **asked)
        client, endpoint = open_client(self.kind, model, server)
        purse = Purse(limit or SpendingLimit(None, 10_000_000), price)
        ledger = Ledger(self.folder / "teacher")
        correspondent = Correspondent(client, Asking(endpoint, server), model, settings, ledger, purse, FORM)
        disclosure = Disclosure(self.instances, settings.may_see)
        notes = self.folder / "notes.md"
        notes.write_text(NOTES)
        prompt = TeacherPrompt(TEMPLATES, self.dump, notes, disclosure.show(), settings.checks)
        check = make_check(self.instances, self.dump, settings)
        return LlmTeacher(prompt, correspondent, disclosure, check, settings), correspondent

    def author(
        self, settings: LlmSettings = SETTINGS, cells: Sequence[Cell] = SOME, **more: Any
    ) -> list[Candidate]:
        """Candidates for some cells."""
        teacher, _ = self.open(settings, **more)
        return list(teacher.author(cells, settings.quota))

    @property
    def prompts(self) -> list[str]:
        """What was asked, the part after the rules, in the order of the server."""
        return [one.question for one in self.server.state.asked]
