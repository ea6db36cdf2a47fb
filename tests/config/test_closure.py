"""The digest of a script's code: what changes it, and what does not."""

from pathlib import Path

import pytest

from sqlrl.config.closure import closure, code_digest


@pytest.fixture
def project(tmp_path: Path) -> Path:
    files = {
        "scripts/__init__.py": "",
        "sqlrl/__init__.py": "",
        "sqlrl/deep/__init__.py": "",
        "scripts/score.py": "from sqlrl.near import judge\n\n\ndef main():\n    return judge()\n",
        "sqlrl/near.py": '"""Near."""\nfrom sqlrl.deep import far\n\n\ndef judge():\n    return far.compare(1)\n',
        "sqlrl/deep/far.py": "def compare(x):\n    # why\n    return x + 1\n",
        "sqlrl/other.py": "VALUE = 1\n",
        "sqlrl/engine.py": (
            "def open_engine(kind):\n"
            "    if kind == 'a':\n"
            "        from sqlrl.engine_a import A\n"
            "        return A\n"
            "    elif kind == 'b':\n"
            "        from sqlrl.engine_b import B\n"
            "        return B\n"
            "    raise ValueError(kind)\n"
        ),
        "sqlrl/engine_a.py": "A = 1\n",
        "sqlrl/engine_b.py": "B = 1\n",
        "scripts/sample.py": "def main():\n    from sqlrl.engine import open_engine\n    open_engine('a')\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def edited(project: Path, tmp_path_factory: pytest.TempPathFactory, name: str, old: str, new: str) -> Path:
    """A copy of the project with one replacement in one file."""
    copy = tmp_path_factory.mktemp("edited")
    for file in project.rglob("*.py"):
        target = copy / file.relative_to(project)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = file.read_text()
        if file.relative_to(project).as_posix() == name:
            assert old in text
            text = text.replace(old, new)
        target.write_text(text)
    return copy


def test_the_closure_follows_imports_of_imports_and_leaves_out_the_rest(project):
    assert closure(project, "scripts/score.py") == [
        "scripts.score",
        "sqlrl.deep",
        "sqlrl.deep.far",
        "sqlrl.near",
    ]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("sqlrl/deep/far.py", "# why", "# because"),
        ("sqlrl/deep/far.py", "x + 1", "x  +  1"),
        ("sqlrl/near.py", '"""Near."""', '"""Quite near."""'),
        ("sqlrl/other.py", "1", "2"),
    ],
)
def test_comments_formatting_docstrings_and_other_modules_change_nothing(
    project, tmp_path_factory, name, old, new
):
    changed = edited(project, tmp_path_factory, name, old, new)
    assert code_digest(changed, "scripts/score.py") == code_digest(project, "scripts/score.py")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("sqlrl/deep/far.py", "x + 1", "x + 2"),
        ("sqlrl/deep/far.py", "def compare(x)", "def compare(x, y=None)"),
        ("sqlrl/near.py", "compare(1)", "compare(1.0)"),
        ("scripts/score.py", "return judge()", "judge()"),
    ],
)
def test_a_changed_statement_anywhere_in_the_closure_changes_the_digest(
    project, tmp_path_factory, name, old, new
):
    changed = edited(project, tmp_path_factory, name, old, new)
    assert code_digest(changed, "scripts/score.py") != code_digest(project, "scripts/score.py")


def test_only_the_chosen_branch_counts(project, tmp_path_factory):
    changed = edited(project, tmp_path_factory, "sqlrl/engine_b.py", "B = 1", "B = 2")
    assert "sqlrl.engine_b" not in closure(project, "scripts/sample.py", {"kind": "a"})
    for kind, same in (("a", True), ("b", False)):
        before = code_digest(project, "scripts/sample.py", {"kind": kind})
        assert (code_digest(changed, "scripts/sample.py", {"kind": kind}) == before) is same


def test_a_new_branch_leaves_the_others_as_they_were(project, tmp_path_factory):
    branch = "    elif kind == 'c':\n        from sqlrl.other import VALUE\n        return VALUE\n    raise"
    changed = edited(project, tmp_path_factory, "sqlrl/engine.py", "    raise", branch)
    before = code_digest(project, "scripts/sample.py", {"kind": "a"})
    assert code_digest(changed, "scripts/sample.py", {"kind": "a"}) == before
