"""Train an adapter to imitate reference SQL, or the policy's own right replies."""

import argparse
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from scripts.stage_arguments import add_inputs, add_products, job, parent_folder, products, sections
from sqlrl.authoring.task import Task
from sqlrl.models.prompts import PromptSettings, PromptWriter
from sqlrl.records import from_json, read_jsonl
from sqlrl.training.lessons import lessons_from_references, lessons_from_replies
from sqlrl.training.replies import VerifiedReply
from sqlrl.training.settings import SftSettings, read_stage
from sqlrl.training.sft import SftTrainer
from sqlrl.training.stage import Request, Stage


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    add_inputs(parser)
    parser.add_argument(
        "--databases", type=Path, nargs="+", required=True, help="the databases' catalogs, main.json at least"
    )
    parser.add_argument(
        "--replies", type=Path, nargs="*", default=[], help="right replies, where the stage learns from them"
    )
    add_products(parser)
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Read, train, write."""
    settings, given = read_stage(SftSettings, arguments.settings, "--settings")
    prompt = from_json(PromptSettings, arguments.prompt, "--prompt")
    prompts = PromptWriter(arguments.model.parent, prompt, arguments.databases, arguments.notes)
    tasks = [task for file in arguments.tasks for task in read_jsonl(file, Task)]
    if settings.learn_from == "references":
        lessons = lessons_from_references(tasks)
    else:
        replies = [reply for file in arguments.replies for reply in read_jsonl(file, VerifiedReply)]
        lessons = lessons_from_replies(tasks, replies)
    request = Request(
        settings=settings,
        given=given,
        model=arguments.model,
        parent=parent_folder(arguments),
        inputs=[*arguments.tasks, *arguments.replies, *arguments.databases, *arguments.notes],
        sections=sections(arguments, "prompt"),
        code=arguments.code,
        **job(arguments),
    )
    stage = Stage(request, prompts, arguments.work)
    stage.train(SftTrainer(stage, lessons))
    stage.finish(products(arguments))


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
