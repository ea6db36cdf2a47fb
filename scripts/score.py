"""Judge every sampled reply against its task's reference SQL, on main and on every twin."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.authoring.task import Task
from sqlrl.database.files import by_database
from sqlrl.errors import UserError
from sqlrl.files import atomic_file, digest_file, write_json
from sqlrl.progress import ProgressReport
from sqlrl.records import from_json, iterate_unique, read_jsonl, to_line
from sqlrl.sampling.origin import ScoresOrigin, dump_digests, read_replies_origin, write_origin
from sqlrl.sampling.sampler import Reply
from sqlrl.timing import Stopwatch
from sqlrl.verifier.reward import Score, Submission, VerifierSettings
from sqlrl.verifier.verifier import Verifier

# Enough that the workers stay busy and equal replies meet; little enough that memory stays flat.
BATCH = 512


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--rollouts", type=Path, required=True, help="sampled replies, JSONL")
    parser.add_argument("--tasks", type=Path, required=True, help="the tasks that were asked, JSONL")
    parser.add_argument(
        "--databases", type=Path, nargs="+", required=True, help="seeded dumps: <database>/<instance>.sql"
    )
    parser.add_argument("--settings", required=True, help="section verifier of the configuration, as JSON")
    parser.add_argument("--code", default="", help="digest of the code, for the report to check")
    parser.add_argument(
        "--output",
        type=Path,
        required=True,
        help="the scores, JSONL, in the rollouts' order; what they are made from stands beside them",
    )
    parser.add_argument("--timing", type=Path, required=True, help="what it cost, JSON")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Stream the rollouts through the verifier."""
    stopwatch = Stopwatch()
    settings = from_json(VerifierSettings, arguments.settings, "--settings")
    tasks = {task.id: task for task in iterate_unique(read_jsonl(arguments.tasks, Task), "id", "--tasks")}
    total = sum(1 for _ in _lines(arguments.rollouts))
    replies_origin = read_replies_origin(arguments.rollouts, arguments.tasks)
    dumps = by_database(arguments.databases)
    with (
        Verifier(dumps, settings) as verifier,
        atomic_file(arguments.output) as scores,
        ProgressReport(total, "judging replies") as progress,
    ):
        replies = _replies(arguments.rollouts)
        while batch := list(islice(replies, BATCH)):
            scores.writelines(_score(batch, tasks, verifier))
            progress.advance(len(batch))
    origin = ScoresOrigin(
        scores=digest_file(arguments.output),
        databases=dump_digests(dumps),
        replies=replies_origin,
        verifier=json.loads(arguments.settings),
        code=arguments.code,
    )
    write_origin(arguments.output, origin)
    write_json(arguments.timing, asdict(stopwatch.timing(tokens=0, samples=total)))


def _score(batch: Sequence[Reply], tasks: Mapping[str, Task], verifier: Verifier) -> Iterator[str]:
    asked = [_task(reply, tasks) for reply in batch]
    submissions = [
        Submission(task.database, reply.text, task.reference_sql)
        for task, reply in zip(asked, batch, strict=True)
    ]
    verdicts = verifier.judge(submissions)
    for reply, verdict in zip(batch, verdicts, strict=True):
        yield to_line(Score(reply.task_id, reply.sample, verdict))


def _task(reply: Reply, tasks: Mapping[str, Task]) -> Task:
    if reply.task_id not in tasks:
        raise UserError(f"--rollouts has a reply to task {reply.task_id!r}, which is not in --tasks.")
    return tasks[reply.task_id]


def _replies(path: Path) -> Iterator[Reply]:
    for number, line in enumerate(_lines(path), start=1):
        yield from_json(Reply, line, f"{path}:{number}")


def _lines(path: Path) -> Iterator[str]:
    if not path.is_file():
        raise UserError(f"{path}: no such file.")
    with path.open(encoding="utf-8", newline="\n") as stream:
        yield from (line for line in stream if line.strip())


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
