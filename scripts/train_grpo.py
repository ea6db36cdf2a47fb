"""Train an adapter by GRPO on the verifier's reward."""

import argparse
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from scripts.stage_arguments import add_inputs, add_products, job, parent_folder, products, sections
from sqlrl.authoring.task import Task
from sqlrl.database.files import by_database
from sqlrl.records import from_json, read_jsonl
from sqlrl.sampling.engine_settings import parse_engine
from sqlrl.sampling.open import KINDS
from sqlrl.training.band import BandTask, in_band
from sqlrl.training.open_feed import open_feed
from sqlrl.training.settings import GrpoSettings, read_stage
from sqlrl.verifier.reward import VerifierSettings
from sqlrl.verifier.verifier import Verifier


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    add_inputs(parser)
    parser.add_argument("--band", type=Path, help="which tasks to train on, JSONL; all without it")
    parser.add_argument("--databases", type=Path, nargs="+", required=True, help="<database>/<instance>.sql")
    parser.add_argument("--sampler", choices=KINDS, default=KINDS[0], help="the engine that draws replies")
    parser.add_argument("--engine", default="", help="memory=0.35,positions=8192,...; of sampler vllm")
    parser.add_argument("--verifier", required=True, help="section verifier of the configuration, as JSON")
    add_products(parser)
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Read, train, write."""
    settings, given = read_stage(GrpoSettings, arguments.settings, "--settings")
    verifier_settings = from_json(VerifierSettings, arguments.verifier, "--verifier")
    tasks = [task for file in arguments.tasks for task in read_jsonl(file, Task)]
    files = [*arguments.tasks, *arguments.databases, *arguments.notes]
    band = read_jsonl(arguments.band, BandTask) if arguments.band else []
    if arguments.band:
        tasks = in_band(tasks, band)
        files.append(arguments.band)
    feed = open_feed(settings, tasks, band)
    with Verifier(by_database(arguments.databases), verifier_settings) as verifier:
        # Judging workers are started before torch is here: they would carry its memory.
        from sqlrl.models.prompts import PromptSettings, PromptWriter
        from sqlrl.sampling.open import open_sampler
        from sqlrl.training.grpo import GrpoTrainer
        from sqlrl.training.play import Player
        from sqlrl.training.stage import Request, Stage

        prompt = from_json(PromptSettings, arguments.prompt, "--prompt")
        prompts = PromptWriter(arguments.model.parent, prompt, arguments.databases, arguments.notes)
        request = Request(
            settings=settings,
            given=given,
            model=arguments.model,
            parent=parent_folder(arguments),
            inputs=files,
            sections={**sections(arguments, "prompt", "verifier"), "sampler": arguments.sampler},
            code=arguments.code,
            **job(arguments),
        )
        stage = Stage(request, prompts, arguments.work)
        engine = parse_engine(arguments.engine, "--engine")
        sampler = open_sampler(arguments.sampler, arguments.model.parent, engine, settings.lora.rank)
        stage.train(GrpoTrainer(Player(stage, feed, sampler, verifier.judge, verifier_settings)))
        sampler.close()
        stage.finish(products(arguments))


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
