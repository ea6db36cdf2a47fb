"""Sample k replies to every task from a base model, from it with an adapter, or from a model behind an API."""

import argparse
import json
import shutil
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from scripts.sampling_arguments import adapter_rank, add_engine, add_server
from sqlrl.authoring.task import Task
from sqlrl.files import digest_file, write_json
from sqlrl.models.folder import read_model
from sqlrl.models.messages import PromptSettings
from sqlrl.models.server import parse_server
from sqlrl.records import from_json, read_jsonl, to_dict, write_jsonl
from sqlrl.sampling.cost import timing_of
from sqlrl.sampling.engine_settings import parse_engine
from sqlrl.sampling.open import KINDS, SERVED, open_sampler, open_served, open_writer
from sqlrl.sampling.origin import RolloutsOrigin, weights_digest, write_origin
from sqlrl.sampling.rollouts import RolloutSettings, read_spent, sample_tasks, work_folder
from sqlrl.timing import Stopwatch


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--model", type=Path, required=True, help="model.json of the base model")
    parser.add_argument(
        "--adapter", type=Path, nargs="*", default=[], help="the adapter's files; none for the base model"
    )
    add_server(parser)
    parser.add_argument("--tasks", type=Path, required=True, help="tasks, JSONL")
    parser.add_argument(
        "--databases", type=Path, nargs="+", required=True, help="the databases' catalogs, main.json at least"
    )
    parser.add_argument("--notes", type=Path, nargs="+", required=True, help="each database's notes.md")
    parser.add_argument("--prompt", required=True, help='{"schema": "compact", "system_prefix": "", ...}')
    parser.add_argument(
        "--sampler", choices=(*KINDS, *SERVED), default=KINDS[0], help="the engine that draws replies"
    )
    add_engine(parser)
    parser.add_argument("--settings", required=True, help='{"k": 4, "temperature": 0.7, ..., "seed": 1}')
    parser.add_argument("--code", default="", help="digest of the code, part of what unfinished work is for")
    parser.add_argument("--work", type=Path, required=True, help="folder for unfinished work")
    parser.add_argument(
        "--output",
        type=Path,
        required=True,
        help="replies, JSONL; what they are made from stands beside them",
    )
    parser.add_argument("--timing", type=Path, help="seconds, tokens and money, JSON")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Read, sample, write."""
    watch = Stopwatch(arguments.gpus)
    settings = from_json(RolloutSettings, arguments.settings, "--settings")
    model, folder = read_model(arguments.model), arguments.model.parent
    adapter = arguments.adapter[0].parent if arguments.adapter else None
    prompt_settings = from_json(PromptSettings, arguments.prompt, "--prompt")
    writer = open_writer(arguments.sampler, folder, prompt_settings, arguments.databases, arguments.notes)
    tasks = read_jsonl(arguments.tasks, Task)
    prompts = [writer.write(task.id, task.database, task.question) for task in tasks]
    inputs = [arguments.tasks, *arguments.databases, *arguments.notes, *arguments.adapter]
    made_with = [to_dict(settings), to_dict(prompt_settings), arguments.sampler, arguments.code]
    work = work_folder(
        arguments.work, {"settings": made_with, "inputs": [model.digest, *map(digest_file, inputs)]}
    )
    # What decides only speed and price is no part of what the work is for.
    server = parse_server(arguments.server, "--server")
    if server:
        sampler = open_served(arguments.sampler, model, server, prompt_settings.thinking)
    else:
        engine = parse_engine(arguments.engine, "--engine")
        sampler = open_sampler(arguments.sampler, folder, engine, adapter_rank(adapter))
    replies = sample_tasks(sampler, prompts, settings.k, settings.sampling, adapter, settings.seed, work)
    sampler.close()
    write_jsonl(arguments.output, replies)
    origin = RolloutsOrigin(
        rollouts=digest_file(arguments.output),
        tasks=digest_file(arguments.tasks),
        model=model.digest,
        weights=weights_digest(arguments.adapter),
        sampler=arguments.sampler,
        settings=json.loads(arguments.settings),
        prompt=json.loads(arguments.prompt),
        code=arguments.code,
    )
    write_origin(arguments.output, origin)
    if arguments.timing:
        timing = timing_of(replies, read_spent(work), watch, server.price if server else None)
        write_json(arguments.timing, to_dict(timing))
    shutil.rmtree(work)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
