"""What every script shares: its parser, its log, and one clear message for bad input."""

import argparse
import errno
import importlib
import logging
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from sqlrl.errors import UserError

BY_RUN = """By hand: --run NAME takes every argument that is not given from that run of config.yaml; choose
the file with --checkpoint, --stage, --step, --database, --split, --pass and --k, where they apply.
What is written then goes below results/by-hand/."""


def make_parser(description: str | None) -> argparse.ArgumentParser:
    """A parser with the script's docstring as its description and the ``--log`` that all have."""
    parser = argparse.ArgumentParser(
        description=description, epilog=BY_RUN, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--log", type=Path, help="append the log to this file too")
    return parser


def run_script(
    main: Callable[[argparse.Namespace], None],
    parser: argparse.ArgumentParser,
    argv: Sequence[str] | None = None,
    by_run: bool = True,
) -> int:
    """Parse, log, run, and turn bad input into one message; ``by_run``: --run stands for further arguments.

    Returns:
        The exit code: 0, or 2 for bad input, which is printed without a traceback.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        if by_run and "--run" in words:
            # Loaded by name: how arguments are found decides nothing about what a script does with them.
            words = importlib.import_module("scripts.by_run").expand(words)
        arguments = parser.parse_args(words)
        start_logging(arguments.log)
        main(arguments)
    except UserError as error:
        return _fail(str(error))
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        return _fail(
            f"no space left on the disk while writing {error.filename or 'a file'}. Nothing is lost: "
            "free some room and run the same command again."
        )
    return 0


def start_logging(log: Path | None) -> None:
    """Log to stderr, and to the file of ``--log`` with times."""
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)]
    if log:
        log.parent.mkdir(parents=True, exist_ok=True)
        handlers.append(logging.FileHandler(log, mode="a", encoding="utf-8"))
    logging.basicConfig(
        level=os.environ.get("T2S_LOG_LEVEL", "INFO"),
        handlers=handlers,
        format="%(asctime)s %(message)s",
        datefmt="%H:%M:%S",
        force=True,
    )
    quiet = ("httpx", "httpcore", "httpx2", "httpcore2", "openai", "anthropic", "urllib3", "filelock")
    for noisy in (*quiet, "matplotlib", "fontTools", "datasets"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


def _fail(message: str) -> int:
    sys.stderr.write(f"error: {message}\n")
    logging.getLogger(__name__).debug("stopped", exc_info=True)
    return 2
