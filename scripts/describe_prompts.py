"""Count what a run's prompts show of its databases, and how often they leave out a table that a reference reads."""

import argparse
import json
import sys
from pathlib import Path

from rich.console import Console

from scripts.arguments import make_parser, run_script
from sqlrl.authoring.prompt_figures import describe_prompts
from sqlrl.authoring.task import Task
from sqlrl.files import write_json
from sqlrl.models.messages import PromptSettings
from sqlrl.records import from_json, read_jsonl, to_dict
from sqlrl.report.prompts import prompt_sentence
from sqlrl.sampling.open import KINDS, SERVED, open_writer


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--model", type=Path, required=True, help="model.json of the base model")
    parser.add_argument("--train-tasks", type=Path, nargs="+", required=True, help="training tasks, JSONL")
    parser.add_argument("--dev-tasks", type=Path, nargs="+", required=True, help="dev tasks, JSONL")
    parser.add_argument("--databases", type=Path, nargs="+", required=True, help="the databases' catalogs")
    parser.add_argument("--notes", type=Path, nargs="+", required=True, help="each database's notes.md")
    parser.add_argument("--prompt", required=True, help='{"schema": "compact", "linking": {"budget": 4000}}')
    parser.add_argument(
        "--sampler", choices=(*KINDS, *SERVED), default=KINDS[0], help="what will draw replies"
    )
    parser.add_argument("--output", type=Path, required=True, help="the figures, JSON")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Write all prompts of training and dev tasks, count, and say it."""
    settings = from_json(PromptSettings, arguments.prompt, "--prompt")
    writer = open_writer(
        arguments.sampler, arguments.model.parent, settings, arguments.databases, arguments.notes
    )
    tasks = {
        part: [task for file in files for task in read_jsonl(file, Task)]
        for part, files in (("train", arguments.train_tasks), ("dev", arguments.dev_tasks))
    }
    figures = to_dict(describe_prompts(writer, tasks, json.loads(arguments.prompt)))
    write_json(arguments.output, figures)
    for one in figures["databases"]:
        Console(highlight=False, soft_wrap=True).print(
            prompt_sentence(one, figures["settings"]), markup=False
        )


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
