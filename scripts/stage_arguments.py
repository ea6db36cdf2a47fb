"""The arguments that all training scripts have, and what they make of them."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlrl.training.reporting import open_reporting

if TYPE_CHECKING:
    from sqlrl.training.stage import Products


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """What a stage is made from."""
    parser.add_argument("--model", type=Path, required=True, help="model.json of the base model")
    parser.add_argument(
        "--parent", type=Path, nargs="*", default=[], help="the adapter's files to go on from; none: the base"
    )
    parser.add_argument("--tasks", type=Path, nargs="+", required=True, help="training tasks, JSONL")
    parser.add_argument("--notes", type=Path, nargs="+", required=True, help="each database's notes.md")
    parser.add_argument("--prompt", required=True, help='{"schema": "compact", "system_prefix": "", ...}')
    parser.add_argument("--settings", required=True, help='the stage: {"kind": "sft", "steps": 90, ...}')
    parser.add_argument("--code", default="", help="digest of the code, part of what unfinished work is for")
    parser.add_argument(
        "--wall-minutes", type=int, default=0, help="save and end after so many minutes; 0: no limit"
    )
    parser.add_argument("--gpus", type=int, default=0, help="GPUs of the job, for its cost")
    parser.add_argument("--report-to", default="none", help="trackers such as tensorboard,trackio; or none")


def add_products(parser: argparse.ArgumentParser) -> None:
    """Where a stage writes to."""
    parser.add_argument("--work", type=Path, required=True, help="folder for unfinished work")
    parser.add_argument("--adapter", type=Path, required=True, help="folder to write the adapter into")
    parser.add_argument("--checkpoints", type=Path, required=True, help="the asked-for steps, safetensors")
    parser.add_argument(
        "--probes", type=Path, required=True, help="what the parity gate compares with, JSONL"
    )
    parser.add_argument("--training-log", type=Path, required=True, help="a line a step, JSONL")
    parser.add_argument("--timing", type=Path, required=True, help="what it cost, JSON")
    parser.add_argument("--step-times", type=Path, required=True, help="how long each step took, JSONL")


def parent_folder(arguments: argparse.Namespace) -> Path | None:
    """The folder of the adapter that the stage goes on from; None for the base."""
    files: list[Path] = arguments.parent
    return files[0].parent if files else None


def sections(arguments: argparse.Namespace, *names: str) -> dict[str, Any]:
    """Sections of settings as they were given, by name."""
    return {name: json.loads(getattr(arguments, name)) for name in names}


def job(arguments: argparse.Namespace) -> dict[str, Any]:
    """How the job runs: its limit of time, and where its figures go."""
    trackers = [] if arguments.report_to == "none" else arguments.report_to.split(",")
    return {
        "wall_minutes": arguments.wall_minutes,
        "gpus": arguments.gpus,
        "reporting": open_reporting(trackers, arguments.adapter),
    }


def products(arguments: argparse.Namespace) -> "Products":
    """The stage's products. Imported here: it needs torch, which judging workers must not carry."""
    from sqlrl.training.stage import Products

    return Products(
        arguments.adapter,
        arguments.checkpoints,
        arguments.probes,
        arguments.training_log,
        arguments.timing,
        arguments.step_times,
    )
