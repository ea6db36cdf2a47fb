"""Which stages of a run are one stage with several seeds."""

import json
from pathlib import Path

from sqlrl.config.run import find_run
from sqlrl.config.seeds import seed_groups
from sqlrl.config.settings import load_settings
from tests.config.shipped import shipped_config

ROOT = Path(__file__).parents[2]
STAGE = {"kind": "grpo", "from": "sft", "seed": 1, "band": {"k": 4}, "wall_minutes": 10, "gpus": None}


def test_stages_that_differ_in_their_seed_alone_are_one_group():
    stages = {
        "g-1": STAGE,
        "g-2": {**STAGE, "seed": 2, "wall_minutes": 99},
        "other-start": {**STAGE, "seed": 3, "from": "base"},
        "other-band": {**STAGE, "seed": 4, "band": {"k": 8}},
    }
    assert seed_groups(stages) == [["g-1", "g-2"]]


def test_the_same_seed_twice_is_no_group():
    assert seed_groups({"one": STAGE, "two": dict(STAGE)}) == []


def test_the_report_is_told_of_seeds_and_not_of_the_arms_of_an_ablation():
    config = shipped_config()
    stages = config["runs"]["laptop"]["stages"]
    stages["grpo-2"] = {**stages["grpo"], "seed": 77}
    settings = load_settings(ROOT, config, "config.yaml")
    assert json.loads(find_run(settings, "laptop").provenance())["seeds"] == [["grpo", "grpo-2"]]
    assert "seeds" not in json.loads(find_run(settings, "ablation-laptop").provenance())
