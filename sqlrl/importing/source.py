"""Which entries of a file are of which database here, and where that can be tried."""

import difflib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlrl.errors import UserError
from sqlrl.importing.entries import Entry

NAME = re.compile(r"[a-z0-9][a-z0-9.-]*")


@dataclass(frozen=True)
class Source:
    """The entries of one database.

    Attributes:
        database: its name here, a folder in databases/.
        db_id: its name in the file; None where the file names none.
        entries: of it; the other databases of the file are counted in others.
    """

    database: str
    db_id: str | None
    entries: tuple[Entry, ...]
    others: Mapping[str, int]


def choose_source(entries: Sequence[Entry], path: Path, database: str | None, db_id: str | None) -> Source:
    """The entries that are meant.

    Args:
        entries: of the whole file.
        path: of the file, for messages.
        database: its name here; None takes the file's.
        db_id: its name in the file; None finds the one that is like ``database``.

    Raises:
        UserError: the file has no such database, or several and none is named.
    """
    counts = Counter(entry.database for entry in entries if entry.database is not None)
    if not counts:
        if db_id is not None:
            raise UserError(
                f"--db-id is {db_id!r}, but the entries of {path} name no database; leave it out."
            )
        if database is None:
            raise UserError(
                f"--database: {path} names no database; say which folder of databases/ it is about."
            )
        return Source(_checked(database), None, tuple(entries), {})
    chosen = db_id or _alike(counts, path, database)
    if chosen not in counts:
        raise UserError(f"--db-id is {chosen!r}, which {path} does not have.{_listed(counts, chosen)}")
    own = tuple(entry for entry in entries if entry.database == chosen)
    others = {name: number for name, number in sorted(counts.items()) if name != chosen}
    return Source(_checked(database or name_here(chosen)), chosen, own, others)


def name_here(db_id: str) -> str:
    """A benchmark's name as names are here: lower-case letters, digits, points and dashes."""
    return re.sub(r"[^a-z0-9.]+", "-", db_id.casefold()).strip("-.")


def find_dump(database: str, results: Path, sources: Path) -> tuple[str, Path | None]:
    """Where queries can be run: main with its rows, the schema without any, or nowhere.

    Returns:
        ``main``, ``schema`` or ``grammar``, and the file that a server is filled from.

    Raises:
        UserError: the database has no folder of sources.
    """
    if not (sources / database).is_dir():
        known = ", ".join(sorted(one.name for one in sources.glob("*/") if (one / "schema.sql").exists()))
        raise UserError(
            f"{sources / database}: no such folder; a database's sources lie there, and its tasks beside them. "
            f"Databases here: {known or 'none'}."
        )
    for name, file in (
        ("main", results / database / "main.sql"),
        ("schema", sources / database / "schema.sql"),
    ):
        if file.is_file():
            return name, file
    return "grammar", None


def _alike(counts: Mapping[str, int], path: Path, database: str | None) -> str:
    if database is None:
        if len(counts) == 1:
            return next(iter(counts))
        raise UserError(
            f"{path} is about {len(counts)} databases; choose one with --database NAME, or --db-id.{_listed(counts)}"
        )
    alike = [name for name in counts if database in (name, name_here(name))]
    if not alike:
        raise UserError(
            f"--database is {database!r}, and no db_id of {path} is like it; say which is meant with --db-id."
            f"{_listed(counts, database)}"
        )
    return alike[0]


def _listed(counts: Mapping[str, int], word: str | None = None) -> str:
    shown = ", ".join(sorted(counts)[:12]) + (", ..." if len(counts) > 12 else "")
    near = difflib.get_close_matches(word, list(counts), n=1, cutoff=0.5) if word else []
    return f" db_id: {shown}." + (f" Did you mean {near[0]!r}?" if near else "")


def _checked(database: str) -> str:
    if not NAME.fullmatch(database):
        raise UserError(
            f"--database is {database!r}; a name has lower-case letters, digits, points and dashes."
        )
    return database
