"""Write a folder ready for the Hub: an adapter with its model card, its training tasks and its holdout rollouts."""

import argparse
import logging
import sys
from dataclasses import dataclass
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.models.architecture import class_name
from sqlrl.models.prompts import PromptSettings
from sqlrl.publish.card import Loading
from sqlrl.publish.folder import write_folder
from sqlrl.publish.schemas import read_schemas
from sqlrl.publish.sources import PublishFiles, read_sources
from sqlrl.records import from_json

FILES = {
    "adapter": "the adapter's files",
    "tasks": "the run's training tasks",
    "holdout-tasks": "the run's holdout tasks",
    "rollouts": "the checkpoint's replies on the holdout, results/<run>/<checkpoint>/rollouts/...",
    "scores": "the scores of these replies",
    "databases": "the databases' catalogs, main.json at least",
    "notes": "each database's notes.md",
    "schemas": "each database's schema.sql",
}


@dataclass(frozen=True)
class CardSettings:
    """licence: of the base model, None where it is not known; causal_form: whether the adapter is published under
    the names of AutoModelForCausalLM too.
    """

    licence: str | None
    causal_form: bool


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--checkpoint", required=True, help="what is published: a stage, or stage@step")
    parser.add_argument("--report", type=Path, required=True, help="the run's delta_report.json")
    parser.add_argument("--model", type=Path, required=True, help="model.json of the base model")
    for name, what in FILES.items():
        parser.add_argument(f"--{name}", type=Path, nargs="+", required=True, help=what, metavar="FILE")
    parser.add_argument("--prompt", required=True, help='{"schema": "compact", "system_prefix": "", ...}')
    parser.add_argument("--settings", required=True, help='{"licence": "Apache-2.0", "causal_form": false}')
    parser.add_argument("--output", type=Path, required=True, help="the folder to write")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Read, check, write."""
    settings = from_json(CardSettings, arguments.settings, "--settings")
    prompt = from_json(PromptSettings, arguments.prompt, "--prompt")
    adapter = arguments.adapter[0].parent
    files = PublishFiles(
        arguments.report, adapter, arguments.model, arguments.tasks, arguments.holdout_tasks,
        arguments.rollouts, arguments.scores,
    )  # fmt: skip
    sources = read_sources(files, arguments.checkpoint)
    schemas = read_schemas(
        arguments.model.parent, prompt, arguments.databases, arguments.notes, arguments.schemas
    )
    loading = Loading(class_name(arguments.model.parent), settings.causal_form)
    write_folder(sources, adapter, schemas, prompt, settings.licence, arguments.output, loading)
    logging.getLogger(__name__).info("%s is ready to be looked at, and to be uploaded", arguments.output)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
