"""The proof, checkpoint by checkpoint, that what was scored is what was trained."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlrl.errors import UserError
from sqlrl.parity.findings import Parity
from sqlrl.records import read_json, to_dict
from sqlrl.report.evidence import Evidence
from sqlrl.report.files import BASE, stage_folder
from sqlrl.report.provenance import REBUILD
from sqlrl.report.words import listed
from sqlrl.training.manifest import AdapterManifest

Proofs = Mapping[str, Parity]


def read_proofs(paths: Sequence[Path]) -> Proofs:
    """Read ``.../<checkpoint>/parity.json`` files, by checkpoint."""
    return {stage_folder(path, 1): read_json(path, Parity) for path in paths}


def check_proofs(proofs: Proofs, evidence: Evidence, adapters: Mapping[str, AdapterManifest]) -> None:
    """Refuse scores of a checkpoint that was not shown to be served as it was trained.

    Raises:
        UserError: a scored checkpoint has no proof, one that failed, or one of other weights.
    """
    for checkpoint in evidence.checkpoints:
        if checkpoint == BASE:
            continue
        proof = proofs.get(checkpoint)
        if proof is None:
            raise UserError(f"--parity: no parity.json of {checkpoint}, which was scored. {REBUILD}")
        if not proof.passed:
            raise UserError(
                f"{checkpoint}: parity.json says that it is not served as trained: {proof.cause}."
            )
        adapter = adapters.get(checkpoint)
        if adapter and adapter.weights != proof.weights:
            raise UserError(f"{checkpoint}: parity.json is of other weights than its adapter has. {REBUILD}")


def describe_proofs(proofs: Proofs, order: Sequence[str]) -> list[dict[str, Any]]:
    """The proofs as the report has them, in the order of the checkpoints."""
    return [
        {"checkpoint": checkpoint, **to_dict(proofs[checkpoint])}
        for checkpoint in order
        if checkpoint in proofs
    ]


def warnings_of(proofs: Proofs, together: Collection[str] = ()) -> list[str]:
    """What could not be decided, in words; of the checkpoints in ``together`` one line a check."""
    undecided = [
        (checkpoint, check)
        for checkpoint, proof in proofs.items()
        for check in proof.checks
        if check.state == "undecided"
    ]
    found = [
        f"{checkpoint}: {check.name} could not be shown ({check.found})."
        for checkpoint, check in undecided
        if checkpoint not in together
    ]
    shared: dict[str, list[str]] = {}
    for checkpoint, check in undecided:
        if checkpoint in together:
            shared.setdefault(check.name, []).append(checkpoint)
    return found + [f"{name} could not be shown of {listed(stages)}." for name, stages in shared.items()]
