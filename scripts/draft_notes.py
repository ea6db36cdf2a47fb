"""Count what the columns of an own schema hold, and draft notes.md from that and from the schema's comments.

Copy the draft to databases/<name>/notes.md and correct it; until then it is what the model reads.
"""

import argparse
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.database.drafting import describe_database
from sqlrl.database.files import database_of
from sqlrl.database.server import open_server
from sqlrl.files import write_json, write_text
from sqlrl.records import to_dict


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument("--main", type=Path, required=True, help="the dump of main: <database>/main.sql")
    parser.add_argument("--may-see", default="schema", help="schema: statistics and notes tell no value")
    parser.add_argument(
        "--statistics", type=Path, required=True, help="what its columns hold: statistics.json"
    )
    parser.add_argument("--notes", type=Path, required=True, help="the draft: notes.md")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Write the statistics and the draft."""
    with open_server() as server:
        statistics, notes = describe_database(
            server, arguments.main, database_of(arguments.main), arguments.may_see
        )
    write_json(arguments.statistics, to_dict(statistics))
    write_text(arguments.notes, notes)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
