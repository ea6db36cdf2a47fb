"""``extends: NAME`` gives runs and stages what blocks of ``defaults`` have."""

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from sqlrl.config.extends import write_out
from sqlrl.config.settings import load_settings
from sqlrl.errors import UserError

ROOT = Path(__file__).parents[2]
CONFIG: dict[str, Any] = {
    "defaults": {
        "runs": {"small": {"scoring": {"k": 4, "passes": 3}, "databases": ["shop"]}},
        "stages": {
            "round": {"kind": "grpo", "lora": {"rank": 8}, "checkpoints": [1, 2]},
            "late": {"extends": "round", "lora": {"alpha": 16}, "steps": 5},
        },
    },
    "runs": {
        "one": {
            "extends": "small",
            "scoring": {"k": 2},
            "stages": {"r1": {"extends": "late", "from": "base", "lora": {"rank": 4}, "checkpoints": [3]}},
        }
    },
}


def test_own_keys_win_block_by_block_and_lists_are_not_mixed():
    run = write_out(CONFIG).config["runs"]["one"]
    assert (run["scoring"], run["databases"]) == ({"k": 2, "passes": 3}, ["shop"])
    assert run["stages"]["r1"] == {
        "from": "base", "lora": {"rank": 4, "alpha": 16}, "checkpoints": [3], "steps": 5, "kind": "grpo",
    }  # fmt: skip


def test_each_value_that_a_block_gave_is_known():
    assert write_out(CONFIG).origins == {
        ("runs", "one", "scoring", "passes"): "defaults.runs.small",
        ("runs", "one", "databases"): "defaults.runs.small",
        ("runs", "one", "stages", "r1", "lora", "alpha"): "defaults.stages.late",
        ("runs", "one", "stages", "r1", "steps"): "defaults.stages.late",
        ("runs", "one", "stages", "r1", "kind"): "defaults.stages.round",
    }


def test_what_is_written_out_is_a_copy():
    before = copy.deepcopy(CONFIG)
    write_out(CONFIG).config["runs"]["one"]["databases"].append("clinic")
    assert before == CONFIG


def test_stages_of_a_block_and_the_control_of_an_ablation_extend_blocks_too():
    config = {
        "defaults": {"runs": {"a": {"stages": {"r1": {"extends": "s"}}}}, "stages": {"s": {"steps": 7}}},
        "runs": {"one": {"extends": "a", "ablation": {"control": {"extends": "s"}}}},
    }
    run = write_out(config).config["runs"]["one"]
    assert run == {"stages": {"r1": {"steps": 7}}, "ablation": {"control": {"steps": 7}}}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (
            lambda c: c["runs"]["laptop"].update(extends="smal"),
            'runs.laptop.extends is "smal", which defaults.runs does not have: small, published. Did you mean "small"?',
        ),
        (
            lambda c: c["defaults"]["stages"]["round"].update(extends="control"),
            "defaults.stages.round extends itself, by way of round and control.",
        ),
        (
            lambda c: c["defaults"]["stages"].update(lonely={"steps": 1}),
            "defaults.stages.lonely is extended by nothing: use it, or leave it out.",
        ),
        (
            lambda c: c["defaults"]["stages"]["imitation"].update(batchsize=8),
            'runs.laptop.stages.sft (of defaults.stages.imitation) has an unknown key "batchsize".',
        ),
        (
            lambda c: c["defaults"]["runs"]["small"]["scoring"].update(k="four"),
            "runs.laptop.scoring.k (of defaults.runs.small) is 'four'; expected integer.",
        ),
        (
            lambda c: c["defaults"].update(models={}),
            'defaults has an unknown key "models". Allowed: runs, stages.',
        ),
        (
            lambda c: c["runs"]["laptop"].update(extends=["small"]),
            "runs.laptop.extends is \"['small']\", which",
        ),
    ],
)
def test_a_fault_names_the_place_and_the_block(change, fault):
    config = yaml.safe_load((ROOT / "config.yaml").read_text())
    change(config)
    with pytest.raises(UserError) as error:
        load_settings(ROOT, config, "config.yaml")
    assert f"config.yaml: {fault}" in str(error.value)


def test_config_yaml_holds_every_run_in_fewer_than_250_lines():
    assert len((ROOT / "config.yaml").read_text().splitlines()) < 250


blocks = st.recursive(
    st.integers(), lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3), max_leaves=8
)


@given(
    own=st.dictionaries(st.sampled_from("abc"), blocks), block=st.dictionaries(st.sampled_from("abc"), blocks)
)
def test_what_a_run_says_itself_always_stays(own, block):
    config = {"defaults": {"runs": {"b": block}}, "runs": {"one": {**own, "extends": "b"}}}
    assert contains(write_out(config).config["runs"]["one"], own)


def contains(found: Any, own: Any) -> bool:
    if isinstance(own, dict):
        return isinstance(found, dict) and all(key in found and contains(found[key], own[key]) for key in own)
    return bool(found == own)
