"""An adapter is applied in full or refused: never in part, never in silence."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from sqlrl.errors import UserError
from sqlrl.sampling.adapter import CONFIG, WEIGHTS, digest_adapter, read_adapter
from sqlrl.sampling.weights import Weights, load_tensors


@pytest.fixture
def adapter(adapters: dict[str, Path], tmp_path: Path) -> Path:
    for name in (CONFIG, WEIGHTS):
        (tmp_path / name).write_bytes((adapters["llama"] / name).read_bytes())
    return tmp_path


def change_config(adapter: Path, **values: object) -> None:
    config = json.loads((adapter / CONFIG).read_text())
    (adapter / CONFIG).write_text(json.dumps(config | values))


def test_every_linear_map_of_the_model_gets_its_update(models, adapters):
    updates = read_adapter(adapters["llama"])
    tensors = load_tensors(models["llama"])
    linear = {name for name, tensor in tensors.items() if tensor.dim() == 2 and "embed" not in name}
    assert set(updates) == linear
    for name, update in updates.items():
        assert update.delta().shape == tensors[name].shape


def test_the_delta_is_alpha_over_rank_times_b_a(adapters):
    tensors = load_file(adapters["llama"] / WEIGHTS)
    name = "model.layers.0.self_attn.q_proj"
    down, up = (tensors[f"base_model.model.{name}.lora_{side}.weight"] for side in "AB")
    torch.testing.assert_close(read_adapter(adapters["llama"])[f"{name}.weight"].delta(), 2.0 * up @ down)


def test_rank_stabilised_scaling_is_applied(adapter: Path):
    before = read_adapter(adapter)["model.layers.0.self_attn.q_proj.weight"].scale
    change_config(adapter, use_rslora=True)
    assert read_adapter(adapter)["model.layers.0.self_attn.q_proj.weight"].scale == before * 2


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("use_dora", True),
        ("bias", "all"),
        ("modules_to_save", ["lm_head"]),
        ("rank_pattern", {"q_proj": 2}),
        ("alpha_pattern", {"q_proj": 2}),
        ("fan_in_fan_out", True),
        ("layer_replication", [[0, 1]]),
    ],
)
def test_a_feature_that_would_be_left_out_is_refused(adapter: Path, key: str, value: object):
    change_config(adapter, **{key: value})
    with pytest.raises(UserError, match=key):
        read_adapter(adapter)


def test_another_kind_of_adapter_is_refused(adapter: Path):
    change_config(adapter, peft_type="LOHA")
    with pytest.raises(UserError, match="LOHA"):
        read_adapter(adapter)


def test_half_a_pair_is_refused(adapter: Path):
    tensors = load_file(adapter / WEIGHTS)
    tensors.pop(next(name for name in tensors if "lora_B" in name))
    save_file(tensors, adapter / WEIGHTS)
    with pytest.raises(UserError, match="no pair"):
        read_adapter(adapter)


def test_a_tensor_that_is_no_low_rank_update_is_refused(adapter: Path):
    tensors = load_file(adapter / WEIGHTS)
    tensors["base_model.model.model.embed_tokens.weight"] = torch.zeros(2, 2)
    save_file(tensors, adapter / WEIGHTS)
    with pytest.raises(UserError, match="embed_tokens"):
        read_adapter(adapter)


def test_an_update_for_a_weight_that_is_not_there_is_refused(models, adapter: Path):
    tensors = load_file(adapter / WEIGHTS)
    renamed = {name.replace("model.layers", "language_model.layers"): t for name, t in tensors.items()}
    save_file(renamed, adapter / WEIGHTS)
    with pytest.raises(UserError, match="does not have"):
        Weights(load_tensors(models["llama"]), read_adapter(adapter))


def test_a_folder_without_an_adapter_is_named(tmp_path: Path):
    with pytest.raises(UserError, match=r"adapter_config\.json is missing"):
        digest_adapter(tmp_path)
