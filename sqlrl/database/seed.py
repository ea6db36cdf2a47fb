"""Seeded databases: a generator's rows, checked by PostgreSQL and written as a content file."""

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg.sql import SQL, Identifier

from sqlrl.database.catalog import Catalog, read_tables
from sqlrl.database.connect import Connection, connect
from sqlrl.database.dice import Dice
from sqlrl.database.server import Server
from sqlrl.database.snapshot import snapshot
from sqlrl.errors import UserError
from sqlrl.files import digest_text
from sqlrl.records import read_text

Rows = Mapping[str, Sequence[Mapping[str, Any]]]
Generator = Callable[[str, Dice], Rows]


@dataclass(frozen=True)
class SeedSettings:
    """``seed``: another number gives other rows in every instance."""

    seed: int


def load_generator(path: Path) -> Generator:
    """The function ``generate(instance, dice)`` of a generator's file.

    It returns rows by table, each row with its columns by name, referenced tables first.

    Raises:
        UserError: there is no such file or no such function in it.
    """
    if not path.is_file():
        raise UserError(f"{path}: no such file.")
    spec = importlib.util.spec_from_file_location(f"generator_of_{path.absolute().parent.name}", path)
    if spec is None or spec.loader is None:
        raise UserError(f"{path}: not a Python file.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    generate = getattr(module, "generate", None)
    if not callable(generate):
        raise UserError(f"{path}: has no function generate(instance, dice).")
    return generate  # type: ignore[no-any-return]


def seed_database(
    server: Server, schema: Path, generator: Path, database: str, instance: str, settings: SeedSettings
) -> tuple[str, Catalog]:
    """Make one instance and return the text of its content file and its catalog.

    Raises:
        UserError: the schema does not run, or a row breaks one of its constraints.
    """
    dice = Dice(settings.seed, database, instance)
    rows = load_generator(generator)(instance, dice)
    schema_text = read_text(schema)
    conninfo = server.create_database(instance)
    try:
        with connect(conninfo) as connection:
            _run_schema(connection, schema_text, schema)
            for table, table_rows in rows.items():
                _fill(connection, table, table_rows, generator)
            tables = read_tables(connection)
            text = snapshot(connection, schema_text, tables)
    finally:
        server.drop_database(instance)
    return text, Catalog(database, instance, digest_text(text), server.major, tables)


def _run_schema(connection: Connection, text: str, path: Path) -> None:
    try:
        connection.execute(text.encode())
    except psycopg.Error as error:
        raise UserError(f"{path}: PostgreSQL refuses it: {str(error).strip()}") from error


def _fill(connection: Connection, table: str, rows: Sequence[Mapping[str, Any]], generator: Path) -> None:
    if not rows:
        return
    columns = list(rows[0])
    copying = SQL("COPY {} ({}) FROM STDIN").format(
        Identifier(table), SQL(", ").join(map(Identifier, columns))
    )
    try:
        with connection.cursor().copy(copying) as copy:
            for row in rows:
                copy.write_row([row[column] for column in columns])
    except psycopg.Error as error:
        raise UserError(f"{generator}: rows of {table} break the schema: {str(error).strip()}") from error
