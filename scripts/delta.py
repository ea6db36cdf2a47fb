"""Compare two score files by hand, our own or other people's: is the second better, and how sure is that?"""

import argparse
import sys
from pathlib import Path

from rich.console import Console

from scripts.arguments import make_parser, run_script
from sqlrl.files import write_json
from sqlrl.report.by_hand import HandSettings, compare_sides
from sqlrl.report.by_hand_view import render_comparison
from sqlrl.report.sides import find_groups, read_side

EXAMPLES = """A score file has one JSON object a line, or the same as columns of a CSV:
  {"task_id": "a", "sample": 0, "verdict": "match"}
verdict is match, wrong or error; or true or false; or 1 or 0. Maybe also template and database.
Our own score files are taken as they are:
  python scripts/delta.py --before results/laptop/base/scores/shop-holdout-*.jsonl \\
    --after results/laptop/grpo/scores/shop-holdout-*.jsonl --tasks results/laptop/tasks/shop-holdout.jsonl
docs/comparing.md says more."""


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script; numbers are by default those of the report in config.schema.yaml."""
    parser = make_parser(__doc__)
    parser.epilog = EXAMPLES
    for name in ("before", "after"):
        parser.add_argument(
            f"--{name}",
            type=Path,
            nargs="+",
            required=True,
            metavar="FILE",
            help="scores; several files of the same tasks are scoring passes",
        )
    parser.add_argument(
        "--tasks",
        type=Path,
        nargs="*",
        default=[],
        metavar="FILE",
        help="task files that name each task's template and database",
    )
    parser.add_argument(
        "--databases",
        choices=("main", "all"),
        default="main",
        help="where a reply in our own score files must be right: on main, or on every twin too",
    )
    parser.add_argument("--confidence", type=float, default=0.95, help="of the intervals; %(default)s")
    parser.add_argument("--resamples", type=int, default=2000, help="of the bootstrap; %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of the bootstrap; %(default)s")
    parser.add_argument(
        "--margin", type=float, default=0.05, help="a difference too small to matter, as a share; %(default)s"
    )
    parser.add_argument("--json", type=Path, metavar="OUT", help="write every number to this file too")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Read both sides, compare, print."""
    settings = HandSettings(arguments.resamples, arguments.confidence, arguments.seed, arguments.margin)
    before, after = (read_side(files, arguments.databases) for files in (arguments.before, arguments.after))
    document = compare_sides(before, after, find_groups((before, after), arguments.tasks), settings)
    if arguments.json:
        write_json(arguments.json, document)
    console = Console(highlight=False)
    for part in render_comparison(document):
        console.print(part)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
