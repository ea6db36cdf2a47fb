"""Figures of prompts: how often the tables that a question is shown are those of its reference."""

from pathlib import Path

import pytest

from scripts.arguments import run_script
from scripts.describe_prompts import main, make_arguments
from sqlrl.authoring.prompt_figures import PromptFigures, describe_prompts
from sqlrl.errors import UserError
from sqlrl.models.messages import MessageWriter, PromptSettings
from sqlrl.models.question_prompt import Linking
from sqlrl.records import read_json, write_jsonl
from sqlrl.report.prompts import prompt_sentence, read_prompts
from sqlrl.training.manifest import AdapterManifest, Origin
from tests.authoring.small import task
from tests.models.large import write_large

GIVEN = {"schema": "compact", "system_prefix": "", "thinking": None, "linking": {"budget": 900}}


@pytest.fixture(scope="module")
def large(tmp_path_factory) -> Path:
    return write_large(tmp_path_factory.mktemp("databases"))


def asked(question: str, *tables: str, **changes: object):
    return task(question, database="large", tables=tables, **changes)


TASKS = {
    "train": [
        asked("How many ticket lines are in 08?", "ticket_line_08"),
        asked("Lecture notes of 03 with their header?", "lecture_header_03", "lecture_note_03"),
        asked("Which ones are odd?", "recipe_audit_05"),
    ],
    "dev": [asked("Sensor status of 01?", "sensor_status_01")],
}


def describe(large: Path, budget: int | None = 900, tasks=TASKS) -> PromptFigures:
    settings = PromptSettings("compact", "", None, linking=Linking(budget) if budget else None)
    return describe_prompts(MessageWriter(settings, [large], [large.with_name("notes.md")]), tasks, GIVEN)


def test_recall_is_the_share_of_tasks_that_are_shown_all_tables_of_their_reference(large):
    (one,) = describe(large).databases
    assert {part: (recall.tasks, recall.complete) for part, recall in one.parts.items()} == {
        "train": (3, 2),
        "dev": (1, 1),
    }
    assert [(missed.part, missed.question, missed.missing) for missed in one.missed] == [
        ("train", "Which ones are odd?", ("recipe_audit_05",))
    ]
    assert one.is_linked
    assert one.whole_tokens > 900 > one.parts["dev"].tokens
    assert 1 < one.parts["dev"].tables < 100


def test_a_schema_that_is_shown_whole_leaves_out_nothing(large):
    (one,) = describe(large, None).databases
    assert (one.is_linked, one.parts["train"].complete, one.missed) == (False, 3, ())


def test_the_digest_is_of_the_words_and_so_changes_with_them(large):
    first, again, other = describe(large), describe(large), describe(large, 700)
    assert first == again
    assert first.databases[0].digest != other.databases[0].digest


def test_nothing_is_chosen_on_the_holdout(large):
    with pytest.raises(UserError, match="is of the holdout"):
        describe(large, tasks={"train": [asked("How many?", part="holdout")], "dev": []})
    with pytest.raises(UserError, match="no training and no dev task"):
        describe(large, tasks={"train": [], "dev": []})


def test_the_script_writes_what_the_report_shows(large, tmp_path, capsys):
    for part, found in TASKS.items():
        write_jsonl(tmp_path / f"{part}.jsonl", found)
    words = {
        "--model": tmp_path / "model.json", "--train-tasks": tmp_path / "train.jsonl",
        "--dev-tasks": tmp_path / "dev.jsonl", "--databases": large, "--notes": large.with_name("notes.md"),
        "--prompt": '{"schema": "compact", "system_prefix": "", "thinking": null, "linking": {"budget": 900}}',
        "--sampler": "openai", "--output": tmp_path / "prompts.json",
    }  # fmt: skip
    given = [str(word) for pair in words.items() for word in pair]
    assert run_script(main, make_arguments(), given) == 0
    figures = read_json(tmp_path / "prompts.json", PromptFigures)
    assert figures == describe(large)
    (shown,) = read_prompts([tmp_path / "prompts.json"], {"sft": manifest(GIVEN)})
    assert "train: 66.7% of 3 tasks have every table of their reference" in shown["sentence"]
    assert shown["sentence"] in capsys.readouterr().out
    assert shown["sentence"] == prompt_sentence(shown, GIVEN)
    with pytest.raises(UserError, match="sft: its adapter was trained with the prompt settings"):
        read_prompts([tmp_path / "prompts.json"], {"sft": manifest({**GIVEN, "linking": None})})


def manifest(prompt: dict) -> AdapterManifest:
    return AdapterManifest(
        "sft", {}, 1, "0", Origin("m", "0"), None, {}, {"prompt": prompt}, "0", {}, 1, 1
    )  # fmt: skip
