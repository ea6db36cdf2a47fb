"""Author questions with their reference SQL: candidates for tasks, not screened yet."""

import argparse
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from sqlrl.authoring.cells import all_cells
from sqlrl.authoring.offline import AuthoringSettings, OfflineTeacher, load_grammar
from sqlrl.database.connect import connect
from sqlrl.database.files import MAIN
from sqlrl.database.server import open_server
from sqlrl.records import from_json, write_jsonl


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.add_argument(
        "--database", type=Path, required=True, help="seeded dump of main: <database>/main.sql"
    )
    parser.add_argument(
        "--grammar",
        type=Path,
        nargs="+",
        required=True,
        help="all Python files of the schema's grammar folder",
    )
    parser.add_argument(
        "--settings", required=True, help="section tasks.authoring of the configuration, as JSON"
    )
    parser.add_argument("--output", type=Path, required=True, help="the candidates, JSONL")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Fill every cell with candidates."""
    settings = from_json(AuthoringSettings, arguments.settings, "--settings")
    with open_server() as server, connect(server.create_database(MAIN, arguments.database)) as connection:
        grammar = load_grammar(arguments.grammar, lambda query: connection.execute(query.encode()).fetchall())
        teacher = OfflineTeacher(grammar, settings)
        candidates = list(teacher.author(all_cells(), settings.candidates_per_cell))
    write_jsonl(arguments.output, candidates)


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
