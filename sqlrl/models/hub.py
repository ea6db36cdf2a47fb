"""Download a model repository of the Hugging Face hub at one commit."""

import shutil
from pathlib import Path

from huggingface_hub import HfApi, snapshot_download
from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

from sqlrl.errors import UserError

# What a plain model is made of; other formats of the same weights stay on the hub.
WANTED = ["*.json", "*.safetensors", "*.jinja", "*.txt", "tokenizer.model", "LICENSE*"]
UNWANTED = ["original/*", "onnx/*"]


def download_repository(repository: str, revision: str, folder: Path) -> str:
    """Download a repository's model files.

    Args:
        repository: the hub's id, ``owner/name``.
        revision: a branch, a tag or a commit.
        folder: an empty folder to write into.

    Returns:
        The commit that the revision stood for, 40 hex digits.

    Raises:
        UserError: the hub does not answer, or knows no such repository or revision.
    """
    try:
        commit = HfApi().model_info(repository, revision=revision).sha
        snapshot_download(
            repository, revision=commit, local_dir=folder, allow_patterns=WANTED, ignore_patterns=UNWANTED
        )
    except (HfHubHTTPError, LocalEntryNotFoundError, OSError) as error:
        raise UserError(f"models: {repository} at {revision}: the hub did not give it: {error}") from error
    shutil.rmtree(folder / ".cache", ignore_errors=True)
    if not commit:
        raise UserError(f"models: {repository} at {revision}: the hub named no commit.")
    return str(commit)
