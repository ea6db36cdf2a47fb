"""Files of questions in three forms; what is wrong in one is named with its place and key."""

import json
from pathlib import Path

import pytest

from sqlrl.errors import UserError
from sqlrl.importing.entries import BIRD, PLAIN, SPIDER, Entry, keys_of, read_entries

BIRD_ENTRY = {
    "question_id": 7,
    "db_id": "tool_shop",
    "question": " How many toys are dear? ",
    "evidence": "dear refers to price > 10",
    "SQL": "SELECT COUNT(*) FROM items WHERE price > 10 ",
    "difficulty": "simple",
}
SPIDER_ENTRY = {
    "db_id": "tool_shop",
    "question": "How many items?",
    "query": "SELECT count(*) FROM items",
    "sql": {},
}


def write(path: Path, value: object) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def test_a_bird_entry_has_its_evidence_and_difficulty(tmp_path):
    path = write(tmp_path / "dev.json", [BIRD_ENTRY])
    assert read_entries(path, keys_of(BIRD)) == [
        Entry(
            f"{path}[0]",
            "How many toys are dear?",
            "SELECT COUNT(*) FROM items WHERE price > 10",
            "tool_shop",
            "dear refers to price > 10",
            "simple",
        )
    ]


def test_a_spider_entry_has_its_query_under_query(tmp_path):
    path = write(tmp_path / "train.json", [SPIDER_ENTRY])
    assert read_entries(path, keys_of(SPIDER)) == [
        Entry(f"{path}[0]", "How many items?", "SELECT count(*) FROM items", "tool_shop")
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '[{"q": "How many?", "query": "SELECT 1"}]'),
        ("a.jsonl", '\n{"q": "How many?", "query": "SELECT 1"}\n'),
        ("a.csv", 'q,query,note\n"How many?",SELECT 1,\n'),
        ("a.csv", '\ufeffq,query\n"How many?",SELECT 1\n'),
    ],
)
def test_plain_files_are_read_by_the_keys_that_are_named(tmp_path, name, text):
    (entry,) = read_entries(write(tmp_path / name, text), keys_of(PLAIN, "q", "query"))
    assert (entry.question, entry.sql, entry.database) == ("How many?", "SELECT 1", None)


def without(key: str) -> list[dict]:
    return [BIRD_ENTRY, {name: value for name, value in BIRD_ENTRY.items() if name != key}]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", "", "a.json: the file is empty"),
        ("a.json", "[]", "a.json: no question in it; expected {"),
        ("a.json", '[\n{"db_id": }]', "a.json:2: not JSON: Expecting value, column 11"),
        ("a.json", '{"x": 1}\n{"x": 2}', "its name must end in .jsonl"),
        ("a.json", {"data": []}, "a.json: expected a list of objects, found an object with 'data'"),
        ("a.json", [BIRD_ENTRY, 3], r"a.json\[1\]: expected an object, found 3"),
        ("a.json", without("SQL"), r"a.json\[1\]: SQL is missing; expected .* Its keys: question_id, db_id"),
        ("a.json", without("db_id"), r"a.json\[1\]: db_id is missing"),
        ("a.json", [{**BIRD_ENTRY, "question": "  "}], r"a.json\[0\]: question is empty"),
        ("a.json", [{**BIRD_ENTRY, "evidence": ["x"]}], r'a.json\[0\]: evidence is \["x"\]; expected a text'),
        ("a.json", [SPIDER_ENTRY], r"a.json\[0\]: SQL is missing; .* It looks like --format spider"),
        ("a.jsonl", '{"question": "How many?", "SQL": 1}\nno', r"a.jsonl:1: SQL is 1; expected a text"),
        ("a.jsonl", json.dumps(BIRD_ENTRY) + "\nno", "a.jsonl:2: not JSON: Expecting value, column 1"),
        ("a.csv", "question,SQL,db_id\nHow?,SELECT 1\n", "a.csv:2: has another number of columns than the header"),
        ("a.csv", 'question,SQL,db_id\n"How?,SELECT 1\n', r"a.csv:\d: not CSV"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_place(tmp_path, name, content, message):
    with pytest.raises(UserError, match=message):
        read_entries(write(tmp_path / name, content), keys_of(BIRD))


def test_another_encoding_is_named_with_its_line_and_byte(tmp_path):
    (tmp_path / "a.json").write_bytes('[\n{"question": "Müller?"}]'.encode("latin-1"))
    with pytest.raises(UserError, match=r"a\.json:2: not UTF-8: byte 0xfc\. Convert the file first"):
        read_entries(tmp_path / "a.json", keys_of(BIRD))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UserError, match=r"a\.json: no such file"):
        read_entries(tmp_path / "a.json", keys_of(BIRD))
