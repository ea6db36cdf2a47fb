"""An ablation of config.yaml: the stages that it stands for, and what is no fair comparison."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from sqlrl.config.run import find_run
from sqlrl.config.settings import load_settings
from sqlrl.errors import UserError
from sqlrl.records import from_json
from sqlrl.report.settings import Claims
from sqlrl.training.settings import GrpoSettings, read_stage
from tests.config.shipped import shipped_config

ROOT = Path(__file__).parents[2]
RUN = "ablation-laptop"


@pytest.fixture
def config() -> dict[str, Any]:
    return shipped_config()


@pytest.fixture
def ablation(config) -> dict[str, Any]:
    """The block to change."""
    found: dict[str, Any] = config["runs"][RUN]["ablation"]
    return found


def loaded(config: dict[str, Any]) -> dict[str, Any]:
    return load_settings(ROOT, config, "config.yaml")


def fault(config: dict[str, Any]) -> str:
    with pytest.raises(UserError) as caught:
        loaded(config)
    return str(caught.value)


def test_an_ablation_is_plain_stages_an_arm_and_a_seed_each(config):
    run = find_run(loaded(config), RUN)
    arms = ("control", "large-steps", "band", "mask", "adaptive")
    assert run.stages == ["sft", *(f"{arm}-{seed}" for arm in arms for seed in (1, 2, 3))]
    assert run.own_stages == ["sft"]
    assert run.stage("control-2")["seed"] == 2
    assert run.stage("band-3")["band"]["enabled"]
    assert run.stage("band-3")["band"]["k"] == run.stage("control-3")["band"]["k"] == 4
    assert run.stage("mask-1")["lora"]["rank"] == 16
    assert {run.stage(name)["from"] for name in run.stages[1:]} == {"sft"}


@pytest.mark.parametrize("name", [RUN, "ablation"])
def test_every_arm_uses_as_many_samples_and_changes_one_lever(config, name):
    run = find_run(loaded(config), name)
    stages = [run.stage(stage) for stage in run.stages if stage not in run.own_stages]
    assert len({one["steps"] * one["prompts_per_step"] * one["group_size"] for one in stages}) == 1
    told = run.ablation()
    assert told is not None
    assert all(len(arm["stages"]) == 3 for arm in told["arms"])
    changed = {arm["name"]: arm["changes"] for arm in told["arms"]}
    assert changed["band"] == {"band.enabled": [False, True]}
    assert changed["mask"] == {"truncated": ["zero", "mask"]}
    assert set(changed["large-steps"]) == {"steps", "prompts_per_step"}


def test_the_report_is_told_of_an_ablation_and_of_nothing_where_there_is_none(config):
    settings = loaded(config)
    told = json.loads(find_run(settings, RUN).provenance())["ablation"]
    assert told["control"] == ["control-1", "control-2", "control-3"]
    assert "ablation" not in json.loads(find_run(settings, "laptop").provenance())


@pytest.mark.parametrize("name", [RUN, "ablation"])
def test_what_scripts_are_told_of_an_ablation_is_what_they_read(config, name):
    run = find_run(loaded(config), name)
    claims = from_json(Claims, run.provenance(), "--provenance")
    assert claims.ablation is not None
    assert claims.ablation.all_stages == set(run.stages) - set(run.own_stages)
    for stage in claims.ablation.all_stages:
        read_stage(GrpoSettings, run.stage_settings(stage), stage)


def test_stages_of_an_ablation_are_scored_on_the_holdout_alone(config):
    run = find_run(loaded(config), RUN)
    assert run.dev_checkpoints() == ["base", "sft"]
    assert run.holdout_checkpoints() == ["base", *run.stages]
    assert find_run(loaded(config), "ablation").dev_checkpoints() == []


def test_what_is_published_is_no_stage_of_an_ablation(config):
    assert find_run(loaded(config), RUN).published() == "sft"
    with pytest.raises(UserError, match="has no stage"):
        find_run(loaded(config), "ablation").published()
    config["run"], config["publish"] = RUN, "band-2"
    assert 'publish is "band-2", a stage of the ablation' in fault(config)
    assert 'Stages of "ablation-laptop" besides: sft.' in fault(config)


def test_an_unknown_key_of_an_arm_is_named_where_it_stands(config, ablation):
    ablation["arms"]["mask"] = {"truncatd": "mask"}
    message = fault(config)
    assert f'runs.{RUN}.ablation.arms.mask has an unknown key "truncatd"' in message
    assert 'Did you mean "truncated"?' in message
    assert message.count("truncatd") == 1
    assert "mask-1" not in message


def test_a_wrong_value_of_an_arm_is_named_where_it_stands(config, ablation):
    ablation["arms"]["mask"] = {"truncated": "masc"}
    assert f'runs.{RUN}.ablation.arms.mask.truncated is "masc". Allowed: mask, zero, judge' in fault(config)


def test_a_fault_of_the_control_is_named_there(config, ablation):
    ablation["control"]["from"] = "sfft"
    message = fault(config)
    assert f'runs.{RUN}.ablation.control.from is "sfft", but this run has no stage of that name' in message
    assert "control-1" not in message.split("\n")[0]
    del ablation["control"]["steps"]
    assert f'runs.{RUN}.ablation.control needs the key "steps"' in fault(config)


def test_a_control_of_another_kind_is_refused(config, ablation):
    ablation["control"] = copy.deepcopy(config["runs"][RUN]["stages"]["sft"])
    assert f"runs.{RUN}.ablation.control.kind is 'sft'" in fault(config)


def test_an_arm_with_other_samples_is_told_both_products(config, ablation):
    ablation["arms"]["large-steps"] = {"steps": 2, "prompts_per_step": 5}
    assert (
        f"runs.{RUN}.ablation.arms.large-steps samples 2 x 5 x 8 = 80, the control 8 x 1 x 8 = 64"
        in fault(config)
    )


def test_an_arm_that_starts_elsewhere_is_refused(config, ablation):
    ablation["arms"]["mask"] = {"from": "base"}
    assert 'arms.mask.from is "base", but every arm starts where the control does, from "sft"' in fault(
        config
    )


@pytest.mark.parametrize(
    "changed",
    [{"truncated": "mask", "band": {"enabled": True}}, {"feed": "adaptive", "beta": 0.01}],
)
def test_an_arm_that_changes_two_levers_is_refused(config, ablation, changed):
    ablation["arms"]["mask"] = changed
    assert "an arm shows one lever" in fault(config)


@pytest.mark.parametrize("changed", [{"truncated": "zero"}, {"save_steps": 2}])
def test_an_arm_that_changes_nothing_is_refused(config, ablation, changed):
    ablation["arms"]["mask"] = changed
    assert "arms.mask changes nothing that decides what the stage learns" in fault(config)


def test_how_a_stage_is_computed_may_change_beside_its_lever(config, ablation):
    ablation["arms"]["mask"] |= {"micro_batch_size": 4, "save_steps": 2}
    loaded(config)


def test_a_feed_that_samples_more_is_refused(config, ablation):
    ablation["control"]["adaptive"]["backfill"] = 2.0
    message = fault(config)
    assert "arms.adaptive.adaptive.backfill is 2.0" in message
    assert "set it to 1.0" in message


def test_a_stage_that_could_stop_early_is_refused(config, ablation):
    ablation["arms"]["mask"] = {"stop_without_variance": 3}
    assert "arms.mask.stop_without_variance is 3" in fault(config)


@pytest.mark.parametrize("seeds", [[1], [], [1, 2, 2]])
def test_seeds_must_be_two_or_more_different_ones(config, ablation, seeds):
    ablation["seeds"] = seeds
    assert f"runs.{RUN}.ablation.seeds is {seeds}" in fault(config)
    assert "two or more different ones, such as [1, 2, 3]" in fault(config)


@pytest.mark.parametrize("place", ["control", "arm"])
def test_a_seed_stands_in_seeds_alone(config, ablation, place):
    (ablation["control"] if place == "control" else ablation["arms"]["mask"])["seed"] = 4
    assert "seed is set, but the seeds of all stages are those of" in fault(config)


def test_names_that_collide_are_refused(config, ablation):
    config["runs"][RUN]["stages"]["band-2"] = copy.deepcopy(config["runs"][RUN]["stages"]["sft"])
    assert f'runs.{RUN}.stages has the name "band-2", which is that of a stage of' in fault(config)
    del config["runs"][RUN]["stages"]["band-2"]
    ablation["arms"]["control"] = {"truncated": "mask"}
    assert 'ablation.arms has the name "control"' in fault(config)


def test_a_file_that_is_no_configuration_is_still_told_so(config):
    config["runs"] = []
    assert "runs is []" in fault(config)
