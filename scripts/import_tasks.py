"""Import a benchmark's questions with their SQL as tasks that teacher frozen takes, and list what does not run."""

import argparse
import sys
from pathlib import Path

from rich.console import Console

from scripts.arguments import make_parser, run_script
from sqlrl.authoring.cells import STYLES
from sqlrl.authoring.frozen import keep_candidates
from sqlrl.errors import UserError
from sqlrl.files import write_json
from sqlrl.importing.account import REPORT, Origin, summarise_authoring, write_account
from sqlrl.importing.check import open_checker
from sqlrl.importing.entries import FORMATS, PLAIN, keys_of, read_entries
from sqlrl.importing.importer import Importer, ImportSettings, collect, require_known_cells
from sqlrl.importing.rewrite import REWRITES, REWRITES_MEAN
from sqlrl.importing.source import choose_source, find_dump
from sqlrl.importing.view import render_import
from sqlrl.progress import ProgressReport

EXAMPLES = """for example:
  python scripts/import_tasks.py --format bird --input dev.json --db-id card_games
  python scripts/import_tasks.py --format spider --input train.json --database concert-singer
  python scripts/import_tasks.py --format plain --input ours.csv --database shop --sql-key query
It writes databases/<name>/tasks.jsonl, tasks.origin.json and tasks.import.json. docs/importing.md says more."""


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    parser.epilog = EXAMPLES
    parser.add_argument("--format", choices=FORMATS, required=True, help="whose keys the file has")
    parser.add_argument("--input", type=Path, required=True, metavar="FILE", help=".json, .jsonl or .csv")
    parser.add_argument(
        "--database", metavar="NAME", help="a folder of databases/; else named as in the file"
    )
    parser.add_argument(
        "--db-id", metavar="NAME", help="the database's name in the file, where it is another"
    )
    for key, default in (("question", "question"), ("sql", "sql"), ("db", None)):
        means = "what names the database" if key == "db" else f"the {key}"
        help_text = f"of --format plain: the key or column that has {means}; {default or 'none'}"
        parser.add_argument(f"--{key}-key", default=default, metavar="KEY", help=help_text)
    parser.add_argument(
        "--evidence", choices=("append", "drop"), default="append",
        help="put an entry's evidence behind its question, in brackets, or leave it out; %(default)s",
    )  # fmt: skip
    parser.add_argument("--style", choices=STYLES, help="where the file has none; else read off the question")
    parser.add_argument(
        "--rewrite", choices=tuple(REWRITES), nargs="+", default=[],
        help=f"change the SQL: {'; '.join(f'{name}: {means}' for name, means in REWRITES_MEAN.items())}",
    )  # fmt: skip
    parser.add_argument("--timeout", type=float, default=5.0, help="seconds of one query; %(default)s")
    parser.add_argument("--databases", type=Path, default=Path("databases"), help="the databases' sources")
    parser.add_argument("--results", type=Path, default=Path("results/databases"), help="seeded databases")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Read, check, write, print."""
    form, file, sources = arguments.format, arguments.input, arguments.databases
    entries = read_entries(file, keys_of(form, arguments.question_key, arguments.sql_key, arguments.db_key))
    source = choose_source(entries, file, arguments.database, arguments.db_id)
    chosen = require_known_cells(source.entries)
    settings = ImportSettings(arguments.evidence, arguments.style, tuple(arguments.rewrite))
    checked_on, dump = find_dump(source.database, arguments.results, sources)
    with open_checker(dump, arguments.timeout, of_another_dialect=form != PLAIN) as checker:
        importer, results = Importer(checker, settings), []
        with ProgressReport(len(chosen), "importing") as progress:
            for entry in chosen:
                results.append(importer.import_entry(entry))
                progress.advance()
    imported = collect(results)
    if imported.taken:  # first, since it refuses to write over other tasks
        keep_candidates(imported.candidates, summarise_authoring(imported, form), sources / source.database)
    document = write_account(imported, source, Origin(file, form, checked_on, dump), settings)
    folder = sources / source.database
    write_json(folder / REPORT, document)
    console = Console(highlight=False)
    for part in render_import(document):
        console.print(part)
    if not imported.taken:
        raise UserError(f"{file}: none of {len(chosen)} questions can be a task; {folder / REPORT} says why.")


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
