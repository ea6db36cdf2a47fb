"""An adapter that a server would apply in part, or not at all, is found by its names."""

import json
import shutil
from pathlib import Path

import pytest
from safetensors.torch import load_file, save_file

from sqlrl.models.architecture import linear_names
from sqlrl.sampling.adapter import CONFIG, WEIGHTS
from sqlrl.sampling.lint import find_faults
from tests.tiny_models import KINDS


def copy(adapter: Path, folder: Path, change=lambda name: name, **config) -> Path:
    """The adapter with its tensors renamed, or left out where the new name is None."""
    shutil.copytree(adapter, folder)
    (folder / CONFIG).write_text(json.dumps({**json.loads((folder / CONFIG).read_text()), **config}))
    tensors = load_file(folder / WEIGHTS)
    renamed = {change(name): value for name, value in tensors.items() if change(name)}
    save_file(renamed, folder / WEIGHTS)
    return folder


@pytest.mark.parametrize("kind", KINDS)
def test_an_adapter_of_the_checkpoints_class_is_whole(models, adapters, kind: str):
    assert find_faults(adapters[kind], linear_names(models[kind])) == []


def test_the_part_that_reads_pictures_is_not_adapted(models):
    names = linear_names(models["qwen3.5-whole"])
    assert names
    assert all(name.startswith("model.language_model.layers.") for name in names)
    assert any(name.endswith("linear_attn.in_proj_qkv") for name in names)


@pytest.mark.parametrize(("kind", "old", "new"), [
    ("qwen3.5-whole", "model.language_model.layers", "model.layers"),
    ("qwen3", "model.layers", "model.language_model.layers"),
])  # fmt: skip
def test_the_names_of_another_class_are_a_wrong_prefix(models, adapters, tmp_path, kind, old, new):
    wrong = copy(adapters[kind], tmp_path / "adapter", lambda name: name.replace(old, new))
    (fault,) = find_faults(wrong, linear_names(models[kind]))
    assert "(wrong prefix)" in fault
    assert f"{old}.0." in fault


def test_modules_that_got_lost_are_counted(models, adapters, tmp_path):
    wrong = copy(adapters["llama"], tmp_path / "adapter", lambda name: None if ".mlp." in name else name)
    (fault,) = find_faults(wrong, linear_names(models["llama"]))
    assert fault.startswith("6 of the modules that target_modules names have no weights")


def test_an_adapter_of_another_model_is_told(models, adapters, tmp_path):
    wrong = copy(adapters["llama"], tmp_path / "adapter", lambda name: name.replace("q_proj", "query"))
    assert "is for another model" in find_faults(wrong, linear_names(models["llama"]))[0]


@pytest.mark.parametrize(
    ("config", "said"), [({"use_dora": True}, "use_dora"), ({"r": 600}, "ranks up to 512")]
)
def test_what_servers_refuse_is_a_fault(models, adapters, tmp_path, config, said):
    wrong = copy(adapters["llama"], tmp_path / "adapter", **config)
    assert said in find_faults(wrong, linear_names(models["llama"]))[0]
