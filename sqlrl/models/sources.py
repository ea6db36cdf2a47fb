"""Where a base model comes from; each kind of source ends in the same plain folder."""

import json
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sqlrl.errors import UserError
from sqlrl.files import canonical_json, digest_text
from sqlrl.models.folder import (
    MANIFEST,
    ModelManifest,
    check_digest,
    digest_of_files,
    install_folder,
    list_files,
)
from sqlrl.records import from_dict, to_dict


@dataclass(frozen=True)
class HubSource:
    """A repository of the Hugging Face hub, at a branch, tag or commit."""

    source: Literal["hub"]
    id: str
    revision: str


@dataclass(frozen=True)
class PathSource:
    """A plain model folder on this machine."""

    source: Literal["path"]
    path: str


@dataclass(frozen=True)
class GgufSource:
    """A GGUF file on this machine, and the SHA-256 that its bytes must have."""

    source: Literal["gguf"]
    path: str
    sha256: str


@dataclass(frozen=True)
class PackageSource:
    """A GGUF file inside a wheel on PyPI: ``name==version``, the file's name, its SHA-256."""

    source: Literal["package"]
    requirement: str
    file: str
    sha256: str


@dataclass(frozen=True)
class ServedSource:
    """A model that answers behind an API: its id there, and the address, None for the vendor's own."""

    source: Literal["openai", "anthropic"]
    id: str
    base_url: str | None = None


FetchedSource = HubSource | PathSource | GgufSource | PackageSource
Source = FetchedSource | ServedSource
KINDS: dict[str, type[Source]] = {
    "hub": HubSource,
    "path": PathSource,
    "gguf": GgufSource,
    "package": PackageSource,
    "openai": ServedSource,
    "anthropic": ServedSource,
}


def parse_source(text: str, where: str) -> Source:
    """Read a source from its settings in JSON; the key ``source`` says which kind it is.

    Raises:
        UserError: no such kind, or a key is missing, unknown or of another type.
    """
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise UserError(f"{where}: not JSON: {error}.") from error
    kind = value.get("source") if isinstance(value, dict) else None
    if kind not in KINDS:
        raise UserError(f"{where}: source is {kind!r}; allowed: {', '.join(KINDS)}.")
    source: Source = from_dict(KINDS[kind], value, where)
    return source


def fetch_model(source: Source, name: str, manifest_file: Path) -> ModelManifest:
    """Bring a base model into the folder of its model.json; one behind an API is only named there.

    Args:
        source: where it comes from.
        name: the model's name in config.yaml.
        manifest_file: the model.json to write; the model's files go beside it.

    Raises:
        UserError: the source can't be read or is not the expected one; nothing is written then.
    """
    manifest_file.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(source, ServedSource):
        manifest = _describe_served(source, name)
        install_folder(manifest_file.parent, manifest_file, manifest)
        return manifest
    with tempfile.TemporaryDirectory(prefix=".partial-", dir=manifest_file.parent) as scratch:
        built = Path(scratch) / "model"
        built.mkdir()
        origin, versions = _build(source, built, Path(scratch))
        _check_plain(built, source)
        files = list_files(built)
        manifest = ModelManifest(name, files, digest_of_files(files), source.source, origin, versions)
        install_folder(built, manifest_file, manifest)
    return manifest


def _describe_served(source: ServedSource, name: str) -> ModelManifest:
    """The manifest of a model without files here: its digest is that of what names it; nobody is asked."""
    named = {key: value for key, value in to_dict(source).items() if value is not None}
    origin = {key: value for key, value in named.items() if key != "source"}
    return ModelManifest(name, {}, digest_text(canonical_json(named)), source.source, origin, {})


def _build(source: FetchedSource, built: Path, scratch: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Fill ``built``; say what it was made from and with which libraries."""
    if isinstance(source, HubSource):
        from sqlrl.models.hub import download_repository

        commit = download_repository(source.id, source.revision, built)
        return {"id": source.id, "revision": source.revision, "commit": commit}, {}
    if isinstance(source, PathSource):
        _copy_folder(Path(source.path), built)
        return {"folder": Path(source.path).name}, {}
    from sqlrl.models.dequantise import library_versions, save_plain_model

    file, origin = _get_gguf(source, scratch)
    save_plain_model(file, built)
    return origin, library_versions()


def _get_gguf(source: GgufSource | PackageSource, scratch: Path) -> tuple[Path, dict[str, str]]:
    if isinstance(source, PackageSource):
        from sqlrl.models.package import fetch_file

        file = fetch_file(source.requirement, source.file, source.sha256, scratch)
        return file, {"requirement": source.requirement, "file": source.file, "sha256": source.sha256}
    file = Path(source.path)
    if not file.is_file():
        raise UserError(f"{file}: no such file (models: source gguf).")
    check_digest(file, source.sha256, str(file))
    return file, {"file": file.name, "sha256": source.sha256}


def _copy_folder(folder: Path, built: Path) -> None:
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder (models: source path).")
    shutil.copytree(folder, built, dirs_exist_ok=True, ignore=shutil.ignore_patterns(MANIFEST, ".*"))


def _check_plain(built: Path, source: FetchedSource) -> None:
    """Refuse what training and sampling could not read: no config, weights, tokenizer or template."""
    missing = [
        what
        for what, pattern in (("config.json", "config.json"), ("safetensors weights", "*.safetensors"))
        if not any(built.glob(pattern))
    ]
    if not any((built / name).exists() for name in ("tokenizer.json", "tokenizer.model", "vocab.json")):
        missing.append("a tokenizer")
    if missing:
        raise UserError(f"models: {source}: no {' and no '.join(missing)} in it.")
