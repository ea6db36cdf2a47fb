"""From files to the whole document of a delta report."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlrl.authoring.review import TaskReview
from sqlrl.database.catalog import Catalog
from sqlrl.database.files import MAIN, by_database
from sqlrl.records import read_json, read_jsonl
from sqlrl.report import ablation, costs, parity, prompts, provenance
from sqlrl.report.ceiling import describe_ceiling
from sqlrl.report.curves import read_training_log
from sqlrl.report.document import build_document, rounded
from sqlrl.report.evidence import DEV, HOLDOUT, Evidence, read_evidence, read_tasks
from sqlrl.report.explorer import make_explorer
from sqlrl.report.failures import choose_failures, describe_failures, reference_rows
from sqlrl.report.files import parse_results
from sqlrl.report.samples import Expected, check_samples, tasks_digests
from sqlrl.report.settings import Ablation, Claims, ReportSettings
from sqlrl.report.unseen import describe_unseen, unseen_sentences, unseen_warnings


@dataclass(frozen=True)
class ReportFiles:
    """The files of one run that a report is made from; see scripts/delta_report.py for what each is."""

    tasks: Sequence[Path]
    dev_tasks: Sequence[Path]
    databases: Sequence[Path]
    catalogs: Sequence[Path]
    model: Path
    adapters: Sequence[Path]
    parity: Sequence[Path]
    training_logs: Sequence[Path]
    timings: Sequence[Path]
    rollouts: Sequence[Path]
    scores: Sequence[Path]
    reviews: Sequence[Path] = ()
    prompts: Sequence[Path] = ()


@dataclass(frozen=True)
class Report:
    """A report before it is written: every number of the page, and the packed data of its explorer."""

    document: dict[str, Any]
    explorer: str


def assemble(files: ReportFiles, settings: ReportSettings, claims: Claims) -> Report:
    """Read, check and compute; every number of the page is in the document.

    Raises:
        UserError: files that are missing, wrong, of another build, or that cannot be compared.
    """
    dumps = by_database(files.databases)
    results = parse_results(files.scores, "scores") + parse_results(files.rollouts, "rollouts")
    origins = provenance.read_origins(
        files.model, files.adapters, dumps, results, [*files.tasks, *files.dev_tasks]
    )
    parents = {stage: claims.stages[stage]["from"] for stage in origins.adapters if stage in claims.stages}
    evidence = read_evidence(
        read_tasks(files.tasks, HOLDOUT),
        read_tasks(files.dev_tasks, DEV),
        files.scores,
        files.rollouts,
        parents,
        settings.headline_databases,
    )
    provenance.check(origins, evidence, claims)
    proofs = parity.read_proofs(files.parity)
    parity.check_proofs(proofs, evidence, origins.adapters)
    weights = {stage: adapter.weights for stage, adapter in origins.adapters.items()}
    expected = Expected(
        model=origins.model.digest,
        weights=weights | {checkpoint: proof.weights for checkpoint, proof in proofs.items()},
        tasks=tasks_digests([*files.tasks, *files.dev_tasks]),
        files=origins.files,
    )
    check_samples(parse_results(files.scores, "scores"), expected, claims)
    arms = claims.ablation.all_stages if claims.ablation else frozenset[str]()
    scored = evidence.without(arms)
    shown = scored.of_databases(claims.databases) if claims.unseen else scored
    curves = dict(map(read_training_log, files.training_logs))
    own_curves = {stage: curve for stage, curve in curves.items() if stage not in arms}
    trained = {
        stage: adapter.settings for stage, adapter in origins.adapters.items() if stage in shown.checkpoints
    }
    document = build_document(shown, own_curves, settings, trained, claims.seeds) | {"ablation": None}
    if claims.ablation:
        own = evidence.of_databases(claims.databases) if claims.unseen else evidence
        _add_ablation(document, own, claims.ablation, files.training_logs, settings)
    _add_unseen(document, scored, claims, settings)
    last = shown.checkpoints[-1]
    failures = choose_failures(shown, last, settings.failures)
    references = reference_rows(list(evidence.tasks.values()), dumps, claims.verifier) if dumps else {}
    document["failures"] = describe_failures(failures, shown, last, references)
    explorer = make_explorer(evidence, last, references, settings.headline_databases)
    document["explorer"] = explorer.figures
    document["asked"]["databases"] = describe_databases(files.catalogs)
    document["ceiling"] = _ceiling(files.reviews, shown, settings)
    document["provenance"] = provenance.describe(
        origins, claims, f"snakemake delta_report --config run={claims.run}"
    )
    document["prompts"] = prompts.read_prompts(files.prompts, origins.adapters)
    document["parity"] = parity.describe_proofs(proofs, evidence.checkpoints)
    document["warnings"] += provenance.endings(origins) + parity.warnings_of(proofs, arms)
    document["costs"] = costs.summarise(
        files.timings,
        list(parents),
        settings.gpu_hour_price,
        claims.ablation.groups if claims.ablation else None,
    )
    return Report(document, explorer.packed)


def _add_ablation(
    document: dict[str, Any],
    evidence: Evidence,
    claimed: Ablation,
    training_logs: Sequence[Path],
    settings: ReportSettings,
) -> None:
    """The arms against their control; they are what the run is about, so the headline is theirs."""
    figures = ablation.read_figures(training_logs)
    document["ablation"] = ablation.describe_ablation(evidence, claimed, figures, settings)
    document["headline"] = ablation.headline(document["ablation"], document["headline"])
    document["warnings"] += ablation.warnings(document["ablation"])


def _add_unseen(
    document: dict[str, Any], evidence: Evidence, claims: Claims, settings: ReportSettings
) -> None:
    """Schemas never trained on: figures of their own, so that no other mixes taught and untaught."""
    document["unseen_schemas"] = rounded(describe_unseen(evidence, claims.unseen, settings))
    document["headline"]["beside"] += unseen_sentences(document["unseen_schemas"], evidence)
    document["warnings"] += unseen_warnings(document["unseen_schemas"])


def _ceiling(reviews: Sequence[Path], evidence: Evidence, settings: ReportSettings) -> dict[str, Any] | None:
    """What a perfect model could score on the holdout; None where no review is given."""
    if not reviews:
        return None
    found = {one.task_id: one for path in reviews for one in read_jsonl(path, TaskReview)}
    ceiling = describe_ceiling(list(evidence.tasks.values()), found, settings.bootstrap)
    rates: dict[str, Any] = rounded(ceiling)
    return rates


def describe_databases(catalogs: Sequence[Path]) -> list[dict[str, Any]]:
    """Each database with the size of main and the number of its twins."""
    found = [read_json(path, Catalog) for path in catalogs]
    return [
        {
            "database": main.database,
            "tables": len(main.tables),
            "rows": sum(table.rows for table in main.tables),
            "twins": sum(one.database == main.database for one in found) - 1,
        }
        for main in found
        if main.instance == MAIN
    ]
