"""Load an own schema: SQL files as people or pg_dump write them, checked by PostgreSQL, as the main instance.

Writes the dump and the catalog as of any database, and the statements of the schema without rows.
"""

import argparse
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from scripts.instance_arguments import add_dump, write_dump
from sqlrl.database.files import database_of
from sqlrl.database.own import load_database
from sqlrl.database.server import open_server
from sqlrl.files import write_text


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument(
        "--scripts", type=Path, nargs="+", required=True, help="dump.sql, or schema.sql and seed.sql"
    )
    add_dump(parser)
    parser.add_argument("--schema", type=Path, required=True, help="its statements without rows: schema.sql")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Load the files and write what the workflow reads of a database."""
    with open_server() as server:
        loaded = load_database(server, arguments.scripts, database_of(arguments.output))
    write_dump(arguments, loaded.text, loaded.catalog)
    write_text(arguments.schema, loaded.schema)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
