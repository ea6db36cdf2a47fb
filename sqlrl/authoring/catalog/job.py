"""Authoring from the catalog, on the main database."""

from pathlib import Path

from sqlrl.authoring.authored import Authored, AuthoringSummary, count_cells
from sqlrl.authoring.catalog.grammar import open_catalog_grammar
from sqlrl.authoring.cells import all_cells
from sqlrl.authoring.offline import AuthoringSettings, OfflineTeacher
from sqlrl.database.connect import connect
from sqlrl.database.files import MAIN, database_of
from sqlrl.database.server import open_server
from sqlrl.errors import UserError

GRAMMAR = "catalog"
NOTE = (
    "Made from the catalog: names of tables and columns as words, no knowledge of what they mean. These questions are"
    " weaker than those of a grammar written for the schema, or of a model."
)


def author_from_catalog(dump: Path, settings: AuthoringSettings) -> Authored:
    """Fill the cells that a schema has something for, without a grammar written for it.

    Args:
        dump: of main.

    Raises:
        UserError: nothing can be asked about this schema.
    """
    cells, database = all_cells(), database_of(dump)
    with open_server() as server, connect(server.create_database(MAIN, dump)) as connection:
        written = open_catalog_grammar(lambda query: connection.execute(query.encode()).fetchall(), database)
        teacher = OfflineTeacher(written, settings)
        candidates = tuple(teacher.author(cells, settings.candidates_per_cell))
    if not candidates:
        raise UserError(f"{database}: its tables gave no question at all; are there enough rows in them?")
    counts = count_cells(candidates, cells)
    summary = AuthoringSummary(settings.teacher, len(candidates), counts, grammar=GRAMMAR, note=NOTE)
    return Authored(candidates, summary)
