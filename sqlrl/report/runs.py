"""Finished runs that are compared: their reports and scores, refused where they were not asked the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from sqlrl.authoring.task import Task
from sqlrl.errors import UserError
from sqlrl.files import canonical_json, digest_file, digest_text
from sqlrl.report.counted import (
    check_complete,
    check_counted,
    last_checkpoint,
    read_document,
    read_passes,
)
from sqlrl.report.evidence import HOLDOUT, read_tasks
from sqlrl.report.files import BASE, parse_results
from sqlrl.report.holdout import CONTENT, holdout_digest
from sqlrl.report.provenance import REBUILD
from sqlrl.report.rates import Passes
from sqlrl.report.settings import Claims, ReportSettings

STATISTICS = ("headline_databases", "resamples", "confidence", "seed", "equivalence_margin")
TIMES = {"k": "samples a question", "passes": "scoring passes"}


@dataclass(frozen=True)
class RunFiles:
    """The files of all runs. reports: each run's delta_report.json; tasks: their holdouts; scores: of each run's
    base and last checkpoint on it. A file belongs to the run in whose folder, the report's, it lies.
    """

    reports: Sequence[Path]
    tasks: Sequence[Path]
    scores: Sequence[Path]


@dataclass(frozen=True)
class ComparedRun:
    """One finished run. document: of its delta report; tasks: its holdout by id; passes: of its base and of its last
    checkpoint, by number; digest: of the report's file.
    """

    name: str
    document: Mapping[str, Any]
    asked: Claims
    tasks: Mapping[str, Task]
    passes: Mapping[str, Passes]
    digest: str

    @property
    def last(self) -> str:
        """The checkpoint that its training ended with; the base where nothing was trained."""
        return last_checkpoint(self.document)

    @property
    def model(self) -> Mapping[str, Any]:
        """The base model: ``name``, ``source``, ``digest``, ``origin``."""
        found: Mapping[str, Any] = self.document["provenance"]["model"]
        return found

    @property
    def scoring(self) -> Mapping[str, Any]:
        """How its replies were drawn: ``k``, ``passes`` and the sampling settings."""
        found: Mapping[str, Any] = self.document["provenance"]["scoring"]
        return found


def read_runs(files: RunFiles, claims: Sequence[Claims], settings: ReportSettings) -> list[ComparedRun]:
    """Read the runs in the order of their claims, and check that they can be compared.

    Raises:
        UserError: a run has no report, or one of another configuration or with other statistics; a file is not
            the one that its report counted; the runs have different holdouts or databases, or were asked unequally
            often. The message names both sides.
    """
    reports = {read_document(path)["run"]: path for path in files.reports}
    runs = [_read_run(reports, files, one, settings) for one in claims]
    for one, other in pairwise(runs):
        _check_times(one, other)
        _check_holdouts(one, other)
        _check_databases(one, other)
    return runs


def _read_run(
    reports: Mapping[str, Path], files: RunFiles, asked: Claims, settings: ReportSettings
) -> ComparedRun:
    name = asked.run
    if name not in reports:
        raise UserError(f"--reports: no delta_report.json of the run {name}; given: {', '.join(reports)}.")
    report = reports[name]
    document = read_document(report)
    _check_claims(document, asked, report)
    _check_statistics(document, settings, report)
    tasks, scores = (_below(report.parent, paths) for paths in (files.tasks, files.scores))
    found = parse_results(scores, "scores")
    counted = {one.label: one.path for one in found} | {f"tasks/{path.name}": path for path in tasks}
    check_counted(document, counted, report)
    passes = {}
    for checkpoint in dict.fromkeys((BASE, last_checkpoint(document))):
        check_complete(document, counted, checkpoint, ("scores",))
        own = [one for one in found if (one.checkpoint, one.part) == (checkpoint, HOLDOUT)]
        passes[checkpoint] = read_passes(own, [], settings.headline_databases)
    return ComparedRun(name, document, asked, read_tasks(tasks, HOLDOUT), passes, digest_file(report))


def _below(folder: Path, paths: Sequence[Path]) -> list[Path]:
    return [path for path in paths if path.absolute().is_relative_to(folder.absolute())]


def _check_claims(document: Mapping[str, Any], claims: Claims, report: Path) -> None:
    """The report must be of the model, the stages and the scoring that config.yaml has."""
    made_from = document["provenance"]
    stages = {
        stage: {"from": one["from"], "settings": digest_text(canonical_json(one["settings"]))}
        for stage, one in made_from["stages"].items()
    }
    found = {"model": made_from["model"]["name"], "stages": stages, "scoring": made_from["scoring"]}
    for what, value in found.items():
        if value != getattr(claims, what):
            raise UserError(f"{report} was made with another {what} than config.yaml has now. {REBUILD}")


def _check_statistics(document: Mapping[str, Any], settings: ReportSettings, report: Path) -> None:
    for key in STATISTICS:
        found, wanted = document["statistics"][key], getattr(settings, key)
        if found != wanted:
            raise UserError(f"{report} was made with report.{key} {found}, not {wanted}. {REBUILD}")


def _check_times(one: ComparedRun, other: ComparedRun) -> None:
    for key, what in TIMES.items():
        old, new = one.scoring[key], other.scoring[key]
        if old != new:
            raise UserError(
                f"{one.name} was scored with {old} {what}, {other.name} with {new}: set scoring.{key} of both runs "
                "to the same number and score them again."
            )


def _check_holdouts(one: ComparedRun, other: ComparedRun) -> None:
    digests = [holdout_digest(run.tasks) for run in (one, other)]
    if digests[0] == digests[1]:
        return
    alone = one.tasks.keys() ^ other.tasks.keys()
    shared = one.tasks.keys() & other.tasks.keys()
    changed = sum(_asked(one.tasks[name]) != _asked(other.tasks[name]) for name in shared)
    raise UserError(
        f"{one.name} and {other.name} have different holdouts: digest {digests[0][:12]} with {len(one.tasks)} tasks, "
        f"digest {digests[1][:12]} with {len(other.tasks)}. {len(alone)} tasks are in one of them alone, {changed} of "
        "the others differ. Give both runs equal databases and equal tasks.select, and build them again."
    )


def _asked(task: Task) -> list[str]:
    return [getattr(task, field) for field in CONTENT]


def _check_databases(one: ComparedRun, other: ComparedRun) -> None:
    """Replies must have been judged on the same data, the hidden twins' too."""
    dumps = [
        {label: digest for label, digest in run.document["provenance"]["files"].items() if _is_dump(label)}
        for run in (one, other)
    ]
    for label in sorted(dumps[0].keys() | dumps[1].keys()):
        digests = [str(found.get(label, "none"))[:12] for found in dumps]
        if digests[0] != digests[1]:
            raise UserError(
                f"{one.name} and {other.name} were judged on different data: {label} has the digest {digests[0]} in "
                f"the first report, {digests[1]} in the second. Build both runs again."
            )


def _is_dump(label: str) -> bool:
    return label.startswith("databases/")
