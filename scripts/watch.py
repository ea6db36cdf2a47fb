"""Watch a run while it trains: steps, reward, groups without variance, lengths, pace, and replies with verdicts."""

import argparse
import sys
from pathlib import Path

from rich.console import Console

from scripts.arguments import make_parser, run_script
from sqlrl.watch.watch import Watch

EXAMPLES = """python scripts/watch.py results/laptop
It ends when the stage is complete; Ctrl-C ends it at any time, and nothing of the run notices."""


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.epilog = EXAMPLES
    parser.add_argument("run", type=Path, help="the run's folder, results/<run>")
    parser.add_argument(
        "--stage", help="the stage to show, also one that is complete; else the one that trains"
    )
    parser.add_argument("--follow", action="store_true", help="go on with the next stage, and wait for one")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Watch until the end, or until somebody has seen enough."""
    try:
        Watch(arguments.run, Console(), arguments.stage, arguments.follow).go()
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
