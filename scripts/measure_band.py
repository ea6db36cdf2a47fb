"""Measure which training tasks a checkpoint solves sometimes."""

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
from sqlrl.sampling.rollouts import read_spent
from sqlrl.timing import Stopwatch
from sqlrl.training.band import BandSettings, choose_tasks, keep_all, measure_band
from sqlrl.verifier.reward import VerifierSettings
from sqlrl.verifier.verifier import Verifier


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    add_inputs(parser)
    parser.add_argument(
        "--band", required=True, help='{"enabled": true, "minimum": 0.1, "maximum": 0.9, ...}'
    )
    parser.add_argument("--output", type=Path, required=True, help="a line a measured task, JSONL")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Sample, judge, choose."""
    watch = Stopwatch(arguments.gpus)
    settings = from_json(BandSettings, arguments.band, "--band")
    tasks = read_tasks(arguments)
    if not settings.enabled:
        write_jsonl(arguments.output, keep_all(tasks))
        write_json(arguments.timing, to_dict(watch.timing(0, 0)))
        return
    verifier_settings = from_json(VerifierSettings, arguments.verifier, "--verifier")
    chosen = choose_tasks(tasks, settings)
    work = unfinished_work(arguments, arguments.band)
    with Verifier(by_database(arguments.databases), verifier_settings) as verifier:
        # Judging workers are started before torch is here: they would carry its memory.
        sampler, prompts = open_policy(arguments, chosen)
        adapter = adapter_folder(arguments)
        band, replies = measure_band(chosen, prompts, sampler, adapter, verifier.judge, settings, work)
        sampler.close()
    write_json(arguments.timing, to_dict(timing_of(replies, read_spent(work), watch)))
    write_jsonl(arguments.output, band)
    shutil.rmtree(work)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
