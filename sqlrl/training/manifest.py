"""adapter.json: what an adapter was made from, beside its weights."""

from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sqlrl.errors import UserError
from sqlrl.files import digest_file, write_json
from sqlrl.records import read_json, to_dict

MANIFEST = "adapter.json"
WEIGHTS = "adapter_model.safetensors"
CONFIG = "adapter_config.json"
LIBRARIES = ("torch", "transformers", "trl", "peft")


@dataclass(frozen=True)
class Origin:
    """The model or adapter that a stage started from: its name and the digest of its weights."""

    name: str
    digest: str


@dataclass(frozen=True)
class AdapterManifest:
    """What an adapter is and what it was made from; the same bytes for the same training.

    Attributes:
        kind: of the stage: ``sft`` or ``grpo``.
        settings: the stage's settings as they were given.
        step: optimizer steps that made these weights.
        weights: SHA-256 of adapter_model.safetensors.
        model: the base model.
        parent: the adapter that the stage continued; None for a stage that started from the base.
        inputs: SHA-256 of every file that decided the result, by name.
        sections: the other sections of settings that decided the result, by name.
        code: digest of the code that trained.
        versions: of the libraries that trained.
        tokens: reply tokens trained on or sampled by the whole stage.
        samples: replies likewise.
        stopped_at: the step at which a rule of the stage's own ended it early, else None.
        stop_reason: why, else None.
        frozen_before: SHA-256 of the base model's weights in memory as the stage's last job began.
        frozen_after: the same at its end: training must not have touched them.
    """

    kind: str
    settings: dict[str, Any]
    step: int
    weights: str
    model: Origin
    parent: Origin | None
    inputs: dict[str, str]
    sections: dict[str, Any]
    code: str
    versions: dict[str, str]
    tokens: int
    samples: int
    stopped_at: int | None = None
    stop_reason: str | None = None
    frozen_before: str = ""
    frozen_after: str = ""


def library_versions() -> dict[str, str]:
    """Versions of the libraries that decide what training computes."""
    return {name: version(name) for name in LIBRARIES}


def write_manifest(folder: Path, manifest: AdapterManifest) -> None:
    """Write adapter.json, last of an adapter's files."""
    write_json(folder / MANIFEST, to_dict(manifest))


def read_manifest(folder: Path) -> AdapterManifest:
    """Read an adapter's manifest and check that the weights beside it are those it names.

    Raises:
        UserError: a file is missing, or the weights are others.
    """
    manifest = read_json(folder / MANIFEST, AdapterManifest)
    for name in (WEIGHTS, CONFIG):
        if not (folder / name).is_file():
            raise UserError(f"{folder}: no adapter here, {name} is missing.")
    if digest_file(folder / WEIGHTS) != manifest.weights:
        raise UserError(f"{folder / WEIGHTS} is not the file that {MANIFEST} was written for.")
    return manifest
