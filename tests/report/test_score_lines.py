"""Score files of any origin, and what is said of those that are none."""

import json

import pytest

from sqlrl.errors import UserError
from sqlrl.records import to_line
from sqlrl.report.score_lines import ScoreLine, read_groups, read_lines
from sqlrl.verifier.reward import Score
from tests.report.small import make_verdict


def written(path, *lines):
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return path


@pytest.mark.parametrize(
    ("verdict", "right", "ran"),
    [
        ("match", True, True), ("wrong", False, True), ("error", False, False), (" Match ", True, True),
        (True, True, None), (False, False, None), (1, True, None), (0, False, None), (1.0, True, None),
    ],
)  # fmt: skip
def test_a_verdict_is_a_word_or_a_number(tmp_path, verdict, right, ran):
    path = written(tmp_path / "a.jsonl", {"task_id": "a", "sample": 0, "verdict": verdict, "reply": "..."})
    assert read_lines(path) == [ScoreLine("a", 0, right, ran)]


@pytest.mark.parametrize(
    ("letter", "databases", "right", "ran"),
    [("R", "main", True, True), ("L", "main", True, True), ("L", "all", False, True), ("X", "main", False, False)],
)  # fmt: skip
def test_our_own_score_files_are_taken_as_they_are(tmp_path, letter, databases, right, ran):
    (tmp_path / "own.jsonl").write_text(to_line(Score("a", 3, make_verdict(letter))))
    assert read_lines(tmp_path / "own.jsonl", databases) == [ScoreLine("a", 3, right, ran)]


def test_a_csv_has_the_same_columns(tmp_path):
    text = "\ufefftask_id,sample,verdict,template,note\n7,0,match,t,\n7,1,False,t,\n8,0,1.0,,x\n"
    (tmp_path / "a.csv").write_text(text)
    assert read_lines(tmp_path / "a.csv") == [
        ScoreLine("7", 0, True, True, "t"),
        ScoreLine("7", 1, False, None, "t"),
        ScoreLine("8", 0, True, None),
    ]


def test_a_cluster_is_a_template_by_another_name(tmp_path):
    line = {"task_id": 5, "sample": 0, "verdict": 1, "cluster": 12, "database": "shop"}
    assert read_lines(written(tmp_path / "a.jsonl", line)) == [ScoreLine("5", 0, True, None, "12", "shop")]


GOOD = {"task_id": "a", "sample": 0, "verdict": "match"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"task_id": "a", "sample": 0', "not JSON"),
        ('["a", 0, "match"]', "expected an object"),
        ({**GOOD, "verdict": "passed"}, "verdict is 'passed'; expected match, wrong, error"),
        ({**GOOD, "verdict": 0.1}, "verdict is 0.1"),
        ({**GOOD, "verdict": float("nan")}, "verdict is nan"),
        ({**GOOD, "verdict": {"reward": 1.0}}, "Verdict needs 'sql'"),
        ({**GOOD, "sample": -1}, "sample is -1"),
        ({**GOOD, "sample": float("nan")}, "sample is nan"),
        ({**GOOD, "sample": True}, "sample is True"),
        ({**GOOD, "task_id": ["a"]}, "task_id is"),
        ({"task_id": "a", "verdict": "match"}, "sample is missing"),
        ({"sample": 0, "verdict": "match"}, "task_id is missing"),
    ],
)  # fmt: skip
def test_a_line_that_is_no_score_is_named_by_file_and_line(tmp_path, line, message):
    path = written(tmp_path / "a.jsonl", GOOD, "", line)
    with pytest.raises(UserError, match=r"a\.jsonl:3: .*") as caught:
        read_lines(path)
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_a_file_without_a_line_says_so(tmp_path, text):
    (tmp_path / "a.jsonl").write_text(text)
    with pytest.raises(UserError, match=r"a\.jsonl: no scores in it; expected one line a sample"):
        read_lines(tmp_path / "a.jsonl")


def test_a_csv_with_a_ragged_line_is_named_by_file_and_line(tmp_path):
    (tmp_path / "a.csv").write_text("task_id,sample,verdict\na,0,match\nb,1\n")
    with pytest.raises(UserError, match=r"a\.csv:3: has another number of columns"):
        read_lines(tmp_path / "a.csv")


def test_what_is_no_file_says_so(tmp_path):
    with pytest.raises(UserError, match="no such file"):
        read_lines(tmp_path / "a.jsonl")
    with pytest.raises(UserError, match=r"a folder; name the score files in it, such as .*/\*\.jsonl"):
        read_lines(tmp_path)
    (tmp_path / "b.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match="not a UTF-8 text"):
        read_lines(tmp_path / "b.jsonl")


def test_a_task_file_names_templates(tmp_path):
    lines = ({"id": "a", "template": "t", "database": "shop"}, {"task_id": "b"})
    assert read_groups(written(tmp_path / "t.jsonl", *lines)) == {"a": ("t", "shop"), "b": (None, None)}
    with pytest.raises(UserError, match=r"t\.jsonl:1: a task needs an id"):
        read_groups(written(tmp_path / "t.jsonl", {"template": "t"}))
