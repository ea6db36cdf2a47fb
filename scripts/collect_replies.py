"""Sample training tasks from the checkpoint that a stage starts from, and keep the replies that are right."""

import argparse
import shutil
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from scripts.sampling_arguments import adapter_folder, add_inputs, open_policy, read_tasks, unfinished_work
from sqlrl.database.files import by_database
from sqlrl.files import write_json
from sqlrl.records import from_json, to_dict, write_jsonl
from sqlrl.sampling.cost import timing_of
from sqlrl.sampling.rollouts import read_spent, sample_tasks
from sqlrl.sampling.sampler import SamplingSettings
from sqlrl.timing import Stopwatch
from sqlrl.training.band import judge_replies
from sqlrl.training.replies import CollectionSettings, choose_tasks, keep_verified
from sqlrl.verifier.reward import VerifierSettings
from sqlrl.verifier.verifier import Verifier


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    add_inputs(parser)
    parser.add_argument(
        "--collection", required=True, help='{"k": 4, "temperature": 1.0, "per_task": 1, ...}'
    )
    parser.add_argument("--output", type=Path, required=True, help="a line a right reply, JSONL")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Sample, judge, keep."""
    watch = Stopwatch(arguments.gpus)
    settings = from_json(CollectionSettings, arguments.collection, "--collection")
    verifier_settings = from_json(VerifierSettings, arguments.verifier, "--verifier")
    tasks = choose_tasks(read_tasks(arguments), settings)
    work = unfinished_work(arguments, arguments.collection)
    with Verifier(by_database(arguments.databases), verifier_settings) as verifier:
        # Judging workers are started before torch is here: they would carry its memory.
        sampler, prompts = open_policy(arguments, tasks)
        sampling = SamplingSettings(settings.temperature, 1.0, settings.max_tokens, settings.batch_size)
        adapter = adapter_folder(arguments)
        replies = sample_tasks(sampler, prompts, settings.k, sampling, adapter, settings.seed, work)
        sampler.close()
        verified = keep_verified(replies, judge_replies(tasks, replies, verifier.judge), settings)
    write_json(arguments.timing, to_dict(timing_of(replies, read_spent(work), watch)))
    write_jsonl(arguments.output, verified)
    shutil.rmtree(work)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
