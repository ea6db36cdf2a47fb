"""An ablation, built whole: arms and control with two seeds, compared, and a new arm trains no old one again."""

import json

import pytest

from tests.workflow.conftest import Workspace

pytestmark = pytest.mark.slow

SEEDS = [1, 2]
STAGES = {f"{arm}-{seed}" for arm in ("control", "large-steps") for seed in SEEDS}


def add_ablation(config: dict) -> None:
    run = config["runs"]["micro"]
    run["scoring"]["passes"] = 1
    run["stages"] = {"sft": run["stages"]["sft"]}
    run["ablation"] = {
        "seeds": SEEDS,
        "control": {
            "kind": "grpo",
            "from": "sft",
            "steps": 2,
            "prompts_per_step": 1,
            "group_size": 8,
            "learning_rate": 2.0e-4,
            "max_tokens": 96,
            "feed": "sweep",
            "lora": {"rank": 32, "alpha": 64},
            "band": {"enabled": False},
        },
        "arms": {"large-steps": {"steps": 1, "prompts_per_step": 2}},
    }


@pytest.fixture
def levers(copy: Workspace) -> Workspace:
    copy.configure(add_ablation)
    return copy


def test_an_ablation_is_judged_over_seeds_and_a_new_arm_trains_only_itself(levers):
    planned = levers.stale("delta_report")
    assert planned["train_grpo"] == len(STAGES)
    assert "train_sft" not in planned
    levers.snakemake("delta_report")
    results = levers.folder / "results" / "micro"
    document = json.loads((results / "delta_report.json").read_text())
    ablation = document["ablation"]
    [arm] = ablation["arms"]
    assert ablation["seeds"] == SEEDS
    assert arm["changes"] == {"steps": [2, 1], "prompts_per_step": [1, 2]}
    assert arm["samples"] == ablation["control"]["samples"] == [16, 16]
    assert arm["interval"][0] <= arm["difference"] <= arm["interval"][1]
    assert {one["checkpoint"] for one in document["parity"]} >= STAGES
    assert "One factor at a time" in (results / "delta_report.html").read_text()
    adapters = levers.results("micro/control-*/adapter/adapter_model.safetensors")
    assert len(set(adapters.values())) == len(SEEDS)
    assert levers.stale("delta_report") == {}

    levers.configure(lambda config: config["runs"]["micro"]["ablation"]["arms"].update(kl={"beta": 0.1}))
    stale = levers.stale("delta_report")
    assert stale["train_grpo"] == stale["check_parity"] == len(SEEDS)
    assert "train_sft" not in stale
