"""config.yaml: what is accepted, which defaults are filled in, and how a fault is named."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from sqlrl.config.products import run_products
from sqlrl.config.run import find_run
from sqlrl.config.settings import load_settings
from sqlrl.config.shared import model_source, server_words
from sqlrl.errors import UserError
from sqlrl.models.messages import PromptSettings
from sqlrl.models.server import Price, ServerSettings, parse_server
from sqlrl.records import from_json
from tests.config.shipped import shipped_config

ROOT = Path(__file__).parents[2]


@pytest.fixture
def config() -> dict[str, Any]:
    return shipped_config()


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


def test_a_stage_that_learns_from_replies_has_them_collected_first(config):
    config["runs"]["laptop"]["stages"]["sft"]["learn_from"] = "replies"
    run = find_run(load_settings(ROOT, config, "config.yaml"), "laptop")
    assert run.reply_files("sft") == ["results/laptop/sft/replies.jsonl"]
    assert run.reply_files("grpo") == []
    assert "results/laptop/sft/timings/replies.json" in run.timings()
    assert "replies" not in json.loads(run.stage_settings("sft"))
    assert json.loads(run.collection("sft"))["per_task"] == 1


def test_how_long_a_job_may_take_is_no_part_of_what_a_stage_is(config):
    before = find_run(load_settings(ROOT, config, "config.yaml"), "laptop").stage_settings("grpo")
    config["runs"]["laptop"]["stages"]["grpo"]["wall_minutes"] = 30
    assert find_run(load_settings(ROOT, config, "config.yaml"), "laptop").stage_settings("grpo") == before


def test_a_stage_from_a_step_that_is_not_kept_is_refused(config):
    config["runs"]["laptop"]["stages"]["grpo"]["from"] = "sft@7"
    assert "keeps no checkpoint at step 7" in fault(config)


def test_a_checkpoint_after_the_end_is_refused(config):
    config["runs"]["laptop"]["stages"]["grpo"]["checkpoints"] = [100_000]
    assert "checkpoints has 100000, but the stage ends at step" in fault(config)


def test_what_is_published_is_the_last_stage_or_what_config_names(config):
    run = find_run(load_settings(ROOT, config, "config.yaml"), "laptop")
    assert run.published() == "grpo"
    assert run.holdout_checkpoints() == ["base", "sft", "grpo"]
    config["publish"] = "grpo@10"
    run = find_run(load_settings(ROOT, config, "config.yaml"), "laptop")
    assert run.published() == "grpo@10"
    assert run.holdout_checkpoints() == ["base", "sft", "grpo", "grpo@10"]


def test_what_is_published_is_of_the_run_that_is_built_alone(config):
    config["runs"]["other"] = copy.deepcopy(config["runs"]["laptop"])
    config["publish"] = "sft"
    settings = load_settings(ROOT, config, "config.yaml")
    assert find_run(settings, "laptop").published() == "sft"
    assert find_run(settings, "other").published() == "grpo"


def test_an_unknown_stage_to_publish_lists_the_stages(config):
    config["publish"] = "grppo"
    message = fault(config)
    assert 'config.yaml: publish is "grppo", but this run has no stage of that name.' in message
    assert 'Stages of "laptop": sft, grpo. Did you mean "grpo"?' in message


def test_a_step_that_is_not_kept_and_the_base_cannot_be_published(config):
    config["publish"] = "grpo@7"
    assert 'publish is "grpo@7", but grpo keeps no checkpoint at step 7 (checkpoints: 10)' in fault(config)
    config["publish"] = "base"
    assert 'publish is "base", which has no adapter. Stages of "laptop": sft, grpo.' in fault(config)


def test_a_run_without_stages_has_nothing_to_publish(config):
    config["runs"]["laptop"]["stages"] = {}
    run = find_run(load_settings(ROOT, config, "config.yaml"), "laptop")
    with pytest.raises(UserError, match=r'run "laptop" has no stage, and so no adapter to publish'):
        run.published()


def test_the_licence_of_a_model_decides_the_card_alone(config):
    before = load_settings(ROOT, config, "config.yaml")
    config["models"]["smollm2-135m"]["licence"] = "MIT"
    after = load_settings(ROOT, config, "config.yaml")
    assert model_source(before, "smollm2-135m") == model_source(after, "smollm2-135m")
    assert find_run(before, "laptop").publication() != find_run(after, "laptop").publication()


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


@pytest.mark.parametrize("name", ["base", "tasks", "published", "sft@3"])
def test_a_stage_name_that_would_collide_with_a_checkpoint_is_refused(config, name):
    config["runs"]["laptop"]["stages"][name] = copy.deepcopy(config["runs"]["laptop"]["stages"]["sft"])
    fault(config)


def test_a_schema_that_is_only_evaluated_on_is_in_no_part_of_training(config):
    config["runs"]["laptop"]["evaluate_on"] = ["clinic", "shop"]
    run = find_run(load_settings(ROOT, config, "config.yaml"), "laptop")
    assert (run.databases, run.unseen, run.evaluated) == (["shop"], ["clinic"], ["shop", "clinic"])
    assert run.tasks("holdout") == ["results/laptop/tasks/shop-holdout.jsonl"]
    assert run.evaluated_tasks()[1] == "results/laptop/tasks/clinic-holdout.jsonl"
    assert not any("clinic" in file for file in [*run.training_databases(), *run.tasks("train")])
    assert "results/laptop/grpo/scores/clinic-holdout-3.jsonl" in run.evaluated_samples("scores")
    assert json.loads(run.task_selection("clinic"))["trained"] is False
    assert json.loads(run.provenance())["unseen"] == ["clinic"]


def test_a_run_that_names_no_schema_to_evaluate_on_is_what_it_was(config):
    run = find_run(load_settings(ROOT, config, "config.yaml"), "laptop")
    assert run.evaluated == ["shop"]
    assert "trained" not in run.task_selection("shop")
    assert "unseen" not in run.provenance()


@pytest.mark.parametrize(
    ("named", "message"),
    [
        (["clinic"], "runs.laptop.evaluate_on lacks shop, which the run trains on: add it"),
        (["shop", "klinic"], 'runs.laptop.evaluate_on is "klinic", which databases does not have.'),
    ],
)
def test_what_is_evaluated_on_must_exist_and_hold_what_is_trained_on(config, named, message):
    config["runs"]["laptop"]["evaluate_on"] = named
    assert message in fault(config)


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


@pytest.fixture
def served(config) -> dict[str, Any]:
    """The configuration with a model behind an API, and a run that scores it."""
    config["models"]["far"] = {"source": "openai", "id": "big"}
    config["runs"]["far"] = {"model": "far", "sampler": "openai"}
    return config


def test_a_model_behind_an_api_gets_its_defaults(served):
    settings = load_settings(ROOT, served, "config.yaml")
    assert settings["models"]["far"] == {
        "source": "openai",
        "id": "big",
        "licence": None,
        "base_url": None,
        "key_variable": "OPENAI_API_KEY",
        "concurrency": 8,
        "tokens_per_second": 20,
        "retries": 6,
        "price": None,
    }
    served["models"]["far"] = {"source": "anthropic", "id": "big"}
    served["runs"]["far"]["sampler"] = "anthropic"
    anthropic = load_settings(ROOT, served, "config.yaml")["models"]["far"]
    assert anthropic["key_variable"] == "ANTHROPIC_API_KEY"


def test_what_decides_only_speed_and_price_names_no_model(served):
    before = load_settings(ROOT, served, "config.yaml")
    changes = {"concurrency": 2, "retries": 1, "tokens_per_second": 5.0, "key_variable": "MINE"}
    served["models"]["far"] |= {**changes, "price": {"input": 1.0, "output": 2}}
    after = load_settings(ROOT, served, "config.yaml")
    assert model_source(before, "far") == model_source(after, "far")
    asked = parse_server(server_words(before, "far"), "here")
    assert asked == ServerSettings("OPENAI_API_KEY", 8, 20.0, 6, None)
    asked = parse_server(server_words(after, "far"), "here")
    assert asked == ServerSettings("MINE", 2, 5.0, 1, Price(1.0, 2.0))


def test_a_run_without_stages_is_the_base_alone(served):
    settings = load_settings(ROOT, served, "config.yaml")
    run = find_run(settings, "far")
    assert (run.stages, run.holdout_checkpoints(), run.dev_checkpoints()) == ([], ["base"], [])
    assert run.server().startswith("key_variable=OPENAI_API_KEY,")
    assert find_run(settings, "laptop").server() == "none"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"sampler": "transformers"},
            'runs.far.sampler is "transformers", but models.far has source openai: set sampler: openai.',
        ),
        (
            {"model": "smollm2-135m"},
            'runs.far.sampler is "openai", but models.smollm2-135m has source package: its weights are here',
        ),
        (
            {"prompt": {"thinking": False}},
            "runs.far.prompt.thinking is false, but models.far has source openai",
        ),
    ],
)
def test_sampler_and_model_must_fit(served, change, message):
    served["runs"]["far"] |= change
    assert message in fault(served)


def test_a_model_behind_an_api_cannot_be_trained(served):
    served["runs"]["far"]["stages"] = copy.deepcopy(served["runs"]["laptop"]["stages"])
    message = fault(served)
    assert (
        "runs.far.stages is set, but models.far has source openai: such a model cannot be trained" in message
    )
    assert "snakemake base_benchmark --config run=far scores it" in message


def test_a_server_that_renders_a_template_can_be_told_to_think(served):
    served["models"]["far"]["base_url"] = "http://localhost:8000/v1"
    served["runs"]["far"]["prompt"] = {"thinking": False}
    load_settings(ROOT, served, "config.yaml")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"key_variable": "sk-secret"},
            "models.far.key_variable must be the name of an environment variable",
        ),
        (
            {"base_url": "https://me:sk-secret@host/v1"},
            "models.far.base_url must be http:// or https:// and a host",
        ),
        ({"base_url": "https://host/v1?key=sk-secret"}, "models.far.base_url must be"),
        ({"api_key": "sk-secret"}, 'models.far has an unknown key "api_key"'),
    ],
)
def test_a_key_in_the_configuration_is_refused_and_not_repeated(served, change, message):
    served["models"]["far"] |= change
    assert message in fault(served)
    assert "sk-secret" not in fault(served)


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


def test_what_prompts_hold_is_set_by_run(config):
    plain = json.loads(find_run(load_settings(ROOT, config, "config.yaml"), "laptop").prompt())
    assert plain["linking"] is None
    config["runs"]["laptop"]["prompt"] |= {"comments": False, "samples": 3, "linking": {"budget": 900}}
    changed = json.loads(find_run(load_settings(ROOT, config, "config.yaml"), "laptop").prompt())
    assert changed == {**plain, "comments": False, "samples": 3, "linking": {"budget": 900}}
    assert from_json(PromptSettings, json.dumps(changed), "x").linking.budget == 900


def test_only_a_run_that_links_tables_asks_for_their_figures(config):
    plain = find_run(load_settings(ROOT, config, "config.yaml"), "laptop")
    assert "results/laptop/prompts.json" not in run_products(plain)
    config["runs"]["laptop"]["prompt"]["linking"] = {"budget": 900}
    assert "results/laptop/prompts.json" in run_products(find_run(load_settings(ROOT, config, "x"), "laptop"))


@pytest.mark.parametrize(
    ("prompt", "message"),
    [
        ({"samples": -1}, "runs.laptop.prompt.samples is -1: -1 is less than the minimum of 0"),
        ({"samples": 99}, "runs.laptop.prompt.samples is 99"),
        ({"comments": "yes"}, "runs.laptop.prompt.comments is 'yes'; expected ['boolean', 'null']"),
        ({"linking": {}}, 'runs.laptop.prompt.linking needs the key "budget"'),
        (
            {"linking": {"budget": 3}},
            "runs.laptop.prompt.linking.budget is 3: 3 is less than the minimum of 200",
        ),
        ({"linking": {"buget": 3}}, 'runs.laptop.prompt.linking has an unknown key "buget"'),
    ],
)
def test_a_wrong_setting_of_prompts_is_named(config, prompt, message):
    config["runs"]["laptop"]["prompt"] = prompt
    assert message in fault(config)


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ({"source": "url"}, "databases.films has source url: name the environment variable"),
        ({"source": "sql", "url_variable": "FILMS_URL"}, "databases.films.url_variable is set, but"),
        (
            {"source": "url", "url_variable": "T2S_DATABASE_URL"},
            "the server on which the jobs make databases",
        ),
        ({"source": "files"}, 'databases.films.source is "files". Allowed: builtin, sql, url'),
        ({"snapshot": {"rows": 5}}, 'databases.films.snapshot has an unknown key "rows"'),
    ],
)
def test_a_source_that_can_not_be_meant_is_told(config, block, message):
    config["databases"]["films"] = block
    assert message in fault(config)


def test_a_connection_string_in_place_of_a_variable_is_refused_without_a_word_of_it(config):
    config["databases"]["films"] = {"source": "url", "url_variable": "postgresql://app:s3cret@host/films"}
    message = fault(config)
    assert "databases.films.url_variable must be the name of an environment variable" in message
    assert "s3cret" not in message


@pytest.mark.parametrize(
    "block",
    [
        {"source": "postgresql://app:s3cret@host/films"},
        "postgresql://app:s3cret@host/films",
        {"source": "url", "url_variable": ["postgresql://app:s3cret@host/films"]},
    ],
)
def test_a_connection_string_in_a_wrong_place_is_told_without_its_password(config, block):
    config["databases"]["films"] = block
    assert "s3cret" not in fault(config)


def test_a_database_is_seeded_by_a_generator_unless_config_says_otherwise(config):
    shop = load_settings(ROOT, config, "config.yaml")["databases"]["shop"]
    assert (shop["source"], shop["url_variable"]) == ("builtin", None)
    assert shop["snapshot"]["rows_per_table"] == 1000
