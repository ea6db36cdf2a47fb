"""Let a model answer the questions of kept tasks without their references, for the review."""

import argparse
import shutil
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from scripts.sampling_arguments import add_engine, add_server
from sqlrl.authoring.solver import SolvingSettings, ask_solver
from sqlrl.authoring.spending import parse_limit
from sqlrl.authoring.task import Task
from sqlrl.files import digest_file, write_json
from sqlrl.models.folder import read_model
from sqlrl.models.messages import PromptSettings
from sqlrl.models.server import parse_server
from sqlrl.records import from_json, read_jsonl, to_dict, write_jsonl
from sqlrl.sampling.engine_settings import parse_engine
from sqlrl.sampling.open import KINDS, SERVED, open_sampler, open_writer
from sqlrl.sampling.rollouts import read_spent, sample_tasks, work_folder
from sqlrl.sampling.sampler import Prompt, Reply
from sqlrl.timing import Stopwatch


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--tasks", type=Path, required=True, help="kept tasks, JSONL")
    parser.add_argument("--model", type=Path, required=True, help="the solver's model.json")
    add_server(parser)
    parser.add_argument("--databases", type=Path, nargs="+", required=True, help="the database's catalog")
    parser.add_argument("--notes", type=Path, nargs="+", required=True, help="the database's notes.md")
    parser.add_argument("--prompt", required=True, help='{"schema": "ddl", "system_prefix": "", ...}')
    parser.add_argument("--sampler", choices=(*KINDS, *SERVED), required=True, help="what draws the replies")
    add_engine(parser)
    parser.add_argument("--spending", default="", help="what it may cost: money=5.0,tokens=2000000")
    parser.add_argument("--settings", required=True, help='{"parts": ["holdout"], "k": 4, ...}')
    parser.add_argument("--code", default="", help="digest of the code, part of what unfinished work is for")
    parser.add_argument(
        "--work", type=Path, required=True, help="folder for replies, which are paid for once"
    )
    parser.add_argument("--output", type=Path, required=True, help="the replies, JSONL")
    parser.add_argument("--timing", type=Path, required=True, help="seconds, tokens and money, JSON")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Choose, ask, write."""
    watch = Stopwatch(arguments.gpus)
    settings = from_json(SolvingSettings, arguments.settings, "--settings")
    prompt = from_json(PromptSettings, arguments.prompt, "--prompt")
    tasks = settings.choose(read_jsonl(arguments.tasks, Task))
    folder = arguments.model.parent
    writer = open_writer(arguments.sampler, folder, prompt, arguments.databases, arguments.notes)
    prompts = [writer.write(task.id, task.database, task.question) for task in tasks]
    if server := parse_server(arguments.server, "--server"):
        limit = parse_limit(arguments.spending, "--spending")
        asked = (arguments.sampler, read_model(arguments.model), server, prompt.thinking, prompts, settings)
        replies, purse = ask_solver(*asked, limit, arguments.work)
        seconds, money = None, purse.money
    else:
        replies, seconds = sample_here(arguments, prompts, settings)
        money = None
    tokens, read = (sum(getattr(one, name) for one in replies) for name in ("reply_tokens", "prompt_tokens"))
    write_json(arguments.timing, to_dict(watch.timing(tokens, len(replies), seconds, read, money)))
    write_jsonl(arguments.output, replies)
    if arguments.sampler in KINDS:
        shutil.rmtree(arguments.work)


def sample_here(
    arguments: argparse.Namespace, prompts: list[Prompt], settings: SolvingSettings
) -> tuple[list[Reply], float]:
    """Replies of a model whose weights are here, and the seconds that they took."""
    inputs = [arguments.model, arguments.tasks, *arguments.databases, *arguments.notes]
    made_from = [arguments.settings, arguments.prompt, arguments.sampler, arguments.code]
    work = work_folder(arguments.work, {"settings": made_from, "inputs": [*map(digest_file, inputs)]})
    engine = parse_engine(arguments.engine, "--engine")
    sampler = open_sampler(arguments.sampler, arguments.model.parent, engine)
    drawn = settings.drawn
    replies = sample_tasks(sampler, prompts, drawn.k, drawn.sampling, None, drawn.seed, work)
    sampler.close()
    return replies, read_spent(work)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
