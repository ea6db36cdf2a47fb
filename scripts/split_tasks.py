"""Split the tasks of a database into train, dev and holdout by a hash of their ids."""

import argparse
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.authoring.split import PARTS, SplitSettings, split_tasks
from sqlrl.authoring.task import Task
from sqlrl.records import from_json, read_jsonl, write_jsonl


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--tasks", type=Path, required=True, help="the kept tasks, JSONL")
    parser.add_argument("--settings", required=True, help='JSON: {"dev": 0.1, "holdout": 0.19}')
    for part in PARTS:
        parser.add_argument(f"--{part}", type=Path, required=True, help=f"the tasks of part {part}, JSONL")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Write the three parts."""
    settings = from_json(SplitSettings, arguments.settings, "--settings")
    parts = split_tasks(read_jsonl(arguments.tasks, Task), settings, str(arguments.tasks))
    for part in PARTS:
        write_jsonl(getattr(arguments, part), parts[part])


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
