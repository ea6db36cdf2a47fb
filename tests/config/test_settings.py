"""config.yaml: what is accepted, which defaults are filled in, and how a fault is named."""

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from sqlrl.config.run import find_run
from sqlrl.config.settings import load_settings
from sqlrl.errors import UserError

ROOT = Path(__file__).parents[2]


@pytest.fixture
def config() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "config.yaml").read_text())
    return loaded


def fault(config: dict[str, Any]) -> str:
    with pytest.raises(UserError) as caught:
        load_settings(ROOT, config, "config.yaml")
    return str(caught.value)


def test_the_shipped_configuration_is_valid_and_defaults_are_filled_in(config):
    settings = load_settings(ROOT, config, "config.yaml")
    assert settings["runs"]["laptop"]["stages"]["grpo"]["lora"] == {
        "rank": 16,
        "alpha": 32,
        "dropout": 0.0,
        "targets": "all-linear",
    }
    assert "lora" not in config["runs"]["laptop"]["stages"]["grpo"]


def test_an_unknown_key_is_named_with_the_nearest_right_word(config):
    config["runs"]["laptop"]["scoring"]["temprature"] = 0.7
    message = fault(config)
    assert 'config.yaml: runs.laptop.scoring has an unknown key "temprature"' in message
    assert 'Did you mean "temperature"?' in message


def test_a_number_that_yaml_reads_as_text_says_how_to_write_it(config):
    config["runs"]["laptop"]["stages"]["sft"]["learning_rate"] = "1e-3"
    assert "write it with a point, such as 1.0e-5" in fault(config)


def test_a_value_of_the_wrong_type_names_its_key(config):
    config["runs"]["laptop"]["stages"]["grpo"]["steps"] = "many"
    assert "runs.laptop.stages.grpo.steps is 'many'; expected integer" in fault(config)


def test_a_stage_from_nowhere_lists_the_stages(config):
    config["runs"]["laptop"]["stages"]["grpo"]["from"] = "sfft"
    message = fault(config)
    assert 'runs.laptop.stages.grpo.from is "sfft", but this run has no stage of that name.' in message
    assert 'Stages of "laptop": sft, grpo. Did you mean "sft"?' in message


def test_a_stage_that_starts_from_itself_is_refused(config):
    config["runs"]["laptop"]["stages"]["sft"]["from"] = "grpo"
    assert "which starts from" in fault(config)


def test_a_band_measured_on_a_stage_that_needs_it_is_refused(config):
    config["runs"]["laptop"]["stages"]["grpo"]["band"]["measured_on"] = "grpo"
    assert 'band.measured_on is "grpo", which starts from grpo itself' in fault(config)
    config["runs"]["laptop"]["stages"]["grpo"]["band"]["measured_on"] = "grpoo"
    assert 'band.measured_on is "grpoo", but this run has no stage of that name' in fault(config)


def test_a_band_is_measured_where_its_stage_starts_or_where_config_says(config):
    settings = load_settings(ROOT, config, "config.yaml")
    run = find_run(settings, "laptop")
    assert run.band_files("grpo") == run.adapter_files("sft")
    before = run.band("grpo")
    settings["runs"]["laptop"]["stages"]["grpo"]["band"]["measured_on"] = "base"
    assert run.band_files("grpo") == []
    assert run.band("grpo") == before


def test_a_stage_from_a_step_that_is_not_kept_is_refused(config):
    config["runs"]["laptop"]["stages"]["grpo"]["from"] = "sft@7"
    assert "keeps no checkpoint at step 7" in fault(config)


def test_a_checkpoint_after_the_end_is_refused(config):
    config["runs"]["laptop"]["stages"]["grpo"]["checkpoints"] = [100_000]
    assert "checkpoints has 100000, but the stage ends at step" in fault(config)


def test_an_unknown_model_lists_the_models(config):
    config["runs"]["laptop"]["model"] = "smollm2-135"
    assert 'Did you mean "smollm2-135m"?' in fault(config)


def test_one_stage_name_has_one_kind_over_all_runs(config):
    config["runs"]["other"] = copy.deepcopy(config["runs"]["laptop"])
    config["runs"]["other"]["stages"] = {"grpo": copy.deepcopy(config["runs"]["laptop"]["stages"]["sft"])}
    assert "one name, one kind" in fault(config)


@pytest.mark.parametrize("name", ["databases", "tasks", "models", "Large", "a/b"])
def test_a_run_name_that_would_collide_with_a_results_folder_is_refused(config, name):
    config["runs"][name] = copy.deepcopy(config["runs"]["laptop"])
    fault(config)


@pytest.mark.parametrize("name", ["base", "tasks", "sft@3"])
def test_a_stage_name_that_would_collide_with_a_checkpoint_is_refused(config, name):
    config["runs"]["laptop"]["stages"][name] = copy.deepcopy(config["runs"]["laptop"]["stages"]["sft"])
    fault(config)


def test_an_unknown_run_lists_the_runs(config):
    settings = load_settings(ROOT, config, "config.yaml")
    with pytest.raises(UserError, match=r'there is no run "labtop".*Did you mean "laptop"'):
        find_run(settings, "labtop")


def test_settings_of_a_step_do_not_depend_on_the_order_of_keys(config):
    turned = copy.deepcopy(config)
    stages = turned["runs"]["laptop"]["stages"]
    stages["sft"] = dict(reversed(stages["sft"].items()))
    one = find_run(load_settings(ROOT, config, "config.yaml"), "laptop")
    other = find_run(load_settings(ROOT, turned, "config.yaml"), "laptop")
    assert one.stage_settings("sft") == other.stage_settings("sft")


def test_every_pass_and_part_is_sampled_with_a_seed_of_its_own(config):
    run = find_run(load_settings(ROOT, config, "config.yaml"), "laptop")
    settings = {run.sampling(part, scoring) for part in ("dev", "holdout") for scoring in (1, 2, 3)}
    assert len(settings) == 6


def test_every_key_of_the_schema_is_described():
    schema = yaml.safe_load((ROOT / "config.schema.yaml").read_text())
    definitions = schema["$defs"]

    def described(name: str, part: dict[str, Any]) -> None:
        for key, rule in part.get("properties", {}).items():
            target = definitions[rule["$ref"].rsplit("/", 1)[1]] if "$ref" in rule else {}
            assert rule == {} or "description" in rule or "description" in target, f"{name}.{key}"

    described("config", schema)
    for name, part in definitions.items():
        described(name, part)
        for choice in part.get("allOf", []):
            described(name, choice.get("then", {}))
