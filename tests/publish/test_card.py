"""The model card: what it says, where its numbers come from, and what it must not say."""

import re
import shlex
from dataclasses import replace

import pytest
import yaml
from huggingface_hub import ModelCard

from sqlrl.models.prompts import PromptSettings, PromptWriter
from sqlrl.models.question_prompt import Linking
from sqlrl.models.sources import parse_source
from sqlrl.publish.base import describe_base
from sqlrl.publish.card import Loading, fenced, render_card
from sqlrl.publish.figures import chain
from sqlrl.publish.sources import read_sources
from sqlrl.report.words import percent, points
from tests.publish.publishable import DDL, NOTES, PROMPT

HUB = {"id": "somebody/tiny", "revision": "main", "commit": "c" * 40}
WHEEL = {"requirement": "tiny==1", "file": "tiny.gguf", "sha256": "0" * 64}


@pytest.fixture
def card(sources, schemas):
    """Render a card; what is given replaces what the model's manifest says."""

    def render(licence: str | None = None, **model) -> str:
        changed = replace(sources, model=replace(sources.model, **model))
        return render_card(changed, schemas, PromptSettings(**PROMPT), licence, Loading())

    return render


def front_matter(card: str) -> dict:
    _, text, _ = card.split("---\n", 2)
    parsed: dict = yaml.safe_load(text)
    return parsed


def numbers(value) -> set[str]:
    """Every number of a report's document in all the ways that a card could write it."""
    if isinstance(value, dict):
        return {text for item in value.values() for text in numbers(item)}
    if isinstance(value, list):
        return {text for item in value for text in numbers(item)}
    if not isinstance(value, int | float):
        return set()
    shares = {f"{100 * value:.{digits}f}" for digits in (0, 1)}
    return {
        percent(value),
        percent(value, 1),
        points(value),
        points(value).lstrip("+−"),
        *shares,
        f"{value:,}",
    }


def test_a_card_says_where_a_large_schema_was_shown_in_part(sources, schemas):
    settings = PromptSettings(**PROMPT, linking=Linking(900))
    sentence = "A system message of more than 900 tokens was shown with the tables that the question is about"
    assert sentence in render_card(sources, schemas, settings, None, Loading())
    assert "was shown with the tables" not in render_card(
        sources, schemas, PromptSettings(**PROMPT), None, Loading()
    )


def test_the_front_matter_is_what_the_hub_reads(card):
    data = ModelCard(card("Apache-2.0", source="hub", origin=HUB)).data
    assert data.base_model == "somebody/tiny"
    assert data.base_model_relation == "adapter"
    assert data.library_name == "peft"
    assert data.pipeline_tag == "text-generation"
    assert data.license == "apache-2.0"
    assert data.tags == ["lora", "text-to-sql", "sql", "postgresql", "grpo", "sft"]
    assert [one["config_name"] for one in data.configs] == ["train", "holdout_rollouts"]


def test_the_models_index_has_the_reports_pass_at_1(card, sources):
    (result,) = front_matter(card())["model-index"][0]["results"]
    (metric,) = result["metrics"]
    rate = sources.document["checkpoints"][-1]["all"]["pass@1"]
    assert metric["type"] == "pass@1"
    assert metric["value"] == rate["value"]
    assert f"{100 * rate['interval'][0]:.0f} to {percent(rate['interval'][1])}" in metric["name"]
    assert result["dataset"]["split"] == "holdout"


def test_every_number_of_the_results_and_limits_is_one_of_the_report(card, sources):
    text = card()
    told = (
        text[text.index("## Results") : text.index("## Data")]
        + text[text.index("# laptop") : text.index("## Base")]
    )
    # The name of a rate is no number; of the tasks that would decide, the report's words have a rounded number.
    prose = re.sub(r"pass[@^][0-9k]+|needs about [0-9,]+ tasks", "", told)
    found = re.findall(r"[+−]?[0-9][0-9,.]*[0-9]%?|[0-9]%?", prose)
    assert len(found) > 60
    assert set(found) - numbers(sources.document) == set()


def test_the_card_gives_differences_with_intervals_and_verdicts_in_words(card, sources):
    text = card()
    assert sources.document["headline"]["sentence"] in text
    for pair in ("grpo-vs-sft", "grpo-vs-base"):
        one = sources.document["comparisons"][pair]
        low, high = map(points, one["interval"])
        assert f"| {points(one['difference'])} | {low} to {high} | {one['verdict_sentence']}" in text
    assert "sft against base" not in text
    assert "Luck rate: of" in text
    assert "smallest gain shown" in text


def test_an_earlier_stage_is_compared_with_the_base_alone(run, schemas):
    text = render_card(
        read_sources(run.files("sft"), "sft"), schemas, PromptSettings(**PROMPT), "MIT", Loading()
    )
    assert "After sft the model answers" in text
    assert "The last stage alone" not in text
    assert "grpo" not in text


def test_warnings_about_other_checkpoints_stay_out_of_the_card(sources, schemas):
    about = ["grpo-vs-base: 3 tasks were lost.", "sft: overfits.", "2 tasks lack scores."]
    others = ["sft-vs-base: 4 tasks were lost.", "r1: overfits.", "r1 ended at step 3 of 9: solved."]
    others += [
        "The interval of r1's pass@1 is short.",
        "The interval of the difference of r1 and base is short.",
    ]
    document = {**sources.document, "warnings": [*about, *others]}
    document["provenance"] = {
        **document["provenance"],
        "stages": {**document["provenance"]["stages"], "r1": {}},
    }
    text = render_card(
        replace(sources, document=document), schemas, PromptSettings(**PROMPT), None, Loading()
    )
    assert [line.removeprefix("> Warning: ") for line in text.splitlines() if line.startswith(">")] == about


def test_a_step_of_a_stage_comes_from_what_the_stage_came_from(sources):
    assert chain(sources.document, "grpo@12") == ["sft", "grpo@12"]


def test_nothing_of_the_machine_stands_in_the_card(card, run):
    for text in (card(), card(source="package", origin=WHEEL), card(source="hub", origin=HUB)):
        assert str(run.folder) not in text
        assert not re.search(r"(?<![\w.])/(?:home|root|work|tmp|usr|Users)/", text)


def test_a_licence_that_is_not_stated_must_be_looked_up(card):
    text = card()
    assert "license" not in front_matter(text)
    assert "**not stated**. Look it up" in text


def test_a_licence_that_the_hub_does_not_list_is_other_with_a_name(card):
    text = card("My Lab Licence 2.0")
    assert front_matter(text)["license"] == "other"
    assert front_matter(text)["license_name"] == "my-lab-licence-2.0"
    assert "under My Lab Licence 2.0" in text


def test_a_base_from_a_package_comes_with_the_command_that_makes_it(card):
    text = card(source="package", origin=WHEEL)
    assert "base_model" not in front_matter(text)
    assert "`tiny==1`, a wheel on PyPI" in text
    assert "python -m scripts.fetch_model --name tiny --output base/model.json" in text
    assert 'AutoModelForCausalLM.from_pretrained("base")' in text


@pytest.mark.parametrize(
    ("kind", "origin"), [("package", WHEEL), ("gguf", {"file": "tiny.gguf", "sha256": "0" * 64})]
)
def test_the_command_for_a_base_is_one_that_fetches_it(sources, kind, origin):
    base = describe_base(replace(sources.model, source=kind, origin=origin))
    words = shlex.split(base.command)
    source = parse_source(words[words.index("--settings") + 1], "--settings")
    assert source.source == kind
    assert source.sha256 == origin["sha256"]


def test_a_base_in_a_local_folder_is_said_to_be_on_no_hub(card):
    text = card()
    assert "A local folder, `tiny-model`: it is on no Hub" in text


def test_a_base_on_the_hub_is_loaded_at_its_commit(card):
    assert f'from_pretrained("somebody/tiny", revision="{"c" * 40}")' in card(source="hub", origin=HUB)


def test_the_prompt_stands_in_the_card_word_for_word(card, run):
    shop = run.folder / "databases/shop"
    writer = PromptWriter(run.model, PromptSettings(**PROMPT), [shop / "main.json"], [shop / "notes.md"])
    text = card()
    assert writer.messages("shop", "How many?")[0]["content"] in text
    assert "enable_thinking=False" in text
    assert DDL.strip() in text
    assert NOTES.strip() in text


def test_a_text_with_a_fence_in_it_gets_a_longer_one():
    assert fenced("a ```sql block", "text") == "````text\na ```sql block\n````"
