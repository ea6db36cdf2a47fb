"""Where the data of each database come from: a generator here, SQL files that somebody brings, a running server."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sqlrl.errors import UserError
from sqlrl.files import canonical_json

BUILTIN, SQL, URL = "builtin", "sql", "url"
# The server that every job works on: it makes and drops databases there.
JOBS_OWN = "T2S_DATABASE_URL"
DUMP, SCHEMA, SEED = "dump.sql", "schema.sql", "seed.sql"

Settings = Mapping[str, Any]


def databases_from(settings: Settings, *sources: str) -> list[str]:
    """Names of the databases with one of these sources, sorted."""
    return sorted(name for name, values in settings["databases"].items() if values["source"] in sources)


def is_own(settings: Settings, database: str) -> bool:
    """Whether somebody brings the schema, by files or by a running server."""
    return bool(settings["databases"][database]["source"] != BUILTIN)


def source_faults(settings: Settings) -> Iterator[str]:
    """What in the keys of sources can't be meant."""
    for name, values in settings["databases"].items():
        place, variable = f"databases.{name}", values["url_variable"]
        if values["source"] == URL and variable is None:
            yield (
                f"{place} has source url: name the environment variable with the connection string in "
                f"{place}.url_variable, such as {name.upper().replace('-', '_').replace('.', '_')}_URL."
            )
        elif values["source"] != URL and variable is not None:
            yield (
                f"{place}.url_variable is set, but {place} has source {values['source']}: leave it out, or set "
                "source: url."
            )
        if variable == JOBS_OWN:
            yield (
                f"{place}.url_variable is {JOBS_OWN}, the server on which the jobs make databases of their own: "
                "name another variable."
            )


def own_scripts(folder: Path) -> list[str]:
    """The SQL files of an own schema, in the order in which they run: dump.sql, or schema.sql and seed.sql.

    Raises:
        UserError: the folder has neither, or both.
    """
    name = folder.name
    found = [file for file in (DUMP, SCHEMA, SEED) if (folder / file).is_file()]
    if found in ([DUMP], [SCHEMA], [SCHEMA, SEED]):
        return [str(folder / file) for file in found]
    if DUMP in found:
        raise UserError(f"{folder}: has {', '.join(found)}. Keep {DUMP} alone, or {SCHEMA} and {SEED}.")
    raise UserError(
        f"databases.{name} brings its own schema, but {folder} has {found[0] if found else 'no SQL file'}. "
        f"It needs {SCHEMA} and {SEED}, or one {DUMP} as pg_dump writes it; of source url "
        "`snakemake snapshot_database` writes them."
    )


def live_databases(settings: Settings) -> list[str]:
    """The databases of the chosen run that a running server has.

    Raises:
        UserError: it has none.
    """
    name = settings["run"]
    run = settings["runs"][name]
    found = [
        one
        for one in dict.fromkeys([*run["databases"], *(run["evaluate_on"] or [])])
        if _is_live(settings, one)
    ]
    if not found:
        raise UserError(
            f"runs.{name}.databases has none with source url, so there is no server to read. "
            "databases.<name>.source: url and url_variable name one."
        )
    return found


def live_variables(settings: Settings) -> list[str]:
    """The environment variables with their connection strings."""
    return [settings["databases"][name]["url_variable"] for name in live_databases(settings)]


def live_folders(settings: Settings) -> list[str]:
    """Where their files go."""
    return [f"databases/{name}" for name in live_databases(settings)]


def snapshot_settings(settings: Settings) -> list[str]:
    """What of each of them is taken."""
    return [canonical_json(settings["databases"][name]["snapshot"]) for name in live_databases(settings)]


def _is_live(settings: Settings, database: str) -> bool:
    return bool(settings["databases"][database]["source"] == URL)
