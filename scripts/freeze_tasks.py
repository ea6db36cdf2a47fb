"""Freeze the tasks of some databases: keep them in the databases' folders, and ask no teacher for them again."""

import argparse
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.authoring.authored import AuthoringSummary
from sqlrl.authoring.frozen import freeze_tasks
from sqlrl.authoring.task import Task
from sqlrl.errors import UserError
from sqlrl.records import read_json, read_jsonl


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument(
        "--tasks", type=Path, nargs="+", required=True, help="<database>/tasks.jsonl, screened and probed"
    )
    parser.add_argument(
        "--authoring", type=Path, nargs="+", required=True, help="authoring.json of each, in the same order"
    )
    parser.add_argument("--databases", type=Path, default=Path("databases"), help="the databases' sources")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Write each database's tasks into its folder."""
    if len(arguments.tasks) != len(arguments.authoring):
        raise UserError("--authoring: expected one file for each of --tasks.")
    for file, summary in zip(arguments.tasks, arguments.authoring, strict=True):
        folder = arguments.databases / file.absolute().parent.name
        freeze_tasks(read_jsonl(file, Task), read_json(summary, AuthoringSummary), folder)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
