"""Read a running PostgreSQL database once, and keep its schema and a sample of its rows as files.

The connection string is read from the environment variable that --url-variable names. The server is only read.
"""

import argparse
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.errors import UserError
from sqlrl.live.snapshot import SnapshotSettings, take_snapshot
from sqlrl.records import from_json


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--url-variable", nargs="+", required=True, help="an environment variable a folder")
    parser.add_argument(
        "--folder", type=Path, nargs="+", required=True, help="databases/<name>, in the same order"
    )
    parser.add_argument("--settings", nargs="+", required=True, help="JSON: the snapshot section of each")
    parser.add_argument("--may-see", default="schema", help="schema: the draft of the notes tells no value")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Write schema.sql, seed.sql, statistics.json and notes.md of each database."""
    if not len(arguments.folder) == len(arguments.url_variable) == len(arguments.settings):
        raise UserError("--url-variable, --folder and --settings: expected one of each a database.")
    for variable, folder, text in zip(
        arguments.url_variable, arguments.folder, arguments.settings, strict=True
    ):
        take_snapshot(variable, folder, from_json(SnapshotSettings, text, "--settings"), arguments.may_see)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
