"""Describe the tasks of a database: what was kept and refused, what they are like, what their review found."""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console

from scripts.arguments import make_parser, run_script
from sqlrl.authoring.authored import AuthoringSummary
from sqlrl.authoring.exposed import ExposureSummary
from sqlrl.authoring.review import ReviewSummary, TaskReview
from sqlrl.authoring.screen import Rejection
from sqlrl.authoring.screening import ScreeningSummary
from sqlrl.authoring.split import PARTS
from sqlrl.authoring.task import Task
from sqlrl.errors import UserError
from sqlrl.files import digest_file, write_json, write_text
from sqlrl.records import from_json, read_json, read_jsonl
from sqlrl.report.tasks_page import headline, render_tasks
from sqlrl.report.tasks_report import TaskFiles, build_tasks_report
from sqlrl.statistics.bootstrap import BootstrapSettings

SUMMARIES = {
    "authoring": AuthoringSummary,
    "screening": ScreeningSummary,
    "exposure": ExposureSummary,
    "review": ReviewSummary,
}
RECORDS = {"rejected": Rejection, "exposed": Rejection, "tasks": Task, **dict.fromkeys(PARTS, Task)}
REVIEWS = "review.jsonl"
NAMES = (*(f"{name}.json" for name in SUMMARIES), *(f"{name}.jsonl" for name in RECORDS), REVIEWS)


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument(
        "--files",
        type=Path,
        nargs="+",
        required=True,
        help=f"of results/tasks/<database>: {', '.join(NAMES)}",
    )
    parser.add_argument(
        "--settings", required=True, help='{"resamples": 2000, "confidence": 0.95, "seed": 1}'
    )
    parser.add_argument("--output-html", type=Path, required=True, help="the page to write")
    parser.add_argument("--output-json", type=Path, required=True, help="its numbers, to write as JSON")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Read, count, write, say the headline."""
    settings = from_json(BootstrapSettings, arguments.settings, "--settings")
    paths = {path.name: path for path in arguments.files}
    document = build_tasks_report(read_files(paths), settings)
    document["provenance"] = {"files": {name: digest_file(paths[name]) for name in NAMES}}
    page = render_tasks(document)
    write_json(arguments.output_json, document)
    write_text(arguments.output_html, page)
    console = Console(highlight=False, soft_wrap=True)
    for line in (headline(document), str(arguments.output_html)):
        console.print(line, markup=False)


def read_files(paths: Mapping[str, Path]) -> TaskFiles:
    """Read all that is known of the tasks. Raises UserError where a file is not given or is not of its kind."""
    missing = [name for name in NAMES if name not in paths]
    if missing:
        raise UserError(f"--files has no {missing[0]}; needed: {', '.join(NAMES)}.")
    summaries: dict[str, Any] = {
        name: read_json(paths[f"{name}.json"], kind) for name, kind in SUMMARIES.items()
    }
    records: dict[str, Any] = {
        name: read_jsonl(paths[f"{name}.jsonl"], kind) for name, kind in RECORDS.items()
    }
    parts = {part: records.pop(part) for part in PARTS}
    return TaskFiles(**summaries, **records, parts=parts, reviews=read_jsonl(paths[REVIEWS], TaskReview))


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
