"""Bring a published folder onto the Hub: only where a person says where to, with a token of theirs."""

import re
from collections.abc import Mapping
from pathlib import Path

from httpx2 import HTTPError  # what huggingface_hub raises where the Hub does not answer
from huggingface_hub import HfApi

from sqlrl.errors import UserError
from sqlrl.publish.folder import CAUSAL_FILES, FILES

TOKEN = "HF_TOKEN"
REPOSITORY = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")


def find_token(environment: Mapping[str, str]) -> str:
    """The token of the environment; one that another tool saved does not count.

    Raises:
        UserError: there is none.
    """
    token = environment.get(TOKEN, "").strip()
    if not token:
        raise UserError(
            f"{TOKEN} is not set: nothing is uploaded without a token. Make one with write access "
            "(huggingface.co/settings/tokens) and export it."
        )
    return token


def check_repository(repository: str) -> str:
    """The repository's id. Raises UserError where it is no ``owner/name``."""
    if not REPOSITORY.fullmatch(repository):
        raise UserError(f"--repository is {repository!r}; expected owner/name, such as somebody/shop-sql.")
    return repository


def list_files(folder: Path) -> dict[str, int]:
    """What would be uploaded of a published folder: bytes by name. What else lies in it stays.

    Raises:
        UserError: the folder lacks a file.
    """
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise UserError(f"{folder}: no {missing[0]} in it. `snakemake publish_adapter` writes such a folder.")
    found = [*FILES, *(name for name in CAUSAL_FILES if (folder / name).is_file())]
    return {name: (folder / name).stat().st_size for name in found}


def upload_folder(folder: Path, repository: str, token: str, private: bool) -> str:
    """Upload a published folder as one commit of a model repository, which is made where it is missing.

    Args:
        folder: as write_folder writes it.
        repository: ``owner/name``.
        token: with write access.
        private: make the repository private; without, the Hub's default for the owner holds.

    Returns:
        The commit's address.

    Raises:
        UserError: the Hub does not answer or refuses, or the repository is there and public though private
            was asked for; nothing is uploaded then.
    """
    api = HfApi(token=token)
    try:
        api.create_repo(repository, private=private or None, exist_ok=True)
        # The Hub ignores the wish for a repository that is there already.
        if private and not api.model_info(repository).private:
            raise UserError(f"{repository} is there and public, --private was given: nothing was uploaded.")
        commit = api.upload_folder(
            repo_id=repository,
            folder_path=folder,
            allow_patterns=list(list_files(folder)),
            commit_message="Publish adapter, card, training tasks and rollouts",
        )
    except (HTTPError, OSError, ValueError) as error:
        raise UserError(f"{repository}: the Hub did not take it: {error}") from error
    return str(commit.commit_url)
