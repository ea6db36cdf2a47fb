"""Turn a GGUF file into a plain model that can be trained and sampled from.

transformers reads a GGUF's weights into dense tensors but keeps calling the model quantized: it can
be neither trained nor saved. The weights therefore move into a fresh model of the same class.
"""

import json
import logging
from importlib.metadata import version
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedModel
from transformers.utils.logging import disable_progress_bar

from sqlrl.errors import UserError
from sqlrl.files import write_json

logger = logging.getLogger(__name__)

# A four-bit block has one scale and one offset in half precision, so bfloat16 loses next to nothing
# of it (docs/models.md has the figure), and training and sampling start from the very same numbers.
WEIGHTS = torch.bfloat16


def save_plain_model(file: Path, folder: Path) -> None:
    """Write the model and tokenizer of a GGUF file as config, safetensors and tokenizer files.

    Args:
        file: the GGUF file.
        folder: an empty folder to write into.

    Raises:
        UserError: not a GGUF file, or of an architecture that transformers can't read from one.
    """
    if not file.is_file():
        raise UserError(f"{file}: no such file.")
    with file.open("rb") as stream:
        if stream.read(4) != b"GGUF":
            raise UserError(f"{file}: not a GGUF file (its first four bytes are not GGUF).")
    disable_progress_bar()
    try:
        read = AutoModelForCausalLM.from_pretrained(file.parent, gguf_file=file.name, dtype=torch.float32)
        tokenizer = AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
    except (ValueError, NotImplementedError) as error:
        raise UserError(f"{file}: transformers can't read this GGUF file: {error}") from error
    if not tokenizer.chat_template:
        raise UserError(f"{file}: holds no chat template; an instruct model is needed.")
    plain = _rebuild(read)
    plain.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    _pad_left(folder / "tokenizer_config.json")


def library_versions() -> dict[str, str]:
    """Versions of the libraries that decide the bytes of a rebuilt model."""
    return {name: version(name) for name in ("gguf", "safetensors", "tokenizers", "transformers")}


def _pad_left(settings_file: Path) -> None:
    """A GGUF does not say where to pad; generation needs it on the left, and saving does not keep it."""
    settings = json.loads(settings_file.read_text(encoding="utf-8"))
    write_json(settings_file, settings | {"padding_side": "left"})


def _rebuild(read: PreTrainedModel) -> PreTrainedModel:
    config = read.config
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    config.dtype = WEIGHTS
    plain = type(read)(config)
    plain.load_state_dict(read.state_dict())
    plain.tie_weights()
    plain.generation_config = read.generation_config
    logger.info("%s: %.1f million weights", type(plain).__name__, plain.num_parameters() / 1e6)
    return plain.to(WEIGHTS)
