"""Make a twin or a witness of an own schema: the same tables with other rows, resampled from main's.

Values are drawn within their columns, and every constraint of the schema holds. The same seed gives the
same bytes everywhere.
"""

import argparse
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from scripts.instance_arguments import add_dump, add_instance, write_dump
from sqlrl.database.dice import SeedSettings
from sqlrl.database.files import database_of
from sqlrl.database.server import open_server
from sqlrl.records import from_json
from sqlrl.resampling.twin import resample_database


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--main", type=Path, required=True, help="the dump of main: <database>/main.sql")
    add_instance(parser)
    add_dump(parser)
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Resample one instance and write its dump and its catalog."""
    settings = from_json(SeedSettings, arguments.settings, "--settings")
    database = database_of(arguments.output)
    with open_server() as server:
        text, catalog = resample_database(server, arguments.main, database, arguments.instance, settings.seed)
    write_dump(arguments, text, catalog)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
