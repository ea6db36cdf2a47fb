"""The sampler that needs nothing but torch and transformers."""

from collections.abc import Sequence
from pathlib import Path

from sqlrl.sampling.sampler import Prompt, Reply, SamplingSettings


class TransformersSampler:
    """Draws replies on the CPU from a plain model folder."""

    def __init__(self, model: Path, threads: int | None = None) -> None:
        self._model, self._threads = model, threads

    def sample(
        self,
        prompts: Sequence[Prompt],
        n: int,
        settings: SamplingSettings,
        adapter: Path | None,
        seed: int,
    ) -> list[Reply]:
        """See Sampler.sample."""
        raise NotImplementedError

    def close(self) -> None:
        """See Sampler.close."""
