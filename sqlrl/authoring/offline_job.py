"""Authoring by a grammar, on the main database."""

from collections.abc import Sequence
from pathlib import Path

from sqlrl.authoring.authored import Authored, AuthoringSummary, count_cells
from sqlrl.authoring.cells import all_cells
from sqlrl.authoring.offline import AuthoringSettings, OfflineTeacher, load_grammar
from sqlrl.database.connect import connect
from sqlrl.database.files import MAIN
from sqlrl.database.server import open_server


def author_offline(dump: Path, grammar: Sequence[Path], settings: AuthoringSettings) -> Authored:
    """Fill every cell from a grammar.

    Args:
        dump: of main.
        grammar: all Python files of the grammar's folder.
        settings: see AuthoringSettings.

    Raises:
        UserError: the files are no grammar.
    """
    cells = all_cells()
    with open_server() as server, connect(server.create_database(MAIN, dump)) as connection:
        written = load_grammar(grammar, lambda query: connection.execute(query.encode()).fetchall())
        teacher = OfflineTeacher(written, settings)
        candidates = tuple(teacher.author(cells, settings.candidates_per_cell))
    summary = AuthoringSummary(settings.teacher, len(candidates), count_cells(candidates, cells))
    return Authored(candidates, summary)
