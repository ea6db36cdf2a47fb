import pytest

from sqlrl.authoring.cells import all_cells
from sqlrl.authoring.offline import AuthoringSettings, OfflineTeacher, finish, load_grammar
from sqlrl.authoring.teacher import Draft
from sqlrl.errors import UserError
from tests.authoring.small import GRAMMAR, write_grammar

SETTINGS = AuthoringSettings(teacher="offline", seed=1, candidates_per_cell=6, structures=5)
CELLS = all_cells()


def ask(query: str) -> list[tuple[str]]:
    return [("book",), ("tool",), ("toy",)]


@pytest.fixture
def grammar(tmp_path):
    return load_grammar(write_grammar(tmp_path / "small" / "grammar"), ask)


def test_every_cell_gets_its_candidates_and_no_question_or_sql_twice(grammar):
    candidates = list(OfflineTeacher(grammar, SETTINGS).author(CELLS[:8], 6))
    assert [candidate.cell for candidate in candidates] == [cell for cell in CELLS[:8] for _ in range(6)]
    assert len({candidate.question for candidate in candidates}) == 48
    assert len({candidate.reference_sql for candidate in candidates}) == 48


def test_a_cell_is_the_same_whatever_else_is_authored(grammar):
    alone = list(OfflineTeacher(grammar, SETTINGS).author(CELLS[:1], 6))
    among = list(OfflineTeacher(grammar, SETTINGS).author(CELLS[:9], 6))
    assert among[:6] == alone


def test_another_seed_writes_other_questions(grammar):
    one = list(OfflineTeacher(grammar, SETTINGS).author(CELLS[:2], 6))
    other = AuthoringSettings(teacher="offline", seed=2, candidates_per_cell=6, structures=5)
    assert list(OfflineTeacher(grammar, other).author(CELLS[:2], 6)) != one


def test_a_grammar_that_runs_dry_gives_what_it_has(grammar, caplog):
    caplog.set_level("INFO")
    grammar.kinds = ["toy"]
    candidates = list(OfflineTeacher(grammar, SETTINGS).author(CELLS[:1], 13_000))
    assert 6000 < len(candidates) < 12_001  # 3 columns x 40 x 100 numbers
    assert f"{CELLS[0]}: the grammar gave only {len(candidates)} candidates" in caplog.text


def test_a_draft_that_does_not_fit_is_drawn_again(tmp_path):
    text = GRAMMAR.replace(
        "        column =",
        "        draw.structure.pick(range(draw.structure.below(2)))\n        column =",
    )
    grammar = load_grammar(write_grammar(tmp_path / "grammar", text), ask)
    assert len(list(OfflineTeacher(grammar, SETTINGS).author(CELLS[:1], 6))) == 6


@pytest.mark.parametrize(
    ("style", "question"), [("casual", "How many? Just one."), ("terse", "how many ? just one.")]
)
def test_all_but_the_terse_write_sentences(style, question):
    cell = next(cell for cell in CELLS if cell.style == style)
    assert finish(cell, Draft("how many ?  just one.", "SELECT 1")).question == question


def test_files_of_a_grammar_that_were_not_named_are_missed(tmp_path):
    files = write_grammar(tmp_path / "grammar")
    (tmp_path / "grammar" / "more.py").write_text("")
    with pytest.raises(UserError, match=r"more\.py is part of the grammar but was not named"):
        load_grammar(files, ask)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\n", "needs the function open_grammar"),
        ("def open_grammar(:\n", "can't be loaded"),
        ("from .gone import x\n", "can't be loaded"),
    ],
)
def test_what_is_no_grammar_is_said_clearly(tmp_path, text, message):
    with pytest.raises(UserError, match=message):
        load_grammar(write_grammar(tmp_path / "grammar", text), ask)


def test_two_grammars_can_be_open_at_once(tmp_path):
    one = load_grammar(write_grammar(tmp_path / "one" / "grammar"), ask)
    write_grammar(tmp_path / "two" / "grammar", GRAMMAR.replace("MAX", "MIN"))
    two = load_grammar(sorted((tmp_path / "two" / "grammar").glob("*.py")), ask)
    written = [
        next(OfflineTeacher(one_of, SETTINGS).author(CELLS[:1], 1)).reference_sql for one_of in (one, two)
    ]
    assert [sql[7:10] for sql in written] == ["MAX", "MIN"]
