"""Write how a model behind an API is asked: the variable of its key, speed and price, which decide no reply."""

import argparse
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.files import write_json
from sqlrl.models.server import ServerSettings
from sqlrl.records import from_json, to_dict


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument(
        "--settings",
        required=True,
        help='{"key_variable": ..., "concurrency": 8, "tokens_per_second": 20, "retries": 6, "price": null}',
    )
    parser.add_argument("--output", type=Path, required=True, help="the server.json to write")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Check and write."""
    settings = from_json(ServerSettings, arguments.settings, "--settings")
    write_json(arguments.output, to_dict(settings))


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
