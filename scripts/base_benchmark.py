"""Score the base alone, before training: its figures, its headroom, the smallest gain the holdout could prove."""

import argparse
import sys
from pathlib import Path

from rich.console import Console

from scripts.arguments import make_parser, run_script
from sqlrl.files import digest_file, write_json, write_text
from sqlrl.models.folder import ModelManifest
from sqlrl.records import from_json, read_json
from sqlrl.report.benchmark import build_benchmark
from sqlrl.report.benchmark_page import render_benchmark
from sqlrl.report.costs import summarise
from sqlrl.report.evidence import HOLDOUT, read_evidence, read_tasks
from sqlrl.report.files import parse_results
from sqlrl.report.samples import Expected, check_samples, tasks_digests
from sqlrl.report.settings import Claims, ReportSettings
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
    parser.add_argument("--model", type=Path, required=True, help="the base model's model.json")
    parser.add_argument(
        "--group-sizes",
        type=int,
        nargs="*",
        default=[],
        metavar="N",
        help="groups that stages will train with",
    )
    parser.add_argument(
        "--settings", required=True, help="the report section of config.yaml and the run, in JSON"
    )
    parser.add_argument(
        "--provenance", required=True, help="what config.yaml says the results were made with, in JSON"
    )
    parser.add_argument("--output-html", type=Path, required=True, help="the page to write")
    parser.add_argument("--output-json", type=Path, required=True, help="its numbers, to write as JSON")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Read, compute, write, say the headline."""
    settings = from_json(ReportSettings, arguments.settings, "--settings")
    tasks = read_tasks(arguments.tasks, HOLDOUT)
    evidence = read_evidence(tasks, {}, arguments.scores, arguments.rollouts, {}, settings.headline_databases)
    costs = summarise(arguments.timings, [])
    model = read_json(arguments.model, ModelManifest)
    claims = from_json(Claims, arguments.provenance, "--provenance")
    rollouts = {file.label: digest_file(file.path) for file in parse_results(arguments.rollouts, "rollouts")}
    expected = Expected(model.digest, {}, tasks_digests(arguments.tasks), rollouts)
    check_samples(parse_results(arguments.scores, "scores"), expected, claims)
    benchmark = build_benchmark(evidence, settings, model, arguments.group_sizes) | {"costs": costs}
    page = render_benchmark(benchmark)
    write_json(arguments.output_json, benchmark)
    write_text(arguments.output_html, page)
    console = Console(highlight=False, soft_wrap=True)
    console.print(benchmark["headline"], markup=False)
    if costs["total"]["money"] is not None:
        console.print(money_sentence(costs["total"]), markup=False)
    console.print(str(arguments.output_html), markup=False)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
