"""Write one kept step of a stage as an adapter folder of its own."""

import argparse
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.training.checkpoints import extract_step


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--checkpoints", type=Path, required=True, help="the stage's kept steps, safetensors")
    parser.add_argument("--adapter", type=Path, required=True, help="folder of the stage's adapter")
    parser.add_argument("--step", type=int, required=True, help="which step")
    parser.add_argument("--output", type=Path, required=True, help="folder to write the adapter into")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Extract."""
    extract_step(arguments.checkpoints, arguments.adapter, arguments.step, arguments.output)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
