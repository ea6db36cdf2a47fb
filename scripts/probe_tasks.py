"""Probe screened tasks: refuse those for which a query that means something else passes on main and all twins."""

import argparse
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.authoring.exposed import ExposureSummary, open_prober, refuse_exposed
from sqlrl.authoring.screen import ScreeningSettings
from sqlrl.authoring.screening import require_enough
from sqlrl.authoring.task import Task
from sqlrl.database.files import by_database
from sqlrl.errors import UserError
from sqlrl.files import digest_file, write_json
from sqlrl.progress import ProgressReport
from sqlrl.records import from_json, read_jsonl, to_dict, write_jsonl


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--screened", type=Path, required=True, help="tasks that screening kept, JSONL")
    parser.add_argument(
        "--databases", type=Path, nargs="+", required=True, help="seeded dumps of main and of every twin"
    )
    parser.add_argument(
        "--witnesses", type=Path, nargs="*", default=[], help="seeded dumps that tell which query means what"
    )
    parser.add_argument("--settings", required=True, help="section screening of the configuration, as JSON")
    parser.add_argument("--output", type=Path, required=True, help="the kept tasks, JSONL")
    parser.add_argument(
        "--exposed", type=Path, required=True, help="the others, each with a query that passes for it, JSONL"
    )
    parser.add_argument("--summary", type=Path, required=True, help="the mutation scores, JSON")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Try the mutants of every task's reference SQL."""
    settings = from_json(ScreeningSettings, arguments.settings, "--settings")
    screened = read_jsonl(arguments.screened, Task)
    databases = by_database([*arguments.databases, *arguments.witnesses])
    if len(databases) != 1:
        raise UserError(f"--databases: expected the dumps of one database, found {', '.join(databases)}.")
    ((database, dumps),) = databases.items()
    with (
        open_prober(database, dumps, settings.statement_timeout_seconds) as verifier,
        ProgressReport(len(screened), "probing") as progress,
    ):
        tasks, refused, figures = refuse_exposed(verifier, screened, progress.advance)
    require_enough(database, tasks, refused, settings)
    digests = {instance: digest_file(dump) for instance, dump in dumps.items()}
    summary = ExposureSummary(database, len(screened), len(tasks), figures, digests)
    write_jsonl(arguments.exposed, refused)
    write_json(arguments.summary, to_dict(summary))
    write_jsonl(arguments.output, tasks)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
