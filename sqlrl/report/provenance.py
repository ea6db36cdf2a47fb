"""What a report's numbers were made from; refused where the files and the configuration disagree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlrl.database.files import MAIN
from sqlrl.errors import UserError
from sqlrl.files import canonical_json, digest_file, digest_text
from sqlrl.models.folder import ModelManifest
from sqlrl.records import from_dict, read_json
from sqlrl.report.evidence import Evidence
from sqlrl.report.files import BASE, ResultFile, stage_folder, stage_of
from sqlrl.report.settings import Claims
from sqlrl.sampling.origin import dump_digests
from sqlrl.training.manifest import AdapterManifest
from sqlrl.verifier.reward import VerifierSettings

REBUILD = "The files are of another build: run the workflow again."


@dataclass(frozen=True)
class Origins:
    """What the results say that they were made from.

    model: the base model; adapters: stage to its manifest, in the order of the run; dumps: database to
    instance to file; files: label to digest of every file whose bytes decide a number.
    """

    model: ModelManifest
    adapters: Mapping[str, AdapterManifest]
    dumps: Mapping[str, Mapping[str, Path]]
    files: Mapping[str, str]


def read_origins(
    model: Path,
    adapters: Sequence[Path],
    dumps: Mapping[str, Mapping[str, Path]],
    results: Sequence[ResultFile],
    tasks: Sequence[Path],
) -> Origins:
    """Read the manifests and take the digests. Raises UserError where a manifest is none."""
    files = {file.label: digest_file(file.path) for file in results}
    files |= {f"tasks/{path.name}": digest_file(path) for path in tasks}
    files |= {f"databases/{label}": digest for label, digest in dump_digests(dumps).items()}
    found = {stage_folder(path, 2): read_json(path, AdapterManifest) for path in adapters}
    return Origins(read_json(model, ModelManifest), found, dumps, dict(sorted(files.items())))


def check(origins: Origins, evidence: Evidence, claims: Claims) -> None:
    """Refuse results that were not made from what the configuration says.

    Raises:
        UserError: names what disagrees with what.
    """
    _check_model(origins, claims)
    _check_stages(origins, evidence, claims)
    _check_scoring(evidence, claims)
    _check_databases(origins, evidence)


def endings(origins: Origins) -> list[str]:
    """Which stages a rule of their own ended early, in words."""
    return [
        f"{stage} ended at step {adapter.stopped_at} of {adapter.settings['steps']}: {adapter.stop_reason}."
        for stage, adapter in origins.adapters.items()
        if adapter.stopped_at is not None
    ]


def describe(origins: Origins, claims: Claims, command: str) -> dict[str, Any]:
    """Provenance as the report's JSON has it."""
    model = origins.model
    return {
        "command": command,
        "model": {"name": model.name, "source": model.source, "digest": model.digest, "origin": model.origin},
        "stages": {
            stage: {
                "from": claims.stages[stage]["from"],
                "settings": adapter.settings,
                "weights": adapter.weights,
                "stopped_at": adapter.stopped_at,
                "stop_reason": adapter.stop_reason,
                "versions": adapter.versions,
            }
            for stage, adapter in origins.adapters.items()
            if stage in claims.stages
        },
        "scoring": claims.scoring,
        "files": origins.files,
    }


def _check_model(origins: Origins, claims: Claims) -> None:
    if origins.model.name != claims.model:
        raise UserError(
            f"config.yaml names the model {claims.model!r}, model.json {origins.model.name!r}. {REBUILD}"
        )


def _check_stages(origins: Origins, evidence: Evidence, claims: Claims) -> None:
    missing = sorted(claims.stages.keys() - origins.adapters.keys())
    if missing:
        raise UserError(f"--adapters: no adapter.json of the stage {missing[0]}.")
    for stage, claim in claims.stages.items():
        adapter = origins.adapters[stage]
        if digest_text(canonical_json(adapter.settings)) != claim["settings"]:
            raise UserError(
                f"{stage}: its adapter was trained with other settings than config.yaml has now. {REBUILD}"
            )
        if claims.code and adapter.code != claims.code.stages[stage]:
            raise UserError(f"{stage}: its adapter was trained by other code than there is now. {REBUILD}")
        if adapter.model.digest != origins.model.digest:
            raise UserError(f"{stage}: its adapter is of another base model, {adapter.model.name}. {REBUILD}")
        _check_parent(stage, adapter, claim["from"], origins)
        _check_inputs(stage, adapter, origins, claims)
    unscored = [stage for stage in claims.stages if stage not in evidence.passes]
    if unscored:
        raise UserError(f"--scores: no scores of the stage {unscored[0]} on the holdout.")
    for checkpoint in evidence.checkpoints:
        if checkpoint != BASE and stage_of(checkpoint)[0] not in claims.stages:
            raise UserError(
                f"scores of {checkpoint}, but config.yaml has no such stage: {', '.join(claims.stages)}."
            )


def _check_parent(stage: str, adapter: AdapterManifest, claimed: str, origins: Origins) -> None:
    """A stage must have continued the adapter that config names; a kept step of one has weights of its own."""
    parent = origins.adapters.get(claimed)
    wrong = (adapter.parent is None) != (claimed == BASE)
    if adapter.parent and (
        adapter.parent.name != claimed or (parent and parent.weights != adapter.parent.digest)
    ):
        wrong = True
    if wrong:
        raise UserError(
            f"{stage}: config.yaml starts it from {claimed}, but its adapter was not made from that. {REBUILD}"
        )


def _check_inputs(stage: str, adapter: AdapterManifest, origins: Origins, claims: Claims) -> None:
    """A stage must have been rewarded by the verifier and on the databases that score it."""
    for label, digest in adapter.inputs.items():
        if origins.files.get(f"databases/{label}", digest) != digest:
            raise UserError(
                f"{stage}: its adapter was trained on another {label} than the one given. {REBUILD}"
            )
    verifier = adapter.sections.get("verifier")
    if verifier and from_dict(VerifierSettings, verifier, f"{stage}: adapter.json") != claims.verifier:
        raise UserError(
            f"{stage}: its reward came from other verifier settings than config.yaml has now. {REBUILD}"
        )


def _check_scoring(evidence: Evidence, claims: Claims) -> None:
    expected = (claims.scoring.get("k"), claims.scoring.get("passes"))
    found = (evidence.k, len(evidence.scoring))
    if expected != found:
        raise UserError(
            f"config.yaml asks for k = {expected[0]} in {expected[1]} scoring passes; the scores given have "
            f"k = {found[0]} in {found[1]}. {REBUILD}"
        )


def _check_databases(origins: Origins, evidence: Evidence) -> None:
    digests = {name: digest_file(dumps[MAIN]) for name, dumps in origins.dumps.items()}
    for task in [*evidence.tasks.values(), *evidence.dev_tasks.values()]:
        if task.database in digests and task.database_digest != digests[task.database]:
            raise UserError(
                f"task {task.id} was written on {task.database}/{MAIN} with the digest "
                f"{task.database_digest[:12]}; the dump given has {digests[task.database][:12]}. {REBUILD}"
            )
