"""How a script ends: well, with one message for bad input, or with a traceback for a fault."""

import errno
import importlib
import logging
from pathlib import Path

import pytest

from scripts.arguments import make_parser, run_script
from sqlrl.errors import UserError

SCRIPTS = sorted(
    path.stem for path in Path("scripts").glob("*.py") if "def make_arguments" in path.read_text()
)

BY_HAND = {"delta", "import_tasks", "watch"}  # they belong to no step of a run


def test_bad_input_is_one_message_and_exit_code_2(capsys):
    def main(_):
        raise UserError("tasks.jsonl:3: unknown key 'x'.")

    assert run_script(main, make_parser("A script."), []) == 2
    assert capsys.readouterr().err.strip() == "error: tasks.jsonl:3: unknown key 'x'."


def test_a_full_disk_is_said_in_one_message(capsys):
    def main(_):
        raise OSError(errno.ENOSPC, "No space left on device", "results/x.jsonl")

    assert run_script(main, make_parser("A script."), []) == 2
    assert "no space left on the disk while writing results/x.jsonl" in capsys.readouterr().err


def test_a_fault_of_the_program_keeps_its_traceback():
    def main(_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_script(main, make_parser("A script."), [])


def test_the_log_goes_to_the_file_that_is_named(tmp_path):
    log = tmp_path / "logs" / "x.log"
    run_script(
        lambda _: logging.getLogger("sqlrl").info("hello"), make_parser("A script."), ["--log", str(log)]
    )
    assert "hello" in log.read_text()


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_script_explains_itself(name, capsys):
    parser = importlib.import_module(f"scripts.{name}").make_arguments()
    text = parser.format_help()
    assert parser.description
    assert ("--run NAME" in text) == (name not in BY_HAND)
    undocumented = [action.dest for action in parser._actions if not action.help]
    assert undocumented == []
