"""Print the settings of a run of config.yaml, one a line, and where each comes from; or all that can be set."""

import argparse
import sys
from pathlib import Path

import yaml

from scripts.arguments import make_parser, run_script
from sqlrl.config.reference import render_reference
from sqlrl.config.resolved import resolved_settings
from sqlrl.config.settings import read_schema
from sqlrl.records import read_text

WIDTH = 70  # longer ones push their comment to the right
ROOT = Path(__file__).resolve().parents[1]


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.epilog = None
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--run", metavar="NAME", help="the run whose settings are printed")
    what.add_argument(
        "--reference", action="store_true", help="print docs/settings.md: every setting there is"
    )
    parser.add_argument("--config", type=Path, default=ROOT / "config.yaml", help="%(default)s")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Print."""
    if arguments.reference:
        sys.stdout.write(render_reference(read_schema(ROOT)))
        return
    config = yaml.safe_load(read_text(arguments.config))
    lines = resolved_settings(ROOT, config, arguments.config.name, arguments.run)
    for line in lines:
        sys.stdout.write(f"{line.text:<{WIDTH}}  # {line.origin}\n")


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments(), by_run=False))
