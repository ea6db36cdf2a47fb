"""Write the README.md of a finished run's folder."""

import argparse
import json
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.files import write_text
from sqlrl.report.counted import read_document
from sqlrl.report.run_readme import render_readme


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--template", type=Path, required=True, help="README.md.j2")
    parser.add_argument("--report", type=Path, required=True, help="the run's delta_report.json")
    parser.add_argument("--model", type=Path, required=True, help="the base model's model.json")
    parser.add_argument("--timings", type=Path, nargs="+", required=True, help="timing files of all its jobs")
    parser.add_argument("--settings", required=True, help="the run's block of the configuration, as JSON")
    parser.add_argument("--output", type=Path, required=True, help="the README.md to write")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Read, render, write."""
    folders = {"model": str(arguments.model.parent), "run": str(arguments.report.parent)}
    document, settings = read_document(arguments.report), json.loads(arguments.settings)
    write_text(
        arguments.output, render_readme(arguments.template, document, settings, arguments.timings, folders)
    )


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
