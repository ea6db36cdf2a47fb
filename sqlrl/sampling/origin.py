"""What sampled replies and their scores were made from, in a file beside each: ``<name>.origin.json``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlrl.errors import UserError
from sqlrl.files import digest_file, write_json
from sqlrl.records import read_json, to_dict


@dataclass(frozen=True)
class RolloutsOrigin:
    """What a file of replies was made from.

    Fields: SHA-256 of the file and of its tasks' file; digest of the base model; SHA-256 of the adapter's
    weights, None of the base; the sampler; how replies were drawn (RolloutSettings) and what the prompt held
    (PromptSettings), as JSON values; digest of the code.
    """

    rollouts: str
    tasks: str
    model: str
    weights: str | None
    sampler: str
    settings: dict[str, Any]
    prompt: dict[str, Any]
    code: str


@dataclass(frozen=True)
class ScoresOrigin:
    """What a file of scores was made from.

    Fields: SHA-256 of the file, and of each dump by ``<database>/<instance>.sql``; the replies that were
    judged; the verifier's settings (VerifierSettings), as JSON values; digest of the code.
    """

    scores: str
    databases: dict[str, str]
    replies: RolloutsOrigin
    verifier: dict[str, Any]
    code: str


def origin_file(samples: Path) -> Path:
    """Where it stands what a file of rollouts or scores was made from."""
    return samples.with_suffix(".origin.json")


def write_origin(samples: Path, origin: RolloutsOrigin | ScoresOrigin) -> None:
    """Write beside a file of rollouts or scores what it was made from."""
    write_json(origin_file(samples), to_dict(origin))


def weights_digest(adapter: Sequence[Path]) -> str | None:
    """SHA-256 of the weights among an adapter's files; None of no adapter."""
    return next((digest_file(path) for path in adapter if path.suffix == ".safetensors"), None)


def read_replies_origin(rollouts: Path, tasks: Path) -> RolloutsOrigin:
    """What replies were made from, for scoring them.

    Raises:
        UserError: the file beside them is missing, or of other replies or tasks.
    """
    origin = read_json(origin_file(rollouts), RolloutsOrigin)
    for path, digest in ((rollouts, origin.rollouts), (tasks, origin.tasks)):
        if digest_file(path) != digest:
            raise UserError(f"{path} is not the file that {origin_file(rollouts)} was written for.")
    return origin


def dump_digests(dumps: Mapping[str, Mapping[str, Path]]) -> dict[str, str]:
    """SHA-256 of each dump, by ``<database>/<instance>.sql``."""
    return {
        f"{database}/{path.name}": digest_file(path)
        for database, instances in dumps.items()
        for path in instances.values()
    }
