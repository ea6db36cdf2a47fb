"""Open the sampler that a run asks for by name."""

from pathlib import Path

from sqlrl.errors import UserError
from sqlrl.sampling.sampler import Sampler

KINDS = ("transformers",)


def open_sampler(kind: str, model: Path, threads: int | None = None) -> Sampler:
    """Open a sampler on a base model.

    Args:
        kind: one of KINDS.
        model: the folder of a plain model (config.json, model.safetensors, tokenizer files).
        threads: CPU threads to compute with; None leaves the choice to the engine.

    Raises:
        UserError: no such kind, or a folder that holds no model.
    """
    if kind == "transformers":
        from sqlrl.sampling.transformers import TransformersSampler

        return TransformersSampler(model, threads)
    raise UserError(f"sampler is {kind!r}; allowed: {', '.join(KINDS)}.")
