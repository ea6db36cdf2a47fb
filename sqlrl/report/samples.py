"""Replies and scores must be of the checkpoint, the tasks, the settings and the code that the report speaks of."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlrl.errors import UserError
from sqlrl.files import canonical_json, digest_file
from sqlrl.records import from_dict, read_json
from sqlrl.report.files import BASE, ResultFile
from sqlrl.report.provenance import REBUILD
from sqlrl.report.settings import Claims
from sqlrl.sampling.origin import RolloutsOrigin, ScoresOrigin, origin_file
from sqlrl.verifier.reward import VerifierSettings


@dataclass(frozen=True)
class Expected:
    """What samples should have been made from.

    model: the base's digest; weights: checkpoint to SHA-256 of its adapter's weights, of those that are known;
    tasks: ``<database>-<part>`` to SHA-256 of the tasks' file; files: label to SHA-256 of rollouts
    (``<checkpoint>/rollouts/...``) and of dumps (``databases/<database>/<instance>.sql``) that are given.
    """

    model: str
    weights: Mapping[str, str]
    tasks: Mapping[str, str]
    files: Mapping[str, str]


def tasks_digests(files: Sequence[Path]) -> dict[str, str]:
    """SHA-256 of tasks' files, ``<database>-<part>.jsonl``, by name."""
    return {path.stem: digest_file(path) for path in files}


def check_samples(scores: Sequence[ResultFile], expected: Expected, claims: Claims) -> None:
    """Refuse scores that were not made from what the configuration says and the files given.

    Raises:
        UserError: names the file, and what it was made from instead.
    """
    for file in scores:
        origin = read_json(origin_file(file.path), ScoresOrigin)
        for fault in _faults(file, origin, expected, claims):
            raise UserError(f"{file.label}: {fault}. {REBUILD}")


def _faults(file: ResultFile, origin: ScoresOrigin, expected: Expected, claims: Claims) -> Iterator[str]:
    """What disagrees, in the order of the steps that made the scores."""
    yield from _faults_of_replies(file, origin.replies, expected, claims)
    if digest_file(file.path) != origin.scores:
        yield f"this is not the file that {origin_file(file.path).name} was written for"
    replies = expected.files.get(f"{file.checkpoint}/rollouts/{file.path.name}")
    if replies not in (None, origin.replies.rollouts):
        yield "these are the scores of other replies than those given"
    for label, digest in origin.databases.items():
        if expected.files.get(f"databases/{label}", digest) != digest:
            yield f"replies were judged on another {label} than the one given"
    if from_dict(VerifierSettings, origin.verifier, str(origin_file(file.path))) != claims.verifier:
        yield "replies were judged with other verifier settings than config.yaml has now"
    if claims.code and claims.code.scores != origin.code:
        yield "replies were judged by other code than the verifier has now"


def _faults_of_replies(
    file: ResultFile, origin: RolloutsOrigin, expected: Expected, claims: Claims
) -> Iterator[str]:
    if origin.model != expected.model:
        yield "replies were sampled from another base model"
    weights = None if file.checkpoint == BASE else expected.weights.get(file.checkpoint, origin.weights)
    if origin.weights != weights:
        yield f"replies were sampled from other weights than {file.checkpoint} has now"
    if expected.tasks.get(f"{file.database}-{file.part}", origin.tasks) != origin.tasks:
        yield "replies are to other tasks than those given"
    asked: dict[str, tuple[Any, Any]] = {
        "other sampling settings": (origin.settings, claims.sampling.get(f"{file.part}-{file.scoring}")),
        "another prompt": (origin.prompt, claims.prompt),
        "another sampler": (origin.sampler, claims.sampler),
    }
    for what, (found, claimed) in asked.items():
        if canonical_json(found) != canonical_json(claimed):
            yield f"replies were sampled with {what} than config.yaml has now"
    if claims.code and claims.code.rollouts != origin.code:
        yield "replies were sampled by other code than there is now"
