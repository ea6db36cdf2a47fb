"""The class of a model: the one that its checkpoint names, whose module names a server applies adapters by.

Classes do not agree on names. Of Qwen3.5, ``AutoModelForCausalLM`` makes ``model.layers...`` and the class of
the checkpoint ``model.language_model.layers...``; a server that knows the second passes over every weight
of an adapter with the first, and says nothing. So adapters are trained on the checkpoint's own class.
"""

from pathlib import Path
from typing import Any

import torch
import transformers
from torch import nn
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedConfig, PreTrainedModel

from sqlrl.errors import UserError

# The part of a model that reads pictures: no text passes it, and it is never adapted.
VISUAL = r"(^|.*\.)visual\..*"


def load_base(folder: Path, dtype: torch.dtype, causal: bool = False) -> PreTrainedModel:
    """Load a base model in the class that its config.json names, or in that of ``AutoModelForCausalLM``.

    Raises:
        UserError: transformers has no such class.
    """
    kind = AutoModelForCausalLM if causal else _class_of(AutoConfig.from_pretrained(folder), folder)
    loaded: PreTrainedModel = kind.from_pretrained(folder, dtype=dtype)
    return loaded


def class_name(folder: Path) -> str:
    """The class that loads a model by the names of its checkpoint; ``AutoModelForCausalLM`` where that does."""
    names = linear_names(folder)
    if names == linear_names(folder, causal=True):
        return "AutoModelForCausalLM"
    return str(_class_of(AutoConfig.from_pretrained(folder), folder).__name__)


def has_pictures(config: PreTrainedConfig) -> bool:
    """Whether a model also reads pictures."""
    return getattr(config, "vision_config", None) is not None


def linear_names(folder: Path, causal: bool = False) -> set[str]:
    """Names of all linear layers that an adapter may have, as the checkpoint's class has them, or that of
    ``AutoModelForCausalLM``.

    Neither the output head nor the part that reads pictures is among them. Nothing is loaded.
    """
    config = AutoConfig.from_pretrained(folder)
    kind = AutoModelForCausalLM if causal else _class_of(config, folder)
    with torch.device("meta"):
        model = kind.from_config(config) if kind is AutoModelForCausalLM else kind(config)
    head = model.get_output_embeddings()
    return {
        name
        for name, module in model.named_modules()
        if isinstance(module, nn.Linear) and module is not head and "visual" not in name.split(".")
    }


def _class_of(config: PreTrainedConfig, folder: Path) -> Any:
    names = config.architectures or []
    if not names:
        return AutoModelForCausalLM
    kind = getattr(transformers, names[0], None)
    if kind is None:
        raise UserError(
            f"{folder / 'config.json'}: architectures is {names[0]}, which transformers "
            f"{transformers.__version__} does not have."
        )
    return kind
