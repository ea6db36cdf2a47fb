"""Measure which training tasks a stage's starting checkpoint solves sometimes."""

import argparse
import shutil
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.authoring.task import Task
from sqlrl.database.files import by_database
from sqlrl.files import digest_file, write_json
from sqlrl.records import from_json, read_jsonl, to_dict, write_jsonl
from sqlrl.sampling.open import KINDS
from sqlrl.sampling.rollouts import read_spent, work_folder
from sqlrl.timing import Stopwatch
from sqlrl.training.band import BandSettings, choose_tasks, keep_all, measure_band
from sqlrl.verifier.reward import VerifierSettings
from sqlrl.verifier.verifier import Verifier


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--model", type=Path, required=True, help="model.json of the base model")
    parser.add_argument(
        "--adapter", type=Path, nargs="*", default=[], help="the checkpoint's files; none: base"
    )
    parser.add_argument("--tasks", type=Path, nargs="+", required=True, help="training tasks, JSONL")
    parser.add_argument("--databases", type=Path, nargs="+", required=True, help="<database>/<instance>.sql")
    parser.add_argument("--notes", type=Path, nargs="+", required=True, help="each database's notes.md")
    parser.add_argument("--prompt", required=True, help='{"schema": "compact", "system_prefix": "", ...}')
    parser.add_argument("--sampler", choices=KINDS, default=KINDS[0], help="the engine that draws replies")
    parser.add_argument(
        "--band", required=True, help='{"enabled": true, "minimum": 0.1, "maximum": 0.9, ...}'
    )
    parser.add_argument("--verifier", required=True, help="section verifier of the configuration, as JSON")
    parser.add_argument("--code", default="", help="digest of the code, part of what unfinished work is for")
    parser.add_argument("--work", type=Path, required=True, help="folder for unfinished work")
    parser.add_argument("--output", type=Path, required=True, help="a line a measured task, JSONL")
    parser.add_argument("--timing", type=Path, required=True, help="what it cost, JSON")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Sample, judge, choose."""
    watch = Stopwatch()
    settings = from_json(BandSettings, arguments.band, "--band")
    tasks = [task for file in arguments.tasks for task in read_jsonl(file, Task)]
    if not settings.enabled:
        write_jsonl(arguments.output, keep_all(tasks))
        write_json(arguments.timing, to_dict(watch.timing(0, 0)))
        return
    verifier_settings = from_json(VerifierSettings, arguments.verifier, "--verifier")
    chosen = choose_tasks(tasks, settings)
    inputs = [arguments.model, *arguments.adapter, *arguments.tasks, *arguments.databases, *arguments.notes]
    made_from = [arguments.band, arguments.prompt, arguments.sampler, arguments.code]
    work = work_folder(arguments.work, {"settings": made_from, "inputs": [*map(digest_file, inputs)]})
    with Verifier(by_database(arguments.databases), verifier_settings) as verifier:
        # Judging workers are started before torch is here: they would carry its memory.
        from sqlrl.models.prompts import PromptSettings, PromptWriter
        from sqlrl.sampling.open import open_sampler

        model = arguments.model.parent
        prompt = from_json(PromptSettings, arguments.prompt, "--prompt")
        writer = PromptWriter(model, prompt, arguments.databases, arguments.notes)
        prompts = [writer.write(task.id, task.database, task.question) for task in chosen]
        adapter = arguments.adapter[0].parent if arguments.adapter else None
        sampler = open_sampler(arguments.sampler, model)
        band, replies = measure_band(chosen, prompts, sampler, adapter, verifier.judge, settings, work)
        sampler.close()
    tokens = sum(len(reply.token_ids) for reply in replies)
    write_json(arguments.timing, to_dict(watch.timing(tokens, len(replies), read_spent(work))))
    write_jsonl(arguments.output, band)
    shutil.rmtree(work)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
