"""From files to the whole document of a delta report."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlrl.database.catalog import Catalog
from sqlrl.database.files import MAIN, by_database
from sqlrl.records import read_json
from sqlrl.report import costs, provenance
from sqlrl.report.curves import read_training_log
from sqlrl.report.document import build_document
from sqlrl.report.evidence import DEV, HOLDOUT, read_evidence, read_tasks
from sqlrl.report.failures import choose_failures, describe_failures, reference_rows
from sqlrl.report.files import parse_results
from sqlrl.report.settings import Claims, ReportSettings


@dataclass(frozen=True)
class ReportFiles:
    """The files of one run that a report is made from; see scripts/delta.py for what each is."""

    tasks: Sequence[Path]
    dev_tasks: Sequence[Path]
    databases: Sequence[Path]
    catalogs: Sequence[Path]
    model: Path
    adapters: Sequence[Path]
    training_logs: Sequence[Path]
    timings: Sequence[Path]
    rollouts: Sequence[Path]
    scores: Sequence[Path]


def assemble(files: ReportFiles, settings: ReportSettings, claims: Claims) -> dict[str, Any]:
    """Read, check and compute; every number of the page is in the result.

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
    document = build_document(evidence, dict(map(read_training_log, files.training_logs)), settings)
    last = evidence.checkpoints[-1]
    failures = choose_failures(evidence, last, settings.failures)
    references = reference_rows([one.task for one in failures], dumps, claims.verifier) if dumps else {}
    document["failures"] = describe_failures(failures, evidence, last, references)
    document["asked"]["databases"] = describe_databases(files.catalogs)
    document["provenance"] = provenance.describe(
        origins, claims, f"snakemake delta_report --config run={claims.run}"
    )
    document["warnings"] += provenance.endings(origins)
    document["costs"] = costs.summarise(files.timings, list(parents))
    return document


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
