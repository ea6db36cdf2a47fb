"""Read a running database once and keep what was read as files: schema.sql, seed.sql, statistics.json, notes.md."""

import logging
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from psycopg.sql import SQL, Composable, Identifier

from sqlrl.database.drafting import describe_database
from sqlrl.database.own import load_database
from sqlrl.database.server import embedded_server
from sqlrl.database.statistics import TableStatistics
from sqlrl.errors import UserError
from sqlrl.files import digest_file, digest_text, write_json, write_text
from sqlrl.live.connection import read_only, read_url
from sqlrl.live.definition import read_definition
from sqlrl.live.masking import mask_rows
from sqlrl.live.rows import Sample, Values, ordered
from sqlrl.live.selection import Name, Selection, select_tables
from sqlrl.records import read_json, to_dict

logger = logging.getLogger(__name__)

RECORD, NOTES, DRAFT = "statistics.json", "notes.md", "notes.draft.md"
ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


@dataclass(frozen=True)
class SnapshotSettings:
    """What of a database is taken; the keys of ``snapshot`` in config.yaml."""

    schemas: tuple[str, ...]
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    rows_per_table: int
    megabytes: float
    exclude_columns: tuple[str, ...]
    mask_columns: tuple[str, ...]
    timeout_seconds: float


@dataclass(frozen=True)
class SnapshotRecord:
    """What was written, to see later whether somebody changed it, and what the columns hold.

    Attributes:
        files: name to SHA-256.
    """

    files: dict[str, str]
    settings: SnapshotSettings
    tables: tuple[TableStatistics, ...]


def take_snapshot(variable: str, folder: Path, settings: SnapshotSettings, may_see: str) -> None:
    """Read the database that an environment variable names, and write its files.

    The server is only read: rows in one read-only transaction, the definition in another of pg_dump. Notes
    that somebody has written stay; the draft is then written beside them.

    Args:
        variable: the environment variable's name.
        folder: ``databases/<name>``.
        settings: what is taken.
        may_see: as authoring.may_see, for what statistics and notes tell.

    Raises:
        UserError: a file was changed by hand, the role has no right to a table, a column can't be left out or
            masked, or what was read does not load. Nothing is written then.
    """
    written = _written(folder)
    conninfo = read_url(variable)
    with embedded_server() as server, tempfile.TemporaryDirectory() as place:
        with read_only(conninfo, variable, settings.timeout_seconds) as connection:
            selection = select_tables(
                connection, settings.schemas, settings.include, settings.exclude, settings.exclude_columns
            )
            excluded = _places(selection, settings.exclude_columns, "exclude_columns")
            masked = _places(selection, settings.mask_columns, "mask_columns")
            schema = read_definition(
                connection, conninfo, server, selection, settings.schemas, excluded, variable
            )
            sample = Sample(connection, selection, set(excluded))
            sample.draw(settings.rows_per_table)
            sample.close()
        sample.check_size(settings.megabytes)
        rows = ordered(mask_rows(selection, sample.columns, sample.rows, masked))
        texts = {"schema.sql": schema, "seed.sql": _copy_blocks(sample.columns, rows)}
        scripts = [Path(place, name) for name in texts]
        for script in scripts:
            write_text(script, texts[script.name])
        name = folder.absolute().name
        loaded, main = load_database(server, scripts, name), Path(place, "main.sql")
        write_text(main, loaded.text)
        statistics, draft = describe_database(server, main, name, may_see)
    _write(folder, {**texts, NOTES: draft}, SnapshotRecord({}, settings, statistics.tables), written)
    count = sum(table.rows for table in loaded.catalog.tables)
    told = (folder, len(loaded.catalog.tables), count, folder / NOTES)
    logger.info("%s: %d tables, %d rows; read %s and correct it", *told)


def _written(folder: Path) -> Mapping[str, str]:
    """Digests of what an earlier snapshot wrote.

    Raises:
        UserError: one of its SQL files was changed since, or is somebody's own.
    """
    record = folder / RECORD
    written = read_json(record, SnapshotRecord).files if record.is_file() else {}
    for name in ("schema.sql", "seed.sql", "dump.sql"):
        file = folder / name
        if file.is_file() and digest_file(file) != written.get(name):
            raise UserError(
                f"{file}: was not written by a snapshot, or was changed since, and would be lost. Move it away, or "
                "keep it and set source: sql."
            )
    return written


def _places(selection: Selection, columns: Sequence[str], key: str) -> list[tuple[Name, str]]:
    """Table and name of each column that config names as table.column or schema.table.column.

    Raises:
        UserError: there is no such column.
    """
    known = {
        text: (table.name, column.name)
        for table in selection.tables
        for column in table.columns
        for text in (f"{table.name[1]}.{column.name}", f"{table}.{column.name}")
    }
    for text in columns:
        if text not in known:
            raise UserError(f'snapshot.{key}: no column is called "{text}"; name it as table.column.')
    return [known[text] for text in columns]


def _copy_blocks(columns: Mapping[Name, Sequence[str]], rows: Mapping[Name, Sequence[Values]]) -> str:
    blocks = []
    for name, found in rows.items():
        if not found or not columns[name]:
            continue
        target: Composable = SQL("COPY {} ({}) FROM stdin;").format(
            Identifier(name[1]), SQL(", ").join(map(Identifier, columns[name]))
        )
        lines = "".join("\t".join(map(_escape, row)) + "\n" for row in found)
        blocks.append(f"{target.as_string(None)}\n{lines}\\.\n")
    return "\n".join(blocks)


def _escape(value: str | None) -> str:
    return "\\N" if value is None else "".join(ESCAPES.get(letter, letter) for letter in value)


def _write(
    folder: Path, texts: Mapping[str, str], record: SnapshotRecord, written: Mapping[str, str]
) -> None:
    """Write the files, notes that somebody edited apart, and the record with their digests."""
    notes = folder / NOTES
    edited = notes.is_file() and digest_file(notes) != written.get(NOTES)
    if edited:
        logger.info("%s: stays as it is; the new draft is %s", notes, folder / DRAFT)
    files = {DRAFT if edited and name == NOTES else name: text for name, text in texts.items()}
    for name, text in files.items():
        write_text(folder / name, text)
    digests = {name: digest_text(text) for name, text in files.items()}
    write_json(folder / RECORD, to_dict(replace(record, files=digests)))
