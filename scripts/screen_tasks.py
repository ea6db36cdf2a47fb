"""Screen candidates: keep those that can be asked and graded fairly, and the reason of every other."""

import argparse
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.authoring.instances import open_instances
from sqlrl.authoring.screen import Rejection, Screen, ScreeningSettings
from sqlrl.authoring.screening import summarise
from sqlrl.authoring.task import Task
from sqlrl.authoring.teacher import Candidate
from sqlrl.database.files import MAIN, by_database
from sqlrl.errors import UserError
from sqlrl.files import digest_file, write_json
from sqlrl.progress import ProgressReport
from sqlrl.records import from_json, read_jsonl, to_dict, write_jsonl


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--authored", type=Path, required=True, help="candidates, JSONL")
    parser.add_argument(
        "--databases", type=Path, nargs="+", required=True, help="seeded dumps of main and of every twin"
    )
    parser.add_argument(
        "--settings", required=True, help="section tasks.screening of the configuration, as JSON"
    )
    parser.add_argument("--output", type=Path, required=True, help="the kept tasks, JSONL")
    parser.add_argument("--rejected", type=Path, required=True, help="the others with their reason, JSONL")
    parser.add_argument(
        "--summary", type=Path, required=True, help="counts by reason, cell and template, JSON"
    )
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Screen all candidates in their order."""
    settings = from_json(ScreeningSettings, arguments.settings, "--settings")
    candidates = read_jsonl(arguments.authored, Candidate)
    databases = by_database(arguments.databases)
    if len(databases) != 1:
        raise UserError(f"--databases: expected the dumps of one database, found {', '.join(databases)}.")
    ((database, dumps),) = databases.items()
    digests = {instance: digest_file(dump) for instance, dump in dumps.items()}
    found: list[Task | Rejection] = []
    with (
        open_instances(dumps, settings.statement_timeout_seconds) as instances,
        ProgressReport(len(candidates), "screening") as progress,
    ):
        for one in Screen(database, digests[MAIN], instances, settings).screen(candidates):
            found.append(one)
            progress.advance()
    tasks = [one for one in found if isinstance(one, Task)]
    rejections = [one for one in found if isinstance(one, Rejection)]
    summary = summarise(database, tasks, rejections, digests, settings)
    write_jsonl(arguments.rejected, rejections)
    write_json(arguments.summary, to_dict(summary))
    write_jsonl(arguments.output, tasks)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
