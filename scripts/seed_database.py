"""Make one instance of a database: rows from its seeded generator, checked by PostgreSQL, as one SQL file.

The instance "main" is what questions are asked of; any other name is a twin with the same schema and
other data. The same seed gives the same bytes everywhere.
"""

import argparse
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.database.files import database_of
from sqlrl.database.seed import SeedSettings, seed_database
from sqlrl.database.server import open_server
from sqlrl.files import write_json, write_text
from sqlrl.records import from_json, to_dict


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
    parser.add_argument("--instance", required=True, help="main, or the name of a twin such as twin-1")
    parser.add_argument("--settings", required=True, help='JSON: {"seed": 1}')
    parser.add_argument("--output", type=Path, required=True, help="the dump: <database>/<instance>.sql")
    parser.add_argument("--catalog", type=Path, required=True, help="its tables, rows and digest: .json")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Seed one instance and write its dump and its catalog."""
    settings = from_json(SeedSettings, arguments.settings, "--settings")
    database = database_of(arguments.output)
    with open_server() as server:
        text, catalog = seed_database(
            server, arguments.schema, arguments.generator[0], database, arguments.instance, settings
        )
    write_text(arguments.output, text)
    write_json(arguments.catalog, to_dict(catalog))


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
