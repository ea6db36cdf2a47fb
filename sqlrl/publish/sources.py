"""All that a published folder is made from, read and checked: the files must be those that the report counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlrl.authoring.task import Task
from sqlrl.database.files import MAIN
from sqlrl.errors import UserError
from sqlrl.files import digest_file
from sqlrl.models.folder import ModelManifest, read_model
from sqlrl.report.counted import check_complete, check_counted, read_document, read_passes
from sqlrl.report.evidence import HOLDOUT, read_tasks
from sqlrl.report.files import BASE, ResultFile, parse_results, stage_of
from sqlrl.report.passes import ScoringPass
from sqlrl.report.provenance import REBUILD
from sqlrl.training.manifest import AdapterManifest, read_manifest

TRAIN = "train"


@dataclass(frozen=True)
class PublishFiles:
    """The files of one checkpoint that are published or that its card is made from.

    report: delta_report.json of its run; adapter: its adapter folder; model: model.json of the base; tasks,
    holdout_tasks: of the run, a file a database; rollouts, scores: of the checkpoint on the holdout.
    """

    report: Path
    adapter: Path
    model: Path
    tasks: Sequence[Path]
    holdout_tasks: Sequence[Path]
    rollouts: Sequence[Path]
    scores: Sequence[Path]


@dataclass(frozen=True)
class Sources:
    """What the files hold. training, holdout: tasks by id; passes: scoring passes over the holdout by number."""

    checkpoint: str
    document: Mapping[str, Any]
    adapter: AdapterManifest
    model: ModelManifest
    training: Mapping[str, Task]
    holdout: Mapping[str, Task]
    passes: Mapping[int, ScoringPass]


def read_sources(files: PublishFiles, checkpoint: str) -> Sources:
    """Read everything and check that it is of one build.

    Args:
        files: see PublishFiles.
        checkpoint: a stage, or stage@step.

    Raises:
        UserError: a file is missing or none of its kind, the report does not count the checkpoint, or a file
            is not the one that the report or the adapter was made from.
    """
    document = read_report(files.report, checkpoint)
    results = {kind: read_results(getattr(files, kind), kind, checkpoint) for kind in ("rollouts", "scores")}
    sources = Sources(
        checkpoint,
        document,
        read_manifest(files.adapter),
        read_model(files.model),
        read_tasks(files.tasks, TRAIN),
        read_tasks(files.holdout_tasks, HOLDOUT),
        read_passes(results["scores"], results["rollouts"], MAIN),
    )
    counted = {one.label: one.path for found in results.values() for one in found}
    counted |= {f"tasks/{path.name}": path for path in files.holdout_tasks}
    check_counted(document, counted, files.report)
    check_complete(document, counted, checkpoint)
    _check_adapter(sources, files)
    return sources


def read_report(path: Path, checkpoint: str) -> dict[str, Any]:
    """The document of delta_report.json.

    Raises:
        UserError: no such file, no delta report, or one without this checkpoint.
    """
    document = read_document(path)
    known = [one["checkpoint"] for one in document["checkpoints"]]
    if checkpoint == BASE or checkpoint not in known:
        trained = ", ".join(name for name in known if name != BASE) or "none"
        raise UserError(
            f"{path}: no figures of {checkpoint}; to publish there are: {trained}. A kept step is scored "
            f"when config.yaml names it: snakemake publish_adapter --config publish={checkpoint}."
        )
    return document


def read_results(paths: Sequence[Path], kind: str, checkpoint: str) -> list[ResultFile]:
    """A checkpoint's files on the holdout. Raises UserError for a file of another checkpoint, part or kind."""
    found = parse_results(paths, kind)
    for one in found:
        if (one.checkpoint, one.part) != (checkpoint, HOLDOUT):
            raise UserError(f"{one.path}: expected {kind} of {checkpoint} on the {HOLDOUT}.")
    return found


def _check_adapter(sources: Sources, files: PublishFiles) -> None:
    adapter, made_from = sources.adapter, sources.document["provenance"]
    if not adapter.model.digest == sources.model.digest == made_from["model"]["digest"]:
        raise UserError(
            f"{files.adapter}, {files.model} and {files.report} have different base models. {REBUILD}"
        )
    stage, step = stage_of(sources.checkpoint)
    if step is None and adapter.weights != made_from["stages"][stage]["weights"]:
        raise UserError(f"{files.adapter} is not the adapter that {files.report} was made from. {REBUILD}")
    # A step that the stage ended before stands for its end.
    if step is not None and adapter.step != min(step, adapter.stopped_at or step):
        raise UserError(f"{files.adapter}: adapter.json says step {adapter.step}; expected {step}.")
    for path in files.tasks:
        # What trained says which file it read; a step of the stage shares that file.
        if adapter.inputs.get(f"tasks/{path.name}") != digest_file(path):
            raise UserError(f"{files.adapter} was trained on another {path.name} than {path}. {REBUILD}")
