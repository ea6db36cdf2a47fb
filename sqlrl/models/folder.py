"""A base model as one plain folder: config, safetensors, tokenizer, and model.json that lists them.

``model.json`` is written last: a folder without it is not finished.
"""

import logging
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlrl.errors import UserError
from sqlrl.files import canonical_json, digest_file, digest_text, write_json
from sqlrl.records import read_json, to_dict

logger = logging.getLogger(__name__)

MANIFEST = "model.json"


@dataclass(frozen=True)
class ModelFile:
    """One file of a model: the SHA-256 of its bytes, and how many there are."""

    sha256: str
    bytes: int


@dataclass(frozen=True)
class ModelManifest:
    """What a model folder holds and what it was made from.

    Fields: the model's name in config.yaml; its files by name; one digest over all names and
    bytes; the kind of source; the source's own words (package, file, revision ...), with the
    resolved commit where there is one; versions of the libraries that rewrote weights, if any did.
    """

    name: str
    files: dict[str, ModelFile]
    digest: str
    source: str
    origin: dict[str, str]
    versions: dict[str, str]


def digest_of_files(files: Mapping[str, ModelFile]) -> str:
    """One digest over the names and bytes of a model's files."""
    return digest_text(canonical_json({name: file.sha256 for name, file in files.items()}))


def list_files(folder: Path) -> dict[str, ModelFile]:
    """Name, digest and size of every file of a folder, by name, model.json left out."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != MANIFEST)
    return {
        path.relative_to(folder).as_posix(): ModelFile(digest_file(path), path.stat().st_size)
        for path in files
    }


def check_digest(file: Path, expected: str, what: str) -> None:
    """Raise UserError, with both digests, where a file's bytes are not the expected ones."""
    found = digest_file(file)
    if found != expected.lower():
        raise UserError(
            f"{what} has another content than expected.\n"
            f"  expected sha256 {expected.lower()}\n  found    sha256 {found}"
        )


def install_folder(built: Path, manifest_file: Path, manifest: ModelManifest) -> None:
    """Move a finished folder's files beside model.json, and write model.json last.

    What an earlier model.json listed goes first, so that nothing of another model stays behind.
    """
    target = manifest_file.parent
    _remove_installed(manifest_file)
    for name in manifest.files:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.move(built / name, target / name)
        (target / name).chmod(0o644)
    write_json(manifest_file, to_dict(manifest))
    logger.info("%s: %d files, digest %s", manifest.name, len(manifest.files), manifest.digest[:16])


def _remove_installed(manifest_file: Path) -> None:
    """Remove a model that was here before, model.json first: half a model never looks whole."""
    if not manifest_file.exists():
        return
    earlier = read_json(manifest_file, ModelManifest)
    manifest_file.unlink()
    for name in earlier.files:
        (manifest_file.parent / name).unlink(missing_ok=True)


def read_model(manifest_file: Path) -> ModelManifest:
    """Read model.json and check that its files are there; they lie in ``manifest_file.parent``.

    Raises:
        UserError: no such file, or a model file is missing or has another size.
    """
    manifest = read_json(manifest_file, ModelManifest)
    for name, file in manifest.files.items():
        path = manifest_file.parent / name
        if not path.is_file() or path.stat().st_size != file.bytes:
            raise UserError(
                f"{manifest_file}: {name} is missing or has another size than when it was fetched. "
                f"Remove {manifest_file} and fetch the model again."
            )
    return manifest
