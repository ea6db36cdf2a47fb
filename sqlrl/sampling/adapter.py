"""Read a PEFT LoRA adapter as what it adds to each weight of the base model."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor

from sqlrl.errors import UserError
from sqlrl.files import digest_file
from sqlrl.records import read_text

WEIGHTS = "adapter_model.safetensors"
CONFIG = "adapter_config.json"
PREFIX = "base_model.model."
# Features of PEFT whose effect is not scale * B @ A, with the value that means "not used".
REFUSED: Mapping[str, Any] = {
    "use_dora": False,
    "bias": "none",
    "modules_to_save": None,
    "fan_in_fan_out": False,
    "rank_pattern": {},
    "alpha_pattern": {},
    "layer_replication": None,
}


@dataclass(frozen=True)
class Lora:
    """A low-rank update of one weight: ``scale * up @ down``, (out, rank) and (rank, in), float32."""

    down: Tensor
    up: Tensor
    scale: float

    def delta(self) -> Tensor:
        """What is added to the weight, shape (out, in), float32."""
        return (self.up @ self.down).mul_(self.scale)


def read_adapter(folder: Path) -> dict[str, Lora]:
    """Read an adapter folder: low-rank updates by the name of the base model's weight.

    Raises:
        UserError: no adapter there, or one with a feature that this sampler can't apply.
    """
    settings = _read_settings(folder / CONFIG)
    rank, alpha = settings["r"], settings["lora_alpha"]
    scale = alpha / rank**0.5 if settings.get("use_rslora") else alpha / rank
    tensors = load_file(folder / WEIGHTS)
    modules = sorted({name.partition(".lora_")[0] for name in tensors})
    updates = {}
    for module in modules:
        pair = [tensors.pop(f"{module}.lora_{side}.weight", None) for side in "AB"]
        if pair[0] is None or pair[1] is None:
            raise UserError(f"{folder / WEIGHTS}: {module} is no pair of lora_A and lora_B.")
        down, up = (side.to(torch.float32) for side in pair)
        updates[module.removeprefix(PREFIX) + ".weight"] = Lora(down, up, scale)
    if tensors:
        raise UserError(f"{folder / WEIGHTS}: can't apply {sorted(tensors)[0]}.")
    return updates


def digest_adapter(folder: Path) -> str:
    """A digest of what an adapter does: of its config and of its weights.

    Raises:
        UserError: no adapter there.
    """
    for name in (CONFIG, WEIGHTS):
        if not (folder / name).is_file():
            raise UserError(f"{folder}: no adapter here, {name} is missing.")
    return digest_file(folder / CONFIG) + digest_file(folder / WEIGHTS)


def _read_settings(file: Path) -> dict[str, Any]:
    settings: dict[str, Any] = json.loads(read_text(file))
    if settings.get("peft_type") != "LORA":
        raise UserError(f"{file}: peft_type is {settings.get('peft_type')!r}; only LORA can be sampled from.")
    for key, unused in REFUSED.items():
        if settings.get(key) not in (unused, None):
            raise UserError(f"{file}: {key} is {settings[key]!r}, which the sampler can't apply.")
    return settings
