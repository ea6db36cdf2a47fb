"""What goes into a prompt: comments, sample values, and of a large schema the tables that a question is about."""

from dataclasses import replace
from pathlib import Path

import pytest

from sqlrl.database.catalog import Catalog, Column, Table, read_tables
from sqlrl.database.connect import connect
from sqlrl.database.server import open_server
from sqlrl.errors import UserError
from sqlrl.files import digest_text, write_json
from sqlrl.models.ddl import split_statements, without_comments
from sqlrl.models.linking import Linker, words_of
from sqlrl.models.messages import MessageWriter, PromptSettings
from sqlrl.models.prompts import PromptWriter
from sqlrl.models.question_prompt import Linking, count_bound
from sqlrl.models.system_prompt import RULE, TASK, SystemPrompt, write_system_prompt
from sqlrl.models.values import read_values
from sqlrl.records import read_json, to_dict
from tests.models.large import COLUMN_COMMENT, write_large
from tests.tiny_models import make_tokenizer

ROOT = Path(__file__).parents[2]
SCHEMA = """-- A shop -- of sorts.
CREATE TABLE kinds (
    id integer PRIMARY KEY, -- a number
    name text NOT NULL /* as printed */
);
CREATE TABLE items (
    code text PRIMARY KEY,
    kind_id integer REFERENCES kinds (id),
    state text,
    made date,
    label text DEFAULT '-- none; yet'
);
COMMENT ON TABLE items IS 'What is sold;
  all of it';
COMMENT ON COLUMN items.state IS 'As of today';
"""
ROWS = r"""COPY kinds (id, name) FROM stdin;
1	toy
2	it's
\.
COPY items (code, kind_id, state, made, label) FROM stdin;
a	1	sold	2020-01-01	a\tb
b	1	sold	2020-01-01	\N
c	2	new	2020-01-01	a label that is much too long to be shown
d	2	lost	2020-01-01	x
\.
"""
NOTES = "- Value: price * stock.\n"


@pytest.fixture(scope="module")
def shops(tmp_path_factory) -> dict[str, Path]:
    """Catalogs by name: a small one here, and those of the built-in schemas."""
    root = tmp_path_factory.mktemp("databases")
    texts = {name: (ROOT / "databases" / name / "schema.sql").read_text() for name in ("shop", "clinic")}
    found = {}
    with open_server() as server:
        for name, schema in {"small": SCHEMA, **texts}.items():
            (root / name).mkdir()
            (root / name / "schema.sql").write_text(schema)
            server.create_database(name, root / name / "schema.sql")
            with connect(server.owner_conninfo(name)) as connection:
                catalog = Catalog(name, "main", "0" * 64, 18, read_tables(connection))
            server.drop_database(name)
            found[name] = root / name / "main.json"
            write_json(found[name], to_dict(catalog))
            (root / name / "main.sql").write_text(f"{schema.strip()}\n\n{ROWS if name == 'small' else ''}")
            notes = NOTES if name == "small" else (ROOT / "databases" / name / "notes.md").read_text()
            (root / name / "notes.md").write_text(notes)
    return found


@pytest.fixture(scope="module")
def large(tmp_path_factory) -> Path:
    return write_large(tmp_path_factory.mktemp("databases"))


def notes_of(main: Path) -> Path:
    return main.with_name("notes.md")


def text_of(main: Path, schema: str, comments: bool | None = None, samples: int = 0) -> str:
    return SystemPrompt(schema, main, notes_of(main), comments, samples).text()


# Taken from the code that had none of these settings.
BEFORE = {
    "ddl": "3ae45239509e5d4237929e1934384078a44efed92c1af3ee818da84336735248",
    "compact": "4e5b2e9936ce9ff0bde4224aa4e957020646f58e5ad720576e4b24ee8642a313",
}


@pytest.mark.parametrize("schema", ["ddl", "compact"])
def test_without_the_new_settings_a_prompt_has_the_bytes_that_it_had_before_them(shops, schema):
    assert (
        digest_text(write_system_prompt(schema, shops["small"], notes_of(shops["small"]))) == BEFORE[schema]
    )
    assert text_of(shops["small"], schema) == write_system_prompt(
        schema, shops["small"], notes_of(shops["small"])
    )


@pytest.mark.parametrize("name", ["shop", "clinic"])
def test_the_built_in_schemas_are_shown_as_they_stand(shops, name):
    notes = [line for line in notes_of(shops[name]).read_text().splitlines() if line.strip()]
    ddl = shops[name].with_name("schema.sql").read_text().strip()
    assert text_of(shops[name], "ddl") == "\n\n".join([TASK, ddl, "\n".join(notes), RULE])


@pytest.mark.parametrize("schema", ["ddl", "compact"])
def test_a_budget_that_the_schema_fits_changes_nothing(shops, schema):
    for name in ("shop", "clinic"):
        plain, linked = (
            MessageWriter(
                PromptSettings(schema, "", None, linking=linking), [shops[name]], [notes_of(shops[name])]
            )
            for linking in (None, Linking(100_000))
        )
        assert plain.messages(name, "How many?") == linked.messages(name, "How many?")
        assert linked.shown(name, "How many?") is None


def test_comments_can_be_left_out_of_ddl(shops):
    text = text_of(shops["small"], "ddl", comments=False)
    assert "COMMENT ON" not in text
    assert "A shop" not in text
    assert "a number" not in text
    assert "as printed" not in text
    assert "label text DEFAULT '-- none; yet'" in text
    assert text_of(shops["small"], "ddl", comments=True) == text_of(shops["small"], "ddl")


def test_comments_can_be_put_into_compact(shops):
    lines = text_of(shops["small"], "compact", comments=True).splitlines()
    assert "- items: What is sold; all of it" in lines
    assert "- items.state: As of today" in lines
    assert text_of(shops["small"], "compact", comments=False) == text_of(shops["small"], "compact")


@pytest.mark.parametrize("schema", ["ddl", "compact"])
def test_sample_values_are_the_most_frequent_short_texts_and_never_of_keys(shops, schema):
    lines = text_of(shops["small"], schema, samples=2).splitlines()
    assert [line for line in lines if line.startswith("- ") and "'" in line] == [
        "- kinds.name: 'it''s', 'toy'",
        "- items.state: 'sold', 'lost'",
        "- items.label: 'x'",
    ]


def test_statements_know_their_table_and_joined_they_are_the_schema():
    pieces = split_statements(SCHEMA)
    assert [piece.table for piece in pieces] == ["kinds", "items", "items", "items"]
    assert "".join("".join(piece.text for piece in pieces).split()) == "".join(SCHEMA.split())
    more = split_statements(
        "CREATE TYPE mood AS ENUM ('é;', 'b'); ALTER TABLE a ADD b mood; CREATE INDEX ON a (b)"
    )
    assert [piece.table for piece in more] == [None, "a", "a"]
    assert more[1].text == "ALTER TABLE a ADD b mood;"
    assert "mood" in without_comments("/* é */ CREATE TYPE mood AS ENUM ('é')")


def test_words_are_compared_in_the_singular_and_names_in_their_parts():
    assert words_of("How many orderItems have CATEGORIES?") == ["order", "item", "category"]
    assert words_of("sales_rep_id of classes") == ["sale", "rep", "id", "class"]


def test_tables_are_ranked_by_names_comments_and_values(large):
    catalog = read_json(large, Catalog)
    linker = Linker(catalog, read_values(large.with_suffix(".sql"), catalog, 5))
    assert linker.rank("Which flight lines are there in 07?")[0] == "flight_line_07"
    assert linker.rank("Every patient of region 3?")[0] == "patient_header_03"
    assert linker.rank("zzz") == []


def test_tables_between_the_chosen_are_shown_too(large):
    linker = Linker(read_json(large, Catalog), {})
    chosen = linker.choose("recipe_note_04 against recipe_audit_04", dict.fromkeys(linker._order, 10), 30)
    assert chosen == {"recipe_note_04", "recipe_audit_04", "recipe_header_04"}


@pytest.mark.parametrize("schema", ["ddl", "compact"])
def test_of_500_tables_a_prompt_shows_those_of_the_question_within_the_budget(large, schema):
    settings = PromptSettings(schema, "", None, comments=True, samples=1, linking=Linking(1200))
    writer = MessageWriter(settings, [large], [notes_of(large)])
    whole = MessageWriter(replace(settings, linking=None), [large], [notes_of(large)])
    assert len(read_json(large, Catalog).tables) == 500
    for question in (
        "How many ticket lines are there in 08?",
        "zzz",
        "Which sensor has the longest status text?",
    ):
        system, shown = writer.messages("large", question)[0]["content"], writer.shown("large", question)
        assert shown
        assert all(f"{name}(" in system or f"{name} (" in system for name in shown)
        assert "sensor_audit_00" not in system or "sensor_audit_00" in shown
        assert count_bound(system) <= 1200 < count_bound(whole.messages("large", question)[0]["content"])
        assert system.endswith(RULE)
    shown = writer.shown("large", "How many ticket lines are there in 08?")
    assert {"ticket_line_08", "ticket_header_08"} <= shown
    assert COLUMN_COMMENT in writer.messages("large", "ticket header 08")[0]["content"] or schema == "ddl"


def test_prompts_of_other_tables_share_only_what_they_have_in_common(large, tmp_path):
    make_tokenizer().save_pretrained(tmp_path)
    settings = PromptSettings("compact", "", None, linking=Linking(900))
    writer = PromptWriter(tmp_path, settings, [large], [notes_of(large)])
    questions = ("flight line 07", "patients of region 3", "zzz", "invoice header 00", "ticket audit 09")
    prompts = [writer.write(str(number), "large", question) for number, question in enumerate(questions)]
    assert len({prompt.token_ids[: prompt.prefix_length] for prompt in prompts}) == 1
    assert prompts[0].prefix_length > 10
    assert len({writer.messages("large", question)[0]["content"] for question in questions}) == len(questions)
    assert all(
        len(writer.tokenizer.encode(writer.messages("large", one)[0]["content"])) <= 900 for one in questions
    )


def test_training_and_serving_write_the_same_prompt(large, tmp_path):
    make_tokenizer().save_pretrained(tmp_path)
    settings = PromptSettings("compact", "", None, samples=1, linking=Linking(900))
    one, other = (PromptWriter(tmp_path, settings, [large], [notes_of(large)]) for _ in range(2))
    assert one.write("t", "large", "flight line 07") == other.write("t", "large", "flight line 07")


def test_the_score_of_a_table_does_not_depend_on_the_order_of_words(shops):
    catalog = read_json(shops["shop"], Catalog)
    linker = Linker(catalog, {})
    words = words_of("order item price quantity customer product name date status id discount pct unit")
    for table in catalog.tables:
        shifted = [words[place:] + words[:place] for place in range(len(words))]
        assert len({linker._score(table.name, one) for one in [*shifted, words[::-1]]}) == 1


TYPES = {
    "text": True, "character varying(20)": True, "mood": True, "date_precision": True, "Time_of_day": True,
    "date": False, "timestamp with time zone": False, "numeric(10,2)": False, "interval": False, "money": False,
    "inet": False, "int4range": False, "mood[]": False, "jsonb": False, "uuid": False,
}  # fmt: skip


def test_values_are_shown_of_texts_and_enumerations_and_of_nothing_else(tmp_path):
    names = [f"c{number}" for number in range(len(TYPES))]
    columns = tuple(
        Column(name, kind, True, False, None, None) for name, kind in zip(names, TYPES, strict=True)
    )
    catalog = Catalog("any", "main", "0" * 64, 18, (Table("things", None, 1, columns),))
    dump = tmp_path / "main.sql"
    row = "\t".join("x" for _ in names)
    dump.write_text(f"COPY things ({', '.join(names)}) FROM stdin;\n{row}\n\\.\n")
    shown = read_values(dump, catalog, 3)["things"]
    assert {kind: name in shown for name, kind in zip(names, TYPES, strict=True)} == TYPES


def test_a_budget_without_room_for_a_table_is_refused(large):
    settings = PromptSettings("ddl", "", None, linking=Linking(40))
    with pytest.raises(
        UserError, match=r"prompt\.linking\.budget is 40, but the prompt of large takes \d+ tokens"
    ):
        MessageWriter(settings, [large], [notes_of(large)])
