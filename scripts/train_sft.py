"""Train an adapter to imitate the reference SQL of the training tasks."""

import argparse
import json
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.authoring.task import Task
from sqlrl.errors import UserError
from sqlrl.models.prompts import PromptSettings, PromptWriter
from sqlrl.records import from_json, read_jsonl
from sqlrl.training.settings import SftSettings, read_stage
from sqlrl.training.sft import SftTrainer
from sqlrl.training.stage import Products, Request, Stage


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--model", type=Path, required=True, help="model.json of the base model")
    parser.add_argument(
        "--parent", type=Path, nargs="*", default=[], help="the adapter's files to go on from; none: the base"
    )
    parser.add_argument("--tasks", type=Path, nargs="+", required=True, help="training tasks, JSONL")
    parser.add_argument(
        "--databases", type=Path, nargs="+", required=True, help="the databases' catalogs, main.json at least"
    )
    parser.add_argument("--notes", type=Path, nargs="+", required=True, help="each database's notes.md")
    parser.add_argument("--prompt", required=True, help='{"schema": "compact", "system_prefix": "", ...}')
    parser.add_argument("--settings", required=True, help='{"kind": "sft", "steps": 90, ...}')
    parser.add_argument("--code", default="", help="digest of the code, part of what unfinished work is for")
    parser.add_argument("--work", type=Path, required=True, help="folder for unfinished work")
    parser.add_argument("--adapter", type=Path, required=True, help="folder to write the adapter into")
    parser.add_argument("--checkpoints", type=Path, required=True, help="the asked-for steps, safetensors")
    parser.add_argument("--training-log", type=Path, required=True, help="a line a step, JSONL")
    parser.add_argument("--timing", type=Path, required=True, help="what it cost, JSON")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Read, train, write."""
    settings, given = read_stage(arguments.settings, "--settings")
    if not isinstance(settings, SftSettings):
        raise UserError(f"--settings: kind is {settings.kind!r}; this script trains kind 'sft'.")
    prompt = from_json(PromptSettings, arguments.prompt, "--prompt")
    prompts = PromptWriter(arguments.model.parent, prompt, arguments.databases, arguments.notes)
    tasks = [task for file in arguments.tasks for task in read_jsonl(file, Task)]
    request = Request(
        settings=settings,
        given=given,
        model=arguments.model,
        parent=arguments.parent[0].parent if arguments.parent else None,
        inputs=[*arguments.tasks, *arguments.databases, *arguments.notes],
        sections={"prompt": json.loads(arguments.prompt)},
        code=arguments.code,
    )
    stage = Stage(request, prompts, arguments.work)
    stage.train(SftTrainer(stage, tasks))
    stage.finish(Products(arguments.adapter, arguments.checkpoints, arguments.training_log, arguments.timing))


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
