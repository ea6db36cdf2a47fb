"""Frozen tasks: read as they are, checked line by line, and never overwritten."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sqlrl.authoring.authored import Asked, AuthoringSummary, FrozenFrom
from sqlrl.authoring.frozen import ORIGIN, TASKS, author_frozen, freeze_tasks, read_frozen
from sqlrl.authoring.instances import Instances, open_instances
from sqlrl.authoring.teacher import Candidate
from sqlrl.errors import UserError
from sqlrl.files import digest_file
from sqlrl.records import read_json, read_jsonl
from tests.authoring.small import task

ASKED = Asked("far", "big", "0" * 64, "1" * 64, "schema", 3, 33, 12, 21, {"no_rows": 2})
AUTHORING = AuthoringSummary("llm", 4, {"aggregation, easy, casual": 4}, ASKED)
TWO = [
    task("How dear is the dearest item?", reference_sql="SELECT max(price) FROM items"),
    task("And the cheapest?", reference_sql="SELECT min(price) FROM items", style="terse"),
]


@pytest.fixture(scope="module")
def instances(small_dumps) -> Iterator[Instances]:
    with open_instances({"main": small_dumps["main"]}, 2.0) as instances:
        yield instances


@pytest.fixture
def frozen(tmp_path) -> Path:
    (tmp_path / "small").mkdir()
    freeze_tasks(TWO, AUTHORING, tmp_path / "small")
    return tmp_path / "small" / TASKS


def edit(file: Path, line: int, **changes: object) -> None:
    lines = file.read_text().splitlines()
    lines[line - 1] = json.dumps({**json.loads(lines[line - 1]), **changes})
    file.write_text("\n".join(lines) + "\n")


def test_a_frozen_task_is_what_a_person_may_edit(frozen):
    assert json.loads(frozen.read_text().splitlines()[0]) == {
        "archetype": "aggregation",
        "difficulty": "easy",
        "style": "casual",
        "question": "How dear is the dearest item?",
        "reference_sql": "SELECT max(price) FROM items",
    }


def test_who_wrote_them_is_kept_beside_them(frozen):
    origin = read_json(frozen.with_name(ORIGIN), FrozenFrom)
    assert origin == FrozenFrom(digest_file(frozen), 2, AUTHORING)


def test_frozen_tasks_are_read_as_they_were_frozen(frozen, small_dumps):
    authored = author_frozen(small_dumps["main"], [frozen, frozen.with_name(ORIGIN)], 2.0)
    assert [one.question for one in authored.candidates] == [one.question for one in TWO]
    assert (authored.summary.teacher, authored.summary.candidates) == ("frozen", 2)
    assert authored.summary.frozen.authoring == AUTHORING
    assert authored.summary.cells["aggregation, easy, terse"] == 1
    assert (authored.requests, authored.money) == (0, None)


def test_a_file_that_a_person_wrote_needs_no_origin(frozen, small_dumps):
    assert author_frozen(small_dumps["main"], [frozen], 2.0).summary.frozen is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"reference_sql": "SELECT max(cost) FROM items"},
            'reference_sql does not run: column "cost" does not exist',
        ),
        ({"reference_sql": "DROP TABLE items"}, "reference_sql is not one plain query"),
        ({"reference_sql": "SELEC 1"}, "reference_sql is not one plain query: syntax error"),
        ({"difficulty": "simple"}, 'there is no cell "aggregation, simple, terse"'),
        ({"question": "how dear is the DEAREST item"}, "asks what line 1 asks"),
        ({"question": 7}, "question is 7; expected str"),
        ({"rows": 3}, "unknown key 'rows'"),
    ],
)
def test_an_edit_that_went_wrong_is_named_with_its_line(frozen, instances, changes, message):
    edit(frozen, 2, **changes)
    with pytest.raises(UserError) as caught:
        list(read_frozen(frozen, instances))
    assert f"{frozen}:2: {message}" in str(caught.value)


def test_blank_lines_count_as_lines_and_as_nothing_else(frozen, instances):
    frozen.write_text(f"\n{frozen.read_text()}\nnot json\n")
    with pytest.raises(UserError, match=r"tasks\.jsonl:5: not JSON"):
        list(read_frozen(frozen, instances))


def test_frozen_tasks_are_not_overwritten(frozen):
    before = frozen.read_bytes()
    freeze_tasks(TWO, AUTHORING, frozen.parent)
    assert frozen.read_bytes() == before
    with pytest.raises(UserError, match=r"tasks\.jsonl is there already, with other tasks.*remove it first"):
        freeze_tasks(TWO[:1], AUTHORING, frozen.parent)
    assert frozen.read_bytes() == before


def test_frozen_anew_they_are_still_of_the_teacher_that_wrote_them(frozen):
    again = AuthoringSummary("frozen", 2, {}, None, read_json(frozen.with_name(ORIGIN), FrozenFrom))
    frozen.unlink()
    freeze_tasks([replace(TWO[0], question="How dear?")], again, frozen.parent)
    assert read_json(frozen.with_name(ORIGIN), FrozenFrom).authoring == AUTHORING
    assert [one.question for one in read_jsonl(frozen, Candidate)] == ["How dear?"]


def test_a_database_without_sources_is_named(tmp_path):
    with pytest.raises(UserError, match="nowhere: no such folder"):
        freeze_tasks(TWO, AUTHORING, tmp_path / "nowhere")
    assert list(tmp_path.iterdir()) == []
