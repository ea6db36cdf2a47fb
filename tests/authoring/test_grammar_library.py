"""What grammars share is part of the code of a script that loads them."""

from pathlib import Path
from types import ModuleType

from sqlrl.authoring.grammar import library
from sqlrl.config.closure import closure

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "sqlrl" / "authoring" / "grammar"


def test_the_library_names_every_shared_module():
    named = {name for name, value in vars(library).items() if isinstance(value, ModuleType)}
    assert named == {file.stem for file in FOLDER.glob("*.py")} - {"__init__", "library"}


def test_a_changed_shared_module_changes_the_digest_of_authoring():
    known = closure(ROOT, "scripts/author_tasks.py")
    assert {f"sqlrl.authoring.grammar.{file.stem}" for file in FOLDER.glob("*.py")} - set(known) == {
        "sqlrl.authoring.grammar.__init__"
    }
