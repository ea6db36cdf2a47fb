"""Compare every stage with its start and with the base: the delta report as HTML, Markdown and JSON."""

import argparse
import sys
from pathlib import Path

from rich.console import Console

from scripts.arguments import make_parser, run_script
from sqlrl.files import write_json, write_text
from sqlrl.records import from_json
from sqlrl.report.assemble import ReportFiles, assemble
from sqlrl.report.markdown import render_markdown
from sqlrl.report.page import render_page
from sqlrl.report.settings import Claims, ReportSettings

FILES = {
    "tasks": "the run's holdout tasks",
    "dev-tasks": "the run's dev tasks",
    "databases": "dumps of the databases, results/databases/<database>/<instance>.sql",
    "catalogs": "the catalogs beside them",
    "adapters": "each stage's adapter.json, in the order of the run",
    "parity": "each scored checkpoint's parity.json",
    "training-logs": "each stage's training_log.jsonl",
    "timings": "timing files of what was sampled and trained",
    "prompts": "prompts.json, of a run that shows large schemas in part",
    "rollouts": "results/<run>/<checkpoint>/rollouts/<database>-holdout-<pass>.jsonl",
    "scores": "the scores of these rollouts, and of dev",
    "reviews": "each database's review.jsonl",
}


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    for name, what in FILES.items():
        required = (
            {"nargs": "+", "required": True} if name in ("tasks", "scores", "rollouts") else {"nargs": "*"}
        )
        parser.add_argument(f"--{name}", type=Path, default=[], help=what, metavar="FILE", **required)
    parser.add_argument("--model", type=Path, required=True, help="the base model's model.json")
    parser.add_argument(
        "--settings", required=True, help="the report section of config.yaml and the run, in JSON"
    )
    parser.add_argument(
        "--provenance", required=True, help="what config.yaml says the results were made with, in JSON"
    )
    for name in ("html", "md", "json"):
        parser.add_argument(
            f"--output-{name}", type=Path, required=True, help=f"the report as {name} to write"
        )
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Build the document, write its three forms, say the headline."""
    files = ReportFiles(model=arguments.model, **{key: vars(arguments)[key] for key in _keys()})
    settings = from_json(ReportSettings, arguments.settings, "--settings")
    claims = from_json(Claims, arguments.provenance, "--provenance")
    report = assemble(files, settings, claims)
    document = report.document
    markdown, page = render_markdown(document), render_page(document, report.explorer)
    write_json(arguments.output_json, document)
    write_text(arguments.output_md, markdown)
    write_text(arguments.output_html, page)
    headline = document["headline"]
    beside = [one["sentence"] for one in headline["beside"]]
    for line in [headline["sentence"], *beside, *document["warnings"], str(arguments.output_html)]:
        Console(highlight=False, soft_wrap=True).print(line, markup=False)


def _keys() -> list[str]:
    return [name.replace("-", "_") for name in FILES]


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
