"""Who writes the tasks of a database: what config.yaml may say, and what each teacher is handed."""

import json
from pathlib import Path
from typing import Any

import pytest

from sqlrl.authoring.frozen import FrozenSettings
from sqlrl.authoring.llm_settings import LlmSettings
from sqlrl.authoring.offline import AuthoringSettings
from sqlrl.authoring.spending import SpendingLimit, parse_limit
from sqlrl.config.closure import closure
from sqlrl.config.settings import load_settings
from sqlrl.config.teachers import (
    authoring_settings,
    screening_settings,
    spending_limit,
    teacher_of,
    teaching_kind,
    teaching_model,
)
from sqlrl.errors import UserError
from sqlrl.records import from_json
from tests.config.shipped import shipped_config

ROOT = Path(__file__).parents[2]


@pytest.fixture
def config() -> dict[str, Any]:
    """The shipped configuration with models behind APIs, and the teacher llm."""
    loaded = shipped_config()
    loaded["models"]["far"] = {"source": "openai", "id": "big", "price": {"input": 2.0, "output": 8.0}}
    loaded["models"]["free"] = {"source": "openai", "id": "small", "base_url": "http://localhost:8000/v1"}
    loaded["authoring"] |= {"teacher": "llm", "model": "far"}
    return loaded


def load(config: dict[str, Any]) -> dict[str, Any]:
    return load_settings(ROOT, config, "config.yaml")


def fault(config: dict[str, Any]) -> str:
    with pytest.raises(UserError) as caught:
        load(config)
    return str(caught.value)


def test_a_model_as_teacher_gets_its_defaults(config):
    settings = load(config)
    told = from_json(LlmSettings, authoring_settings(settings, "shop"), "here")
    assert (told.may_see, told.quota, told.tries, told.temperature) == ("schema", 20, 3, 1.0)
    assert (told.batch.cells, told.batch.questions) == (4, 5)
    assert told.checks.maximum_rows == settings["screening"]["maximum_rows"]
    assert spending_limit(settings) == "tokens=2000000"
    assert teaching_model(settings, "shop") == "far"


def test_each_teacher_is_told_only_what_it_uses(config):
    config["authoring"]["teacher"] = "offline"
    settings = load(config)
    assert json.loads(authoring_settings(settings, "shop")) == {
        "teacher": "offline",
        "seed": 1,
        "candidates_per_cell": 120,
        "structures": 160,
    }
    from_json(AuthoringSettings, authoring_settings(settings, "shop"), "here")
    assert teaching_model(settings, "shop") is None
    config["authoring"]["teacher"] = "frozen"
    from_json(FrozenSettings, authoring_settings(load(config), "shop"), "here")


@pytest.mark.parametrize(
    "change",
    [
        {"authoring": {"spending_limit": {"money": 5.0}}},
        {"authoring": {"candidates_per_cell": 7, "structures": 9}},
        {"models": {"far": {"concurrency": 1, "price": None, "retries": 0, "tokens_per_second": 1}}},
        {"screening": {"kept_per_cell": 3, "minimum_tasks": 7}},
    ],
)
def test_speed_price_limits_and_what_another_teacher_uses_decide_no_question(config, change):
    before = authoring_settings(load(config), "shop")
    for section, values in change.items():
        for key, value in values.items():
            nested = isinstance(value, dict) and key in config[section]
            config[section][key] = {**config[section][key], **value} if nested else value
    assert authoring_settings(load(config), "shop") == before


@pytest.mark.parametrize("key", ["may_see", "batch", "quota", "tries", "temperature", "max_tokens", "seed"])
def test_what_is_asked_decides_the_questions(config, key):
    before = authoring_settings(load(config), "shop")
    config["authoring"][key] = {"may_see": "rows", "batch": {"cells": 2}, "temperature": 0.5}.get(key, 2)
    assert authoring_settings(load(config), "shop") != before


def test_a_database_can_have_a_teacher_of_its_own(config):
    config["authoring"]["teacher"] = "offline"
    config["databases"]["other"] = {"teacher": "llm"}
    settings = load(config)
    assert (teacher_of(settings, "shop"), teacher_of(settings, "other")) == ("offline", "llm")
    assert (teaching_model(settings, "shop"), teaching_model(settings, "other")) == (None, "far")


def test_a_teacher_without_a_model_lists_those_that_could_teach(config):
    del config["authoring"]["model"]
    message = fault(config)
    assert "the teacher of databases.shop is llm: name the model that is asked in authoring.model" in message
    assert "models with source openai or anthropic: far, free." in message


def test_a_model_with_weights_here_is_no_teacher(config):
    config["authoring"]["model"] = "qwen3-4b"
    assert 'authoring.model is "qwen3-4b", which has source hub: a teacher answers behind an API' in fault(
        config
    )


def test_an_unknown_model_is_named_with_the_nearest(config):
    config["authoring"]["model"] = "fur"
    assert 'Did you mean "far"?' in fault(config)


def test_an_unknown_teacher_is_named_with_the_nearest(config):
    config["authoring"]["teacher"] = "ofline"
    assert 'authoring.teacher is "ofline". Allowed: offline, llm, frozen. Did you mean "offline"?' in fault(
        config
    )


def test_money_needs_a_price(config):
    config["authoring"] |= {"model": "free", "spending_limit": {"money": 5.0}}
    message = fault(config)
    assert "authoring.spending_limit.money is 5.0, but models.free has no price" in message
    assert "spending_limit.tokens in place of money" in message
    config["authoring"]["spending_limit"] = {"money": 0}
    load(config)


def test_a_limit_must_be_named(config):
    config["authoring"]["spending_limit"] = {}
    assert "authoring.spending_limit names no limit" in fault(config)
    config["authoring"]["teacher"] = "offline"
    load(config)


def test_both_limits_are_handed_over(config):
    config["authoring"]["spending_limit"] = {"money": 2.5, "tokens": 1000}
    assert parse_limit(spending_limit(load(config)), "here") == SpendingLimit(2.5, 1000)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"spending_limit": {"money": -1}}, "authoring.spending_limit.money is -1"),
        ({"spending_limit": {"euros": 5}}, 'authoring.spending_limit has an unknown key "euros"'),
        ({"may_see": "everything"}, 'authoring.may_see is "everything". Allowed: schema, samples, rows.'),
        ({"batch": {"cells": 0}}, "authoring.batch.cells is 0"),
        ({"key": "sk-secret"}, 'authoring has an unknown key "key"'),
    ],
)
def test_a_wrong_value_is_named(config, change, message):
    config["authoring"] |= change
    assert message in fault(config)


@pytest.mark.parametrize(
    ("teacher", "kind", "counted", "left_out"),
    [
        (
            "offline",
            "grammar",
            {"authoring.offline", "authoring.offline_job"},
            {"authoring.llm", "authoring.frozen", "authoring.catalog.grammar", "sampling.openai"},
        ),
        (
            "offline",
            "catalog",
            {"authoring.offline", "authoring.catalog.grammar", "authoring.grammar.library"},
            {"authoring.llm", "authoring.frozen", "authoring.offline_job", "sampling.openai"},
        ),
        ("frozen", "none", {"authoring.frozen"}, {"authoring.llm", "authoring.offline", "sampling.openai"}),
        ("llm", "openai", {"authoring.llm", "sampling.openai"}, {"authoring.offline", "sampling.anthropic"}),
        (
            "llm",
            "anthropic",
            {"authoring.llm", "sampling.anthropic"},
            {"authoring.frozen", "sampling.openai"},
        ),
    ],
)
def test_only_the_code_of_the_chosen_teacher_counts(teacher, kind, counted, left_out):
    found = set(closure(ROOT, "scripts/author_tasks.py", {"teacher": teacher, "kind": kind}))
    assert {f"sqlrl.{name}" for name in counted} <= found
    assert not {f"sqlrl.{name}" for name in left_out} & found


def test_a_schema_without_a_grammar_is_taught_from_its_catalog(config, tmp_path):
    config["authoring"]["teacher"] = "offline"
    settings = load(config)
    assert teaching_kind(settings, "shop", ROOT / "databases") == "grammar"
    assert teaching_kind(settings, "shop", tmp_path) == "catalog"


def test_the_kind_of_other_teachers_is_no_grammar(config, tmp_path):
    assert teaching_kind(load(config), "shop", tmp_path) == "openai"
    config["authoring"]["teacher"] = "frozen"
    assert teaching_kind(load(config), "shop", tmp_path) == "none"


def test_cells_may_stay_empty_only_where_the_catalog_teaches(config, tmp_path):
    config["authoring"]["teacher"] = "offline"
    settings = load(config)
    own = screening_settings(settings, "shop", ROOT / "databases")
    assert json.loads(own) == settings["screening"]
    assert json.loads(screening_settings(settings, "shop", tmp_path)) == {
        **settings["screening"],
        "every_cell": False,
    }
