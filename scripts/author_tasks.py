"""Author questions with their reference SQL: candidates for tasks, not screened yet."""

import argparse
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.authoring.authored import Authored
from sqlrl.errors import UserError
from sqlrl.files import write_json
from sqlrl.records import from_json, to_dict, write_jsonl
from sqlrl.timing import Stopwatch


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument(
        "--teacher", choices=("offline", "llm", "frozen"), default="offline", help="who writes them"
    )
    parser.add_argument(
        "--database", type=Path, required=True, help="seeded dump of main: <database>/main.sql"
    )
    parser.add_argument("--settings", required=True, help="what the teacher is told, as JSON")
    parser.add_argument(
        "--kind",
        default="",
        help="llm: source of the model, openai or anthropic; offline: grammar, or catalog for a schema without one"
        " (default: grammar where --grammar names files)",
    )
    offline, frozen, llm = (
        parser.add_argument_group(f"teacher {name}") for name in ("offline", "frozen", "llm")
    )
    offline.add_argument(
        "--grammar", type=Path, nargs="*", default=[], help="all Python files of the schema's grammar folder"
    )
    frozen.add_argument(
        "--frozen",
        type=Path,
        nargs="*",
        default=[],
        help="tasks.jsonl of the schema's folder, tasks.origin.json",
    )
    llm.add_argument("--model", type=Path, nargs="?", help="model.json of the model that is asked")
    llm.add_argument("--server", default="none", help="how it is asked: key_variable=...,concurrency=8,...")
    llm.add_argument("--prompt", type=Path, nargs="*", default=[], help="the two templates of prompts")
    llm.add_argument("--notes", type=Path, nargs="?", help="the database's notes.md")
    llm.add_argument("--spending", default="", help="what it may cost: money=5.0,tokens=2000000")
    llm.add_argument("--work", type=Path, help="folder for replies, which are paid for once")
    parser.add_argument("--output", type=Path, required=True, help="the candidates, JSONL")
    parser.add_argument("--summary", type=Path, help="who wrote them, JSON")
    parser.add_argument("--timing", type=Path, help="seconds, tokens and money, JSON")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Fill every cell with candidates."""
    watch = Stopwatch()
    authored = author(arguments.teacher, arguments)
    if arguments.timing:
        samples = authored.requests or len(authored.candidates)
        timing = watch.timing(authored.reply_tokens, samples, None, authored.prompt_tokens, authored.money)
        write_json(arguments.timing, to_dict(timing))
    if arguments.summary:
        write_json(arguments.summary, to_dict(authored.summary))
    write_jsonl(arguments.output, authored.candidates)


def author(teacher: str, arguments: argparse.Namespace) -> Authored:
    """What the chosen teacher writes. Each is imported where it is chosen, so that only its code counts."""
    if teacher == "offline":
        from sqlrl.authoring.offline import AuthoringSettings
        from sqlrl.authoring.without_model import author_without_model

        settings = from_json(AuthoringSettings, arguments.settings, "--settings")
        return author_without_model(arguments.kind, arguments.database, arguments.grammar, settings)
    if teacher == "frozen":
        from sqlrl.authoring.frozen import FrozenSettings, author_frozen

        limits = from_json(FrozenSettings, arguments.settings, "--settings")
        return author_frozen(arguments.database, arguments.frozen, limits.statement_timeout_seconds)
    if teacher == "llm":
        from scripts.teacher_arguments import read_assignment
        from sqlrl.authoring.llm_job import author_with_model
        from sqlrl.authoring.llm_settings import LlmSettings

        asked = from_json(LlmSettings, arguments.settings, "--settings")
        return author_with_model(arguments.kind, read_assignment(arguments), asked)
    raise UserError(f"--teacher is {teacher!r}; allowed: offline, llm, frozen.")


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
