"""The report of a run that shows large schemas in part says how often that is enough."""

import json
from pathlib import Path

import pytest

from sqlrl.report.markdown import render_markdown
from sqlrl.report.page import render_page
from sqlrl.report.prompts import prompt_sentence, read_prompts

REPORT = Path(__file__).parents[2] / "docs/experiments/qwen2.5-coder-0.5b/delta_report.json"
SETTINGS = {"linking": {"budget": 4000}}
LINKED = {
    "database": "large",
    "digest": "ab" * 32,
    "whole_tokens": 18380,
    "is_linked": True,
    "parts": {
        "train": {"tasks": 200, "complete": 190, "tables": 9.5, "tokens": 3900.4},
        "dev": {"tasks": 0, "complete": 0, "tables": 0.0, "tokens": 0.0},
    },
}
SENTENCE = (
    "The prompt of large with all tables has 18,380 tokens, over the budget of 4,000; questions are shown some. "
    "train: 95.0% of 200 tasks have every table of their reference, among 9.5 tables and 3900 tokens on average."
)


@pytest.fixture(scope="module")
def document() -> dict:
    return json.loads(REPORT.read_text())


def test_the_share_of_complete_prompts_is_said_by_part():
    assert prompt_sentence(LINKED, SETTINGS) == SENTENCE
    whole = prompt_sentence({**LINKED, "is_linked": False}, SETTINGS)
    assert whole == "The prompt of large with all tables has 18,380 tokens and is shown whole."


def test_markdown_and_page_show_it_and_the_page_the_digest_too(document):
    shown = {**document, "prompts": [{**LINKED, "sentence": SENTENCE}]}
    assert f"## What prompts show\n\n- {SENTENCE}" in render_markdown(shown)
    page = render_page(shown)
    assert SENTENCE in page
    assert "<dt>Prompts of large</dt>" in page


def test_a_run_without_it_says_nothing(document):
    assert read_prompts([], {}) == []
    assert "What prompts show" not in render_markdown({**document, "prompts": []})
    assert "Prompts of" not in render_page({**document, "prompts": []})
