"""Where seeded databases lie: ``results/databases/<database>/<instance>.sql``, its catalog beside it."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from sqlrl.errors import UserError

MAIN: Final = "main"


def by_database(dumps: Iterable[Path]) -> dict[str, dict[str, Path]]:
    """Dump files by database and instance: ``{"shop": {"main": path, "twin-1": path}}``.

    Main comes first, then the twins by name, whatever the order of the paths.

    Raises:
        UserError: a file is missing, is no dump, occurs twice, or a database has no main.
    """
    found: dict[str, dict[str, Path]] = {}
    for path in sorted(dumps, key=lambda path: (database_of(path), path.stem != MAIN, path.stem)):
        if not path.is_file():
            raise UserError(f"{path}: no such file. `make` builds the seeded databases.")
        instances = found.setdefault(database_of(path), {})
        if path.stem in instances:
            raise UserError(f"{path} and {instances[path.stem]} are both {database_of(path)}/{path.stem}.")
        instances[path.stem] = path
    for database, instances in found.items():
        if MAIN not in instances:
            raise UserError(f"database {database!r} comes without {MAIN}.sql: only {', '.join(instances)}.")
    return found


def database_of(dump: Path) -> str:
    """The name of the database that a dump belongs to: the folder it lies in.

    Raises:
        UserError: not a path of the form ``<database>/<instance>.sql``.
    """
    if dump.suffix != ".sql" or not dump.absolute().parent.name:
        raise UserError(f"{dump}: expected a seeded dump named <database>/<instance>.sql.")
    return dump.absolute().parent.name


def catalog_of(dump: Path) -> Path:
    """The catalog that describes a dump."""
    return dump.with_suffix(".json")
