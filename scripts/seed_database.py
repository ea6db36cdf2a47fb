"""Make one instance of a database: rows from its seeded generator, checked by PostgreSQL, as one SQL file.

The instance "main" is what questions are asked of; any other name is a twin with the same schema and
other data. The same seed gives the same bytes everywhere.
"""

import argparse
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from scripts.instance_arguments import add_dump, add_instance, write_dump
from sqlrl.database.dice import SeedSettings
from sqlrl.database.files import database_of
from sqlrl.database.seed import seed_database
from sqlrl.database.server import open_server
from sqlrl.records import from_json


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--schema", type=Path, required=True, help="SQL that makes the tables")
    parser.add_argument(
        "--generator",
        type=Path,
        nargs="+",
        required=True,
        help="Python file with generate(instance, dice), then the files that it reads",
    )
    add_instance(parser)
    add_dump(parser)
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Seed one instance and write its dump and its catalog."""
    settings = from_json(SeedSettings, arguments.settings, "--settings")
    database = database_of(arguments.output)
    with open_server() as server:
        text, catalog = seed_database(
            server, arguments.schema, arguments.generator[0], database, arguments.instance, settings
        )
    write_dump(arguments, text, catalog)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
