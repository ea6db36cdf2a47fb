"""The review of tasks: what config.yaml may say, and what its steps are handed."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from sqlrl.authoring.review import CLASSES, ReviewSettings
from sqlrl.authoring.solver import SolvingSettings
from sqlrl.config.closure import closure
from sqlrl.config.reviewing import (
    bootstrap_settings,
    review_settings,
    solver_engine,
    solver_kind,
    solver_of,
    solving_prompt,
    solving_settings,
)
from sqlrl.config.settings import load_settings
from sqlrl.config.teachers import spending_limit
from sqlrl.errors import UserError
from sqlrl.models.messages import PromptSettings
from sqlrl.records import from_json
from sqlrl.sampling.engine_settings import EngineSettings, parse_engine
from sqlrl.statistics.bootstrap import BootstrapSettings
from tests.config.shipped import shipped_config

ROOT = Path(__file__).parents[2]


@pytest.fixture
def config() -> dict[str, Any]:
    loaded = shipped_config()
    loaded["models"]["far"] = {"source": "openai", "id": "big"}
    return loaded


def load(config: dict[str, Any], **review: object) -> dict[str, Any]:
    return load_settings(ROOT, {**config, "review": review}, "config.yaml")


def fault(config: dict[str, Any], **review: object) -> str:
    with pytest.raises(UserError) as caught:
        load(config, **review)
    return str(caught.value)


def test_nobody_is_asked_and_nothing_is_dropped_by_default(config):
    settings = load_settings(ROOT, config, "config.yaml")
    assert solver_of(settings) is None
    assert solver_kind(settings) == "none"
    told = from_json(ReviewSettings, review_settings(settings), "here")
    assert (told.drop, told.question_similarity) == ((), 0.9)
    from_json(BootstrapSettings, bootstrap_settings(settings), "here")


def test_the_classes_that_can_be_dropped_are_those_that_a_review_gives(config):
    schema = yaml.safe_load((ROOT / "config.schema.yaml").read_text())
    assert set(schema["$defs"]["review"]["properties"]["drop"]["items"]["enum"]) == set(CLASSES)
    assert 'review.drop.0 is "wrong". Allowed: agrees' in fault(config, drop=["wrong"])


def test_a_solver_is_told_only_what_it_uses(config):
    settings = load(config, solver="far")
    assert solver_kind(settings) == "openai"
    told = from_json(SolvingSettings, solving_settings(settings), "here")
    assert (told.parts, told.k, told.split.holdout) == (("holdout",), 4, 0.19)
    from_json(PromptSettings, solving_prompt(settings), "here")
    everything = load(config, solver="far", parts=["holdout", "train", "dev"])
    assert json.loads(solving_settings(everything))["split"] is None
    assert spending_limit(settings, "review") == "tokens=2000000"


def test_a_model_whose_weights_are_here_is_sampled_as_config_says(config):
    assert solver_kind(load(config, solver="qwen3-4b")) == "transformers"
    settings = load(config, solver="qwen3-4b", sampler="vllm", engine={"positions": 4096})
    assert solver_kind(settings) == "vllm"
    assert parse_engine(solver_engine(settings), "here") == EngineSettings(positions=4096)


def test_speed_price_and_limits_decide_no_review(config):
    before = load(config, solver="far")
    config["models"]["far"] |= {"concurrency": 1, "price": {"input": 1.0, "output": 2.0}}
    after = load(config, solver="far", gpus=1, memory_gb=3, spending_limit={"money": 4.0})
    assert review_settings(before) == review_settings(after)
    assert solving_settings(before) == solving_settings(after)
    assert spending_limit(after, "review") == "money=4.0"


def test_an_unknown_solver_is_named_with_the_nearest(config):
    assert 'review.solver is "farr", which models does not have.' in fault(config, solver="farr")
    assert 'Did you mean "far"?' in fault(config, solver="farr")


def test_a_limit_that_limits_nothing_is_a_fault(config):
    assert "review.spending_limit names no limit" in fault(
        config, solver="far", spending_limit={"tokens": None}
    )
    message = fault(config, solver="far", spending_limit={"money": 2.0})
    assert "review.spending_limit.money is 2.0, but models.far has no price to count it by" in message


def test_a_switch_that_a_server_cannot_take_is_a_fault(config):
    message = fault(config, solver="far", prompt={"thinking": False})
    assert "review.prompt.thinking is false, but models.far has source openai" in message


def test_only_the_chosen_sampler_counts_for_the_solvers_code():
    far = closure(ROOT, "scripts/solve_tasks.py", {"kind": "openai"})
    near = closure(ROOT, "scripts/solve_tasks.py", {"kind": "transformers"})
    assert "sqlrl.sampling.openai" in far
    assert "sqlrl.sampling.anthropic" not in far
    assert "sqlrl.sampling.transformers" not in far
    assert "sqlrl.sampling.transformers" in near
    assert "sqlrl.sampling.openai" not in near
