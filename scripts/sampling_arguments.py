"""The arguments of scripts that sample training tasks and judge the replies, and what they make of them."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sqlrl.authoring.task import Task
from sqlrl.files import digest_file
from sqlrl.records import from_json, read_jsonl, read_text
from sqlrl.sampling.engine_settings import parse_engine
from sqlrl.sampling.open import KINDS
from sqlrl.sampling.rollouts import work_folder

if TYPE_CHECKING:
    from sqlrl.sampling.sampler import Prompt, Sampler


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """What is sampled from what, and judged by what."""
    parser.add_argument("--model", type=Path, required=True, help="model.json of the base model")
    parser.add_argument(
        "--adapter", type=Path, nargs="*", default=[], help="the checkpoint's files; none: base"
    )
    parser.add_argument("--tasks", type=Path, nargs="+", required=True, help="training tasks, JSONL")
    parser.add_argument("--databases", type=Path, nargs="+", required=True, help="<database>/<instance>.sql")
    parser.add_argument("--notes", type=Path, nargs="+", required=True, help="each database's notes.md")
    parser.add_argument("--prompt", required=True, help='{"schema": "compact", "system_prefix": "", ...}')
    parser.add_argument("--sampler", choices=KINDS, default=KINDS[0], help="the engine that draws replies")
    add_engine(parser)
    parser.add_argument("--verifier", required=True, help="section verifier of the configuration, as JSON")
    parser.add_argument("--code", default="", help="digest of the code, part of what unfinished work is for")
    parser.add_argument("--work", type=Path, required=True, help="folder for unfinished work")
    parser.add_argument("--timing", type=Path, required=True, help="what it cost, JSON")


def add_engine(parser: argparse.ArgumentParser) -> None:
    """What the job has of the machine."""
    parser.add_argument("--engine", default="", help="memory=0.85,positions=8192,...; of sampler vllm")
    parser.add_argument("--gpus", type=int, default=0, help="GPUs of the job, for its cost")


def add_server(parser: argparse.ArgumentParser) -> None:
    """How a model behind an API is asked."""
    parser.add_argument(
        "--server",
        default="none",
        help="of samplers openai and anthropic: key_variable=OPENAI_API_KEY,concurrency=8,tokens_per_second=20,"
        "retries=6,input_price=2.0,output_price=10.0 (prices in US dollars per million tokens; leave out if unknown)",
    )


def adapter_rank(adapter: Path | None) -> int | None:
    """The rank of an adapter's files; None for the base model."""
    if adapter is None:
        return None
    rank: int = json.loads(read_text(adapter / "adapter_config.json"))["r"]
    return rank


def read_tasks(arguments: argparse.Namespace) -> list[Task]:
    """All training tasks."""
    return [task for file in arguments.tasks for task in read_jsonl(file, Task)]


def unfinished_work(arguments: argparse.Namespace, settings: str) -> Path:
    """The folder of this job's unfinished work."""
    inputs = [arguments.model, *arguments.adapter, *arguments.tasks, *arguments.databases, *arguments.notes]
    made_from = [settings, arguments.prompt, arguments.sampler, arguments.code]
    return work_folder(arguments.work, {"settings": made_from, "inputs": [*map(digest_file, inputs)]})


def adapter_folder(arguments: argparse.Namespace) -> Path | None:
    """The folder of the checkpoint's adapter; None for the base."""
    files: list[Path] = arguments.adapter
    return files[0].parent if files else None


def open_policy(arguments: argparse.Namespace, tasks: Sequence[Task]) -> "tuple[Sampler, list[Prompt]]":
    """The sampler, and the prompts of some tasks. Imported here: judging workers must not carry torch."""
    from sqlrl.models.prompts import PromptSettings, PromptWriter
    from sqlrl.sampling.open import open_sampler

    model = arguments.model.parent
    prompt = from_json(PromptSettings, arguments.prompt, "--prompt")
    writer = PromptWriter(model, prompt, arguments.databases, arguments.notes)
    prompts = [writer.write(task.id, task.database, task.question) for task in tasks]
    engine = parse_engine(arguments.engine, "--engine")
    rank = adapter_rank(adapter_folder(arguments))
    return open_sampler(arguments.sampler, model, engine, rank), prompts
