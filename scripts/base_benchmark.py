"""Score the base alone, before training: its figures, its headroom, the smallest gain the holdout could prove."""

import argparse
import sys
from pathlib import Path

from rich.console import Console

from scripts.arguments import make_parser, run_script
from sqlrl.files import write_json
from sqlrl.records import from_json
from sqlrl.report.benchmark import build_benchmark
from sqlrl.report.costs import summarise
from sqlrl.report.evidence import HOLDOUT, read_evidence, read_tasks
from sqlrl.report.settings import ReportSettings
from sqlrl.report.words import money_sentence


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--tasks", type=Path, nargs="+", required=True, help="the run's holdout tasks, JSONL")
    parser.add_argument(
        "--scores", type=Path, nargs="+", required=True, help="the base's scores on the holdout"
    )
    parser.add_argument(
        "--rollouts", type=Path, nargs="+", required=True, help="the replies that were scored"
    )
    parser.add_argument("--timings", type=Path, nargs="*", default=[], help="their timing files")
    parser.add_argument(
        "--settings", required=True, help="the report section of config.yaml and the run, in JSON"
    )
    parser.add_argument("--output", type=Path, required=True, help="the JSON to write")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Read, compute, write, say the headline."""
    settings = from_json(ReportSettings, arguments.settings, "--settings")
    tasks = read_tasks(arguments.tasks, HOLDOUT)
    evidence = read_evidence(tasks, {}, arguments.scores, arguments.rollouts, {}, settings.headline_databases)
    costs = summarise(arguments.timings, [])
    benchmark = build_benchmark(evidence, settings) | {"costs": costs}
    write_json(arguments.output, benchmark)
    console = Console(highlight=False, soft_wrap=True)
    console.print(benchmark["headline"], markup=False)
    if costs["total"]["money"] is not None:
        console.print(money_sentence(costs["total"]), markup=False)
    console.print(str(arguments.output), markup=False)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
