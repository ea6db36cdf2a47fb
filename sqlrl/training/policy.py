"""The model that is trained: a frozen base with a LoRA adapter in float32, and its files."""

import hashlib
import json
import logging
from pathlib import Path
from typing import Any

import torch
from peft import (
    LoraConfig,
    PeftModel,
    get_peft_model,
    get_peft_model_state_dict,
    set_peft_model_state_dict,
)
from safetensors.torch import load_file, save_file
from transformers import PreTrainedModel, set_seed

from sqlrl.errors import UserError
from sqlrl.files import write_json
from sqlrl.models.architecture import VISUAL, has_pictures, load_base
from sqlrl.records import read_text
from sqlrl.sampling.layers import best_dtype as best_cpu_dtype
from sqlrl.training.manifest import CONFIG, WEIGHTS
from sqlrl.training.settings import LoraSettings

ADAPTER = "default"

logger = logging.getLogger(__name__)


def best_dtype() -> torch.dtype:
    """bfloat16 where the machine multiplies it faster than float32, else float32."""
    if torch.cuda.is_available():
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float32
    return best_cpu_dtype()


def open_policy(
    model: Path, parent: Path | None, lora: LoraSettings, seed: int, dtype: torch.dtype | None = None
) -> PeftModel:
    """Load a base model with a fresh adapter, or with its parent's.

    Args:
        model: folder of the base model.
        parent: folder of the adapter to continue; None for a fresh one, whose effect is nil.
        lora: of this stage; rank, alpha and targets must be the parent's.
        seed: of the fresh adapter.
        dtype: of the base model; None takes best_dtype.

    Raises:
        UserError: the parent has another rank, alpha or targets.
    """
    base = load_base(model, dtype or best_dtype())
    set_seed(seed)
    policy: PeftModel = get_peft_model(base, _lora_config(lora, base))
    if parent is not None:
        _check_parent(parent, policy.peft_config[ADAPTER])
        load_adapter(policy, parent)
    return policy


def load_adapter(policy: PeftModel, folder: Path) -> None:
    """Replace the adapter's weights by those of an adapter folder.

    Raises:
        UserError: a weight is missing or unknown.
    """
    tensors = load_file(folder / WEIGHTS)
    if tensors.keys() != adapter_tensors(policy).keys():
        odd = sorted(tensors.keys() ^ adapter_tensors(policy).keys())[0]
        raise UserError(f"{folder / WEIGHTS}: {odd} does not fit the model.")
    load_tensors(policy, tensors)


def load_tensors(policy: PeftModel, tensors: dict[str, torch.Tensor]) -> None:
    """Replace the adapter's weights by these, named as adapter_tensors names them."""
    set_peft_model_state_dict(policy, tensors, adapter_name=ADAPTER)


def adapter_tensors(policy: PeftModel) -> dict[str, torch.Tensor]:
    """The adapter's weights by the names that PEFT files have, on the CPU."""
    tensors = get_peft_model_state_dict(policy, adapter_name=ADAPTER)
    return {name: tensors[name].detach().cpu().contiguous() for name in sorted(tensors)}


def open_adapted(model: Path, adapter: Path, causal: bool = False) -> PeftModel:
    """Load a base model with an adapter's files, to look at and not to train.

    Args:
        model: folder of the base model.
        adapter: folder of the adapter.
        causal: load the base as ``AutoModelForCausalLM`` does; see load_base.

    Raises:
        UserError: a weight of the adapter is missing or unknown; PEFT itself passes over it.
    """
    base = load_base(model, best_dtype(), causal)
    policy = PeftModel.from_pretrained(base, adapter, adapter_name=ADAPTER)
    load_adapter(policy, adapter)
    return policy.eval().to("cuda" if torch.cuda.is_available() else "cpu")


def digest_frozen(policy: PeftModel) -> str:
    """SHA-256 over the names and bytes of the base model's weights, as they are in memory."""
    digest = hashlib.sha256()
    for name, weight in sorted(policy.named_parameters()):
        if ".lora_" not in name:
            digest.update(name.encode())
            digest.update(memoryview(weight.detach().cpu().reshape(-1).view(torch.uint8).numpy()))
    return digest.hexdigest()


def save_adapter(policy: PeftModel, folder: Path, base_name: str) -> None:
    """Write adapter_model.safetensors and adapter_config.json, equal bytes for equal adapters.

    Args:
        policy: see open_policy.
        folder: made where it is missing.
        base_name: what the config names as its base model: a name, not a path of this machine.
    """
    folder.mkdir(parents=True, exist_ok=True)
    save_file(adapter_tensors(policy), folder / WEIGHTS, metadata={"format": "pt"})
    config = policy.peft_config[ADAPTER].to_dict() | {
        "base_model_name_or_path": base_name,
        "inference_mode": True,
    }
    write_json(folder / CONFIG, {key: _plain(value) for key, value in config.items()})


def _plain(value: Any) -> Any:
    return sorted(value) if isinstance(value, set) else value


def _lora_config(lora: LoraSettings, base: PreTrainedModel) -> LoraConfig:
    targets = lora.targets if isinstance(lora.targets, str) else list(lora.targets)
    return LoraConfig(
        r=lora.rank,
        lora_alpha=lora.alpha,
        lora_dropout=lora.dropout,
        target_modules=targets,
        exclude_modules=VISUAL if targets == "all-linear" and has_pictures(base.config) else None,
        task_type="CAUSAL_LM",
    )


def _check_parent(parent: Path, own: LoraConfig) -> None:
    config = json.loads(read_text(parent / CONFIG))
    pairs = {
        "rank": (config["r"], own.r),
        "alpha": (config["lora_alpha"], own.lora_alpha),
        "targets": (
            _plain(
                config["target_modules"],
            ),
            sorted(own.target_modules or ()),
        ),
    }
    for name, (theirs, ours) in pairs.items():
        theirs = sorted(theirs) if isinstance(theirs, list) else theirs
        if theirs != ours:
            raise UserError(
                f"lora.{name} of this stage is {ours}, but the adapter that it continues, {parent}, has "
                f"{theirs}. A stage continues its parent's adapter: give both the same {name}."
            )
