"""Export a checkpoint's replies on the holdout, with their verdicts, as rows of the whileai SDK."""

import argparse
import logging
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.publish.rows import RowFiles, read_row_sources, rows_of, write_rows

FILES = {
    "tasks": "the run's holdout tasks",
    "rollouts": "the checkpoint's replies, results/<run>/<checkpoint>/rollouts/<database>-holdout-<pass>.jsonl",
    "scores": "the scores of these replies",
}


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--checkpoint", required=True, help="base, a stage, or stage@step")
    parser.add_argument("--report", type=Path, required=True, help="the run's delta_report.json")
    for name, what in FILES.items():
        parser.add_argument(f"--{name}", type=Path, nargs="+", required=True, help=what, metavar="FILE")
    parser.add_argument("--output", type=Path, required=True, help="the rows to write, JSONL")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Read, check, write."""
    files = RowFiles(arguments.report, arguments.tasks, arguments.rollouts, arguments.scores)
    sources = read_row_sources(files, arguments.checkpoint)
    count = write_rows(arguments.output, rows_of(sources))
    logging.getLogger(__name__).info("%s has %d rows", arguments.output, count)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
