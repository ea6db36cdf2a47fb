"""What tests of a grammar ask of its drafts, whoever wrote the grammar."""

import re
from collections.abc import Sequence

from sqlrl.authoring.cells import all_cells
from sqlrl.authoring.offline import AuthoringSettings, OfflineTeacher
from sqlrl.authoring.screen import ScreeningSettings
from sqlrl.authoring.statement import Statement
from sqlrl.authoring.teacher import Candidate, Grammar

SCREENING = ScreeningSettings(
    kept_per_cell=12,
    tasks_per_template=8,
    minimum_tasks=900,
    minimum_templates=250,
    maximum_template_share=0.03,
    maximum_rows=50,
    maximum_question_words=60,
    question_similarity=0.9,
    template_similarity=0.8,
    statement_timeout_seconds=5.0,
)
# What data can do to a good draft, and what other drafts can; every other reason is a fault of the grammar.
DATA_REASONS = {
    "no_rows",
    "too_many_rows",
    "empty_like",
    "rounding_edge",
    "tie_cut",
    "idle_limit",
    "constant",
}
DUPLICATES = {"near_duplicate_question", "near_duplicate_of_template", "cell_full", "template_full"}
# What no person writes.
MARKS_OF_A_MACHINE = (
    r"[{}~]",
    r"\s\s",
    r"\s[,.?;:]",
    r"[,;:] ?[.?]",
    r"\.\.(?!\.)",
    r"\b(\w+) \1\b",
    r"\ba [aeio]\w",
    r"\ball all\b|\bthe the\b|of each of of",
    r"\bNone\b|\bTrue\b|\bFalse\b",
    r"\d\d\d\d-\d\d-\d\d 00",
)
SORTED = re.compile(r"(highest|lowest|latest|earliest|newest|oldest) first|order by")
# Literals of SQL that its own forms have, and no question names.
OF_THE_FORM = {"0", "1", "2", "100", "100.0", "1.0", "0.5", "month", "quarter", "year", "isodow"}


def author(grammar: Grammar, candidates: int, seed: int) -> list[Candidate]:
    """So many drafts of every cell."""
    settings = AuthoringSettings("offline", seed, candidates, structures=40)
    return list(OfflineTeacher(grammar, settings).author(all_cells(), candidates))


def assert_sentences(candidates: Sequence[Candidate], start: str) -> None:
    """All but the terse begin as ``start`` says and end as sentences do."""
    for one in candidates:
        if one.style != "terse":
            assert re.match(rf"{start}.*[.?]$", one.question), one.question
            assert not re.search(r"[.?] [a-z]", one.question), one.question


def assert_sorted_where_asked(candidates: Sequence[Candidate]) -> None:
    """The SQL sorts where and only where the question asks for it."""
    for one in candidates:
        is_sorted = bool(Statement.parse(one.reference_sql).past_limit())
        assert is_sorted == bool(SORTED.search(one.question)), one


def assert_literals_said(candidates: Sequence[Candidate], ignored: set[str]) -> None:
    """Literals of the SQL stand in the question, but those of the SQL's own forms and ``ignored``."""
    for one in candidates:
        said = one.question.casefold()
        for literal in Statement.parse(one.reference_sql).literals - OF_THE_FORM - ignored:
            if not re.fullmatch(r"\d\d|20\d\d", literal):  # parts of dates, written out in the question
                assert literal in said or literal in ("3", "4"), one
