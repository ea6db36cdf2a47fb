"""Prompts hold the schema, its meaning and the rule, and share the longest prefix that they can."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlrl.database.catalog import Catalog, Column, Table
from sqlrl.errors import UserError
from sqlrl.files import write_json
from sqlrl.models.prompts import PromptSettings, PromptWriter, write_reply
from sqlrl.models.system_prompt import write_system_prompt
from sqlrl.records import to_dict
from tests.tiny_models import make_tokenizer

COMPACT = PromptSettings("compact", "", None)
DDL = "CREATE TABLE regions (id integer PRIMARY KEY);\n\nCREATE TABLE sales (\n    code text\n);"
NOTES = """# What the data mean

- Revenue: price * quantity. It is in euros.
- sales.region_id is NULL for sales online; they count all the same.
- People like sales. They say so.
- Version 1.5 counts: yes, e.g. always.
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A model's tokenizer, and the dump, catalog and notes of a database of two tables."""
    root = tmp_path_factory.mktemp("prompts")
    make_tokenizer().save_pretrained(root / "model")
    (root / "market").mkdir()
    columns = (
        Column("code", "character varying(10)", False, True, None, None),
        Column("region_id", "integer", True, False, "regions.id", None),
        Column("by", "text", False, False, "people.name", None),
        Column("price", "numeric(10,2)", False, False, None, None),
        Column("at", "timestamp without time zone", True, False, None, None),
        Column("tags", "text[]", False, False, None, None),
    )
    key = Column("id", "integer", False, True, None, None)
    catalog = Catalog(
        "market", "main", "0" * 64, 18, (Table("regions", None, 3, (key,)), Table("sales", None, 9, columns))
    )
    write_json(root / "market" / "main.json", to_dict(catalog))
    rows = "COPY regions (id) FROM stdin;\n1\n\\.\nCOPY sales (code) FROM stdin;\nx\n\\.\nSELECT 1;\n"
    (root / "market" / "main.sql").write_text(f"{DDL}\n\n{rows}")
    (root / "market" / "notes.md").write_text(NOTES)
    return {name: root / name for name in ("model", "market")}


def make_writer(files: dict[str, Path], prompt_settings: PromptSettings = COMPACT) -> PromptWriter:
    main, notes = files["market"] / "main.json", files["market"] / "notes.md"
    return PromptWriter(files["model"], prompt_settings, [main], [notes])


def read(writer: PromptWriter, question: str = "How many?") -> str:
    return writer.tokenizer.decode(writer.write("t", "market", question).token_ids)


def test_compact_is_a_line_a_table_with_types_and_keys(files):
    lines = write_system_prompt(
        "compact", files["market"] / "main.json", files["market"] / "notes.md"
    ).splitlines()
    assert "regions(id int PK)" in lines
    assert (
        "sales(code text PK, region_id int? > regions, by text > people.name, price numeric, at timestamp?, "
        "tags text[])"
    ) in lines


def test_compact_keeps_formulas_nulls_and_definitions_up_to_their_first_clause(files):
    text = write_system_prompt("compact", files["market"] / "main.json", files["market"] / "notes.md")
    assert [line for line in text.splitlines() if line.startswith("- ")] == [
        "- Revenue: price * quantity",
        "- sales.region_id is NULL for sales online",
        "- Version 1.5 counts: yes, e.g",
    ]


def test_ddl_is_the_schema_of_the_dump_without_its_rows_and_the_whole_notes(files):
    text = write_system_prompt("ddl", files["market"] / "main.json", files["market"] / "notes.md")
    assert DDL in text
    assert "COPY" not in text
    assert all(line in text for line in NOTES.splitlines())


@pytest.mark.parametrize("schema", ["ddl", "compact"])
def test_the_rule_stands_at_the_end_of_the_system_prompt(files, schema):
    text = write_system_prompt(schema, files["market"] / "main.json", files["market"] / "notes.md")
    assert "exactly one" in text.splitlines()[-1]


def test_a_prompt_is_the_chat_template_up_to_the_reply(files):
    text = read(make_writer(files), "  How many?  ")
    assert text.startswith("<|im_start|>system\n")
    assert text.endswith("<|im_start|>user\nHow many?<|im_end|>\n<|im_start|>assistant\n")


def test_the_thinking_switch_reaches_the_template(files):
    assert read(make_writer(files, PromptSettings("compact", "", False))).endswith("<think>\n\n</think>\n\n")
    assert "<think>" not in read(make_writer(files, PromptSettings("compact", "", True)))


def test_the_system_prefix_stands_first(files):
    text = read(make_writer(files, PromptSettings("compact", "detailed thinking off", None)))
    assert text.startswith("<|im_start|>system\ndetailed thinking off\n\n")


def test_the_prefix_ends_where_the_question_begins(files):
    writer = make_writer(files)
    prompt = writer.write("t", "market", "Who sold most?")
    assert writer.tokenizer.decode(prompt.token_ids[: prompt.prefix_length]).endswith("<|im_start|>user\n")


@settings(max_examples=80, deadline=None)
@given(question=st.text(min_size=1, max_size=40), other=st.text(min_size=1, max_size=40))
def test_what_is_called_shared_is_shared_whatever_the_questions(files, question: str, other: str):
    writer = make_writer(files)
    one, two = writer.write("1", "market", question), writer.write("2", "market", other)
    shared = min(one.prefix_length, two.prefix_length)
    assert one.token_ids[:shared] == two.token_ids[:shared]
    assert 0 < shared < min(len(one.token_ids), len(two.token_ids))


def test_a_database_that_was_not_given_is_named(files):
    with pytest.raises(UserError, match=r"task t: database 'shop' is not among those given: market"):
        make_writer(files).write("t", "shop", "How many?")


def test_twins_are_passed_over_and_main_must_be_there(files):
    twin, notes = files["market"] / "twin-1.json", files["market"] / "notes.md"
    PromptWriter(files["model"], COMPACT, [files["market"] / "main.sql", twin], [notes])
    with pytest.raises(UserError, match="main"):
        PromptWriter(files["model"], COMPACT, [twin], [notes])


def test_a_database_without_notes_is_named(files):
    with pytest.raises(UserError, match="'market' comes without notes"):
        PromptWriter(files["model"], COMPACT, [files["market"] / "main.json"], [])


def test_a_tokenizer_without_a_chat_template_is_refused(files, tmp_path: Path):
    tokenizer = make_tokenizer()
    tokenizer.chat_template = None
    tokenizer.save_pretrained(tmp_path)
    with pytest.raises(UserError, match="no chat template"):
        PromptWriter(tmp_path, COMPACT, [files["market"] / "main.json"], [files["market"] / "notes.md"])


def test_a_reply_is_one_fenced_query():
    assert write_reply(" SELECT 1\n") == "```sql\nSELECT 1\n```"
