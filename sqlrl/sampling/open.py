"""Open the sampler that a run asks for by name, and what writes the prompts for it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from sqlrl.errors import UserError
from sqlrl.models.folder import ModelManifest
from sqlrl.models.messages import MessageWriter, PromptSettings
from sqlrl.models.prompt import Prompt
from sqlrl.models.server import ServerSettings
from sqlrl.sampling.engine_settings import EngineSettings
from sqlrl.sampling.sampler import Sampler
from sqlrl.sampling.words import Words

# Samplers of models whose weights lie here, and those of models that answer behind an API.
KINDS = ("transformers", "vllm")
SERVED = ("openai", "anthropic")


class Writer(Words, Protocol):
    """Writes the prompts of one model; see PromptWriter and MessageWriter."""

    def write(self, key: str, database: str, question: str) -> Prompt:
        """The prompt of one question."""
        ...


def open_sampler(kind: str, model: Path, engine: EngineSettings, rank: int | None = None) -> Sampler:
    """Open a sampler on a base model whose weights lie here.

    Args:
        kind: one of KINDS.
        model: the folder of a plain model (config.json, model.safetensors, tokenizer files).
        engine: how large vLLM's engine is; the other has none.
        rank: the highest rank of the adapters that will be given; None for the base model alone.

    Raises:
        UserError: no such kind, or a folder that holds no model.
    """
    if kind == "transformers":
        from sqlrl.sampling.transformers import TransformersSampler

        return TransformersSampler(model)
    if kind == "vllm":
        from sqlrl.sampling.vllm import VllmSampler

        return VllmSampler(model, engine, rank)
    raise UserError(f"sampler is {kind!r}; allowed: {', '.join(KINDS)}.")


def open_served(kind: str, model: ModelManifest, server: ServerSettings, thinking: bool | None) -> Sampler:
    """Open a sampler on a model behind an API.

    Args:
        kind: one of SERVED.
        model: its manifest.
        server: how it is asked.
        thinking: the chat template's switch, where a server can be told; else None.

    Raises:
        UserError: no such kind, no key, or a switch that this server does not take.
    """
    if kind == "openai":
        from sqlrl.sampling.openai import open_openai

        return open_openai(model, server, thinking)
    if kind == "anthropic":
        from sqlrl.sampling.anthropic import open_anthropic

        return open_anthropic(model, server, thinking)
    raise UserError(f"sampler is {kind!r}; allowed: {', '.join(SERVED)}.")


def open_writer(
    kind: str, model: Path, settings: PromptSettings, databases: Sequence[Path], notes: Sequence[Path]
) -> Writer:
    """Open what writes the prompts for a sampler.

    Args:
        kind: one of KINDS or SERVED.
        model: the model's folder, which has a tokenizer where its weights lie here.
        settings: see PromptSettings.
        databases: catalogs or dumps of the databases, main at least.
        notes: each database's notes.md.

    Raises:
        UserError: a file is missing, or a tokenizer has no chat template.
    """
    if kind == "transformers":
        from sqlrl.models.prompts import PromptWriter

        return PromptWriter(model, settings, databases, notes)
    if kind == "vllm":
        from sqlrl.models.prompts import PromptWriter

        return PromptWriter(model, settings, databases, notes)
    return MessageWriter(settings, databases, notes)
