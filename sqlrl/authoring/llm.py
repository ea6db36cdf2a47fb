"""The teacher that is a model: asks for some cells a prompt, and again, with the reason, for what was no good."""

import logging
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

from sqlrl.authoring.cells import Cell
from sqlrl.authoring.correspondent import Correspondent, LimitReached
from sqlrl.authoring.disclosure import Disclosure, shorten
from sqlrl.authoring.ledger import PaidReply
from sqlrl.authoring.llm_form import Reading, Written, read_reply
from sqlrl.authoring.llm_prompt import Need, Refusal, TeacherPrompt
from sqlrl.authoring.llm_settings import LlmSettings
from sqlrl.authoring.screen import Rejection
from sqlrl.authoring.teacher import Candidate
from sqlrl.errors import UserError
from sqlrl.progress import ProgressReport

logger = logging.getLogger(__name__)

# The questions among which repeats are counted; fewer prove nothing.
WATCHED = 100
REPEATS = ("duplicate_question", "duplicate_sql", "near_duplicate_question", "near_duplicate_of_template")
# Questions of a cell that a prompt lists, the latest.
LISTED = 40
# Characters of a refused question, of its SQL and of the reason that the next prompt repeats.
LONGEST_TOLD = 600

# None where a candidate may stay, else why not.
Check = Callable[[Candidate], Rejection | None]


@dataclass
class Progress:
    """How far one cell is: what it has, what ailed the last prompt, and prompts in a row without gain."""

    accepted: list[str] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    fault: str = ""
    barren: int = 0


class LlmTeacher:
    """Candidates from a model; see Teacher.

    What it asks is a function of the settings, the templates, the database and the replies so far, so that
    a run that was ended goes on with the replies that it has.

    Attributes:
        refused: questions and replies that were no good, by reason.
    """

    def __init__(
        self,
        prompt: TeacherPrompt,
        correspondent: Correspondent,
        disclosure: Disclosure,
        check: Check,
        settings: LlmSettings,
    ) -> None:
        """Ask through ``correspondent``; a candidate stays where ``check`` finds nothing."""
        self._prompt, self._correspondent = prompt, correspondent
        self._disclosure, self._check, self._settings = disclosure, check, settings
        self._cells: dict[Cell, Progress] = {}
        self._repeated: deque[bool] = deque(maxlen=WATCHED)
        self.refused: Counter[str] = Counter()

    def author(self, cells: Sequence[Cell], candidates_per_cell: int) -> Iterator[Candidate]:
        """Candidates as they are found, different questions, up to the number of each cell.

        Raises:
            UserError: nothing was found, too many repeat each other, the spending limit is reached, or
                the server does not answer; replies are kept.
        """
        self._cells = {cell: Progress() for cell in cells}
        with ProgressReport(len(cells) * candidates_per_cell, "authoring") as progress:
            for number in count(1):
                batches = self._batches(candidates_per_cell)
                if not batches:
                    break
                for batch, reply in zip(batches, self._ask(batches, number), strict=True):
                    for candidate in self._take(batch, reply, candidates_per_cell):
                        progress.advance(1, str(candidate.cell))
                        yield candidate
                self._refuse_repeats()
        self._require_some(candidates_per_cell)

    def first_prompt(self, cells: Sequence[Cell], candidates_per_cell: int) -> str:
        """The first prompt that would be sent, to read."""
        self._cells = {cell: Progress() for cell in cells}
        messages = self._prompt.write(self._batches(candidates_per_cell)[0])
        return "\n\n".join(message["content"] for message in messages)

    def _batches(self, quota: int) -> list[list[Need]]:
        """What the cells need that are still asked for; neighbours, much alike, come in different prompts."""
        needs = [
            Need(
                cell=cell,
                count=min(self._settings.batch.questions, quota - len(one.accepted)),
                accepted=tuple(one.accepted[-LISTED:]),
                refused=tuple(one.refused),
                fault=one.fault,
            )
            for cell, one in self._cells.items()
            if len(one.accepted) < quota and one.barren < self._settings.tries
        ]
        prompts = -(-len(needs) // self._settings.batch.cells)
        return [needs[start::prompts] for start in range(prompts)]

    def _ask(self, batches: Sequence[Sequence[Need]], number: int) -> list[PaidReply]:
        try:
            return self._correspondent.ask([self._prompt.write(batch) for batch in batches], number)
        except LimitReached as reached:
            raise UserError(
                f"{reached}. {self._say_state()} All replies are kept: raise the limit and run the same command "
                "again, and it goes on from there without paying for any twice."
            ) from None

    def _take(self, batch: Sequence[Need], reply: PaidReply, quota: int) -> Iterator[Candidate]:
        """Go through a reply cell by cell."""
        reading = read_reply(reply.text, reply.finish_reason == "length")
        for number, need in enumerate(batch, start=1):
            one = self._cells[need.cell]
            one.refused, one.fault = [], ""
            before = len(one.accepted)
            yield from self._take_cell(number, need.cell, reading, quota)
            if not any(written.cell == number for written in reading.written):
                self.refused[reading.fault] += 1
                one.fault = self._disclosure.explain_fault(reading.fault)
            one.barren = 0 if len(one.accepted) > before else one.barren + 1
            if one.barren == self._settings.tries:
                why = one.fault or "; ".join(dict.fromkeys(refusal.why for refusal in one.refused))
                logger.info("%s: given up with %d questions: %s", need.cell, len(one.accepted), why)

    def _take_cell(self, number: int, cell: Cell, reading: Reading, quota: int) -> Iterator[Candidate]:
        one = self._cells[cell]
        for written in reading.written:
            if written.cell != number or len(one.accepted) == quota:
                continue
            candidate = _candidate(cell, written)
            rejection = self._check(candidate)
            self._repeated.append(rejection is not None and rejection.reason in REPEATS)
            if rejection:
                self.refused[rejection.reason] += 1
                said = (written.question, written.sql, self._disclosure.explain(rejection))
                one.refused.append(Refusal(*(shorten(text, LONGEST_TOLD) for text in said)))
            else:
                one.accepted.append(written.question)
                yield candidate

    def _refuse_repeats(self) -> None:
        """Stop where the model mostly repeats what was asked: more of it would be paid for and refused."""
        if len(self._repeated) < WATCHED:
            return
        share, limit = sum(self._repeated) / WATCHED, self._settings.duplicates_limit
        if share > limit:
            raise UserError(
                f"{share:.0%} of the last {WATCHED} questions repeat what was asked before, over "
                f"authoring.duplicates_limit = {limit:g}, so no more are asked for. {self._say_state()} All replies "
                f"are kept and cost nothing again. Set authoring.quota to {self._common_quota()} to go on with about "
                "what there is, or raise the limit, ask another model, or a higher temperature."
            )

    def _common_quota(self) -> int:
        """A number of questions that nine cells in ten have."""
        found = sorted(len(one.accepted) for one in self._cells.values())
        return max(1, found[len(found) // 10])

    def _require_some(self, quota: int) -> None:
        found = [len(one.accepted) for one in self._cells.values()]
        short = sum(1 for number in found if number < quota)
        if short:
            logger.info("%d of %d cells have fewer than %d questions", short, len(found), quota)
        if not any(found):
            raise UserError(
                f"{self._say_state()} All replies are kept in the work folder, to read what was said; "
                "ask a model that is better at SQL, or one that can be held to a form."
            )

    def _say_state(self) -> str:
        found = [len(one.accepted) for one in self._cells.values()]
        filled = sum(1 for number in found if number)
        common = ", ".join(f"{number} {reason}" for reason, number in self.refused.most_common(4))
        return (
            f"{sum(found):,} questions were accepted so far, in {filled} of {len(found)} cells"
            f"{f' (refused: {common})' if common else ''}."
        )


def _candidate(cell: Cell, written: Written) -> Candidate:
    return Candidate(cell.archetype, cell.difficulty, cell.style, written.question, written.sql)
