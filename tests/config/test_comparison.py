"""The key compare: which runs it may name, and what is told before anything is built."""

import json
from pathlib import Path
from typing import Any

import pytest

from sqlrl.config.comparison import compared_claims, compared_runs, comparison_products, score_files
from sqlrl.config.run import Run
from sqlrl.config.settings import load_settings
from sqlrl.errors import UserError
from sqlrl.records import from_dict
from sqlrl.report.settings import Claims
from tests.config.shipped import shipped_config

ROOT = Path(__file__).parents[2]
EASY = {"difficulties": ["easy"], "limit": {"holdout": 459}}


@pytest.fixture
def config() -> dict[str, Any]:
    loaded = shipped_config()
    loaded["compare"] = ["qwen3-4b", "qwen3.5-9b"]
    return loaded


def settings(config: dict[str, Any]) -> dict[str, Any]:
    return load_settings(ROOT, config, "config.yaml")


def fault(config: dict[str, Any]) -> str:
    with pytest.raises(UserError) as caught:
        compared_runs(settings(config))
    return str(caught.value)


def test_the_runs_that_config_ships_can_be_compared_in_their_order():
    shipped = settings(shipped_config())
    assert [run.name for run in compared_runs(shipped)] == ["nemotron-8b", "qwen3-4b", "qwen3.5-9b"]
    assert comparison_products(shipped)[0] == "results/comparison/comparison.html"


def test_an_unknown_run_is_named_with_the_nearest_one(config):
    config["compare"][1] = "qwen3.5-9"
    message = fault(config)
    assert 'config.yaml: compare is "qwen3.5-9", which runs does not have.' in message
    assert 'Did you mean "qwen3.5-9b"?' in message


def test_the_same_run_twice_and_a_run_alone_are_refused(config):
    config["compare"] = ["laptop", "laptop"]
    assert 'compare names the run "laptop" 2 times; name each once.' in fault(config)
    config["compare"] = ["laptop"]
    assert 'compare names "laptop" alone; name the runs to compare it with, or none.' in fault(config)


def test_no_runs_are_a_fault_only_where_they_are_to_be_compared(config):
    config["compare"] = []
    assert settings(config)["compare"] == []
    message = fault(config)
    assert "compare names no runs to compare. Name two or more" in message
    assert "Runs: laptop, " in message
    del config["compare"]
    assert settings(config)["compare"] == []


@pytest.mark.parametrize(
    ("block", "changed", "key", "values"),
    [
        ("tasks", {"select": {"limit": {"holdout": 100}}}, "tasks.select.limit.holdout", ("459", "100")),
        ("tasks", {"select": {}}, "tasks.select.limit.holdout", ("459", "not set")),
        ("tasks", {"select": EASY}, "tasks.select.difficulties", ("[easy, hard, medium]", "[easy]")),
        ("scoring", {"k": 8}, "scoring.k", ("4", "8")),
        ("scoring", {"passes": 1}, "scoring.passes", ("3", "1")),
    ],
)  # fmt: skip
def test_runs_that_would_be_asked_different_questions_are_refused_before_anything_is_built(
    config, block, changed, key, values
):
    config["runs"]["qwen3.5-9b"][block] |= changed
    old, new = (
        f"runs.{name}.{key} is {value}" for name, value in zip(config["compare"], values, strict=True)
    )
    assert f"{old}, {new}: make them equal" in fault(config)


def test_runs_of_other_databases_are_refused(config):
    config["databases"]["clinic"] = {"seed": 1}
    config["runs"]["qwen3.5-9b"]["databases"] = ["shop", "clinic"]
    assert "runs.qwen3-4b.databases is [shop], runs.qwen3.5-9b.databases is [clinic, shop]" in fault(config)


def test_limits_of_train_and_dev_and_how_replies_are_drawn_may_differ(config):
    changed = config["runs"]["qwen3.5-9b"]
    changed["tasks"]["select"]["limit"] = {"train": 10, "dev": 5, "holdout": 459}
    changed["scoring"]["temperature"] = 0.2
    assert len(compared_runs(settings(config))) == 2


def test_a_run_that_would_lie_where_the_comparison_does_is_refused(config):
    config["runs"]["comparison"] = config["runs"]["laptop"]
    with pytest.raises(UserError, match="comparison"):
        settings(config)


def test_a_stage_that_would_lie_where_rows_do_is_refused(config):
    config["runs"]["laptop"]["stages"]["rows"] = config["runs"]["laptop"]["stages"]["sft"]
    with pytest.raises(UserError, match="rows"):
        settings(config)


def test_only_scores_of_base_and_last_own_stage_are_compared_task_by_task(config):
    found = settings(config)
    assert score_files(Run("qwen3-4b", found)) == [
        f"results/qwen3-4b/{checkpoint}/scores/shop-holdout-{scoring}.jsonl"
        for checkpoint in ("base", "r5")
        for scoring in (1, 2, 3)
    ]
    assert [path.split("/")[2] for path in score_files(Run("ablation-laptop", found))] == ["base", "sft"]


def test_the_claims_are_what_the_comparison_reads(config):
    claims = json.loads(compared_claims(settings(config)))
    found = [from_dict(Claims, one, "claims") for one in claims]
    assert [one.run for one in found] == config["compare"]
    assert [one.prompt["thinking"] for one in found] == [True, False]
