"""Review kept tasks: look for faults of their references, alone and by what a solver answered."""

import argparse
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.authoring.review import ReviewSettings, SolverUsed, keep_reviewed
from sqlrl.authoring.review_job import review_tasks, summarise_review
from sqlrl.authoring.screen import Rejection
from sqlrl.authoring.task import Task
from sqlrl.database.files import by_database
from sqlrl.errors import UserError
from sqlrl.files import digest_file, write_json
from sqlrl.models.folder import ModelManifest
from sqlrl.records import from_json, read_json, read_jsonl, to_dict, write_jsonl
from sqlrl.sampling.sampler import Reply


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--tasks", type=Path, required=True, help="tasks that probing kept, JSONL")
    parser.add_argument("--exposed", type=Path, required=True, help="tasks that probing refused, JSONL")
    parser.add_argument(
        "--databases", type=Path, nargs="+", required=True, help="seeded dumps of main and of every twin"
    )
    parser.add_argument(
        "--solutions", type=Path, nargs="?", help="a solver's replies, JSONL; left out: nobody was asked"
    )
    parser.add_argument("--solver", type=Path, nargs="?", help="the solver's model.json, beside --solutions")
    parser.add_argument("--settings", required=True, help='{"drop": [], "question_similarity": 0.9, ...}')
    parser.add_argument("--output", type=Path, required=True, help="the tasks that go on, JSONL")
    parser.add_argument("--reviews", type=Path, required=True, help="a review a task, JSONL")
    parser.add_argument("--summary", type=Path, required=True, help="all reviews in figures, JSON")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Review all tasks in their order."""
    settings = from_json(ReviewSettings, arguments.settings, "--settings")
    tasks, exposed = read_jsonl(arguments.tasks, Task), read_jsonl(arguments.exposed, Rejection)
    databases = by_database(arguments.databases)
    if len(databases) != 1:
        raise UserError(f"--databases: expected the dumps of one database, found {', '.join(databases)}.")
    ((database, dumps),) = databases.items()
    replies = read_jsonl(arguments.solutions, Reply) if arguments.solutions else []
    reviews = review_tasks(database, dumps, tasks, exposed, replies, settings)
    kept = keep_reviewed(tasks, reviews)
    if not kept:
        raise UserError(
            f"{database}: review.drop = {list(settings.drop)} leaves no task; drop fewer classes."
        )
    digests = {instance: digest_file(dump) for instance, dump in dumps.items()}
    summary = summarise_review(database, reviews, digests, settings, _solver(arguments.solver, replies))
    write_jsonl(arguments.reviews, reviews)
    write_json(arguments.summary, to_dict(summary))
    write_jsonl(arguments.output, kept)


def _solver(model: Path | None, replies: list[Reply]) -> SolverUsed | None:
    if model is None:
        return None
    manifest = read_json(model, ModelManifest)
    asked = {reply.task_id for reply in replies}
    k = max((reply.sample for reply in replies), default=-1) + 1
    return SolverUsed(manifest.name, manifest.digest, k, len(asked))


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
