"""The sampling loop for any architecture that transformers runs: slower, with the same replies' form."""

from collections.abc import Sequence as Texts
from pathlib import Path
from typing import Any

import torch
from peft import PeftModel, get_peft_model_state_dict
from safetensors.torch import load_file
from torch import Tensor
from transformers import PreTrainedModel

from sqlrl.errors import UserError
from sqlrl.models.architecture import load_base
from sqlrl.sampling.adapter import WEIGHTS
from sqlrl.sampling.sequence import Chooser, Sequence


class PlainEngine:
    """Draws replies through a model's own forward and its own cache, the adapter kept apart."""

    def __init__(self, model: Path, adapter: Path | None, dtype: torch.dtype) -> None:
        loaded = load_base(model, dtype)
        self._model = (_add_adapter(loaded, adapter) if adapter else loaded).eval()

    def run(
        self,
        prefix: tuple[int, ...],
        texts: Texts[tuple[int, ...]],
        sequences: Texts[Sequence],
        chooser: Chooser,
        max_tokens: int,
        batch_size: int,
    ) -> None:
        """See Engine.run; the prefix is run again with every text, and batches end together."""
        for start in range(0, len(sequences), batch_size):
            batch = sequences[start : start + batch_size]
            self._run_batch([prefix + texts[one.prompt] for one in batch], batch, chooser)

    def _run_batch(
        self, prompts: Texts[tuple[int, ...]], sequences: Texts[Sequence], chooser: Chooser
    ) -> None:
        mask = _pad_left([torch.ones(len(prompt), dtype=torch.long) for prompt in prompts])
        tokens = _pad_left([torch.tensor(prompt) for prompt in prompts])
        positions = (mask.cumsum(1) - 1).clamp(min=0)
        running = list(range(len(sequences)))
        cache: Any = None
        last = [0] * len(sequences)
        while running:
            output = self._model(
                input_ids=tokens,
                attention_mask=mask,
                position_ids=positions,
                past_key_values=cache,
                use_cache=True,
                logits_to_keep=1,
            )
            cache = output.past_key_values
            ended = chooser.advance([sequences[row] for row in running], output.logits[running, -1])
            for row in running:
                last[row] = sequences[row].tokens[-1]
            running = [row for row, end in zip(running, ended, strict=True) if not end]
            tokens = torch.tensor(last)[:, None]
            positions = positions[:, -1:] + 1
            mask = torch.cat([mask, torch.ones(len(sequences), 1, dtype=torch.long)], dim=1)


def _add_adapter(model: PreTrainedModel, folder: Path) -> PeftModel:
    """The model with its adapter; PEFT itself passes over names that it does not find.

    Raises:
        UserError: the adapter's tensors are not exactly those that the model takes.
    """
    adapted = PeftModel.from_pretrained(model, folder)
    given, taken = set(load_file(folder / WEIGHTS)), set(get_peft_model_state_dict(adapted))
    if given != taken:
        odd = sorted(given ^ taken)[0]
        raise UserError(f"{folder / WEIGHTS}: {odd} does not fit the base model; the adapter is for another.")
    return adapted


def _pad_left(rows: list[Tensor]) -> Tensor:
    width = max(len(row) for row in rows)
    return torch.stack([torch.nn.functional.pad(row, (width - len(row), 0)) for row in rows])
