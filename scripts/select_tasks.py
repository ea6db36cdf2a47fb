"""Select the tasks of one run: its cells, from one or more databases, and which templates are trained on."""

import argparse
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.authoring.select import SelectionSettings, select_tasks
from sqlrl.authoring.split import PARTS
from sqlrl.authoring.task import Task
from sqlrl.records import from_json, read_jsonl, write_jsonl


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    for part in PARTS:
        parser.add_argument(
            f"--{part}",
            type=Path,
            nargs="+",
            required=True,
            help=f"tasks of part {part}, one file a database",
        )
        parser.add_argument(
            f"--output-{part}", type=Path, required=True, help=f"the chosen ones of part {part}"
        )
    parser.add_argument("--settings", required=True, help="section tasks.select of the run, as JSON")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Write the chosen tasks of the three parts."""
    settings = from_json(SelectionSettings, arguments.settings, "--settings")
    given = {part: [read_jsonl(path, Task) for path in getattr(arguments, part)] for part in PARTS}
    chosen = select_tasks(given, settings)
    for part in PARTS:
        write_jsonl(getattr(arguments, f"output_{part}"), chosen[part])


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
