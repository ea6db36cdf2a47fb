"""Compare all checkpoints of several runs on one holdout: does a newer base start higher?"""

import argparse
import json
import sys
from pathlib import Path

from rich.console import Console

from scripts.arguments import make_parser, run_script
from sqlrl.errors import UserError
from sqlrl.files import write_json, write_text
from sqlrl.records import from_dict, from_json
from sqlrl.report.comparison_markdown import render_comparison_markdown
from sqlrl.report.comparison_page import render_comparison
from sqlrl.report.run_comparison import build_comparison
from sqlrl.report.runs import RunFiles, read_runs
from sqlrl.report.settings import Claims, ReportSettings

FILES = {
    "reports": "each run's delta_report.json",
    "tasks": "each run's holdout tasks, results/<run>/tasks/<database>-holdout.jsonl",
    "scores": "the scores of each run's base and last checkpoint on the holdout",
}


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    for name, what in FILES.items():
        parser.add_argument(f"--{name}", type=Path, nargs="+", required=True, help=what, metavar="FILE")
    parser.add_argument("--settings", required=True, help="the report section of config.yaml, in JSON")
    parser.add_argument(
        "--runs",
        required=True,
        help="what config.yaml says of each run, the oldest base first, as a JSON list",
    )
    for form in ("html", "md", "json"):
        parser.add_argument(
            f"--output-{form}", type=Path, required=True, help=f"the comparison as {form} to write"
        )
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Read, check and compute; write the three forms, say the headline."""
    settings = from_json(ReportSettings, arguments.settings, "--settings")
    files = RunFiles(arguments.reports, arguments.tasks, arguments.scores)
    document = build_comparison(read_runs(files, read_claims(arguments.runs), settings), settings)
    markdown, page = render_comparison_markdown(document), render_comparison(document)
    write_json(arguments.output_json, document)
    write_text(arguments.output_md, markdown)
    write_text(arguments.output_html, page)
    beside = [one["sentence"] for one in document["headline"]["beside"]]
    lines = [document["headline"]["sentence"], *beside, *document["warnings"], str(arguments.output_html)]
    for line in lines:
        Console(highlight=False, soft_wrap=True).print(line, markup=False)


def read_claims(text: str) -> list[Claims]:
    """The claims of two runs at least. Raises UserError."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise UserError(f"--runs: not JSON: {error}.") from error
    if not isinstance(found, list) or len(found) < 2:
        raise UserError("--runs: expected a list of two runs at least.")
    return [from_dict(Claims, one, f"--runs[{place}]") for place, one in enumerate(found)]


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
