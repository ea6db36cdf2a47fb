"""Seeded databases: a generator's rows, checked by PostgreSQL and written as a content file."""

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import psycopg

from sqlrl.database.catalog import Catalog, read_tables
from sqlrl.database.connect import Connection
from sqlrl.database.dice import Dice, SeedSettings
from sqlrl.database.instance import Row
from sqlrl.database.server import Server, own_database
from sqlrl.database.snapshot import copy_rows, snapshot
from sqlrl.errors import UserError
from sqlrl.files import digest_text
from sqlrl.records import read_text

Rows = Mapping[str, Sequence[Row]]
Generator = Callable[[str, Dice], Rows]


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
    with own_database(server, instance) as connection:
        _run_schema(connection, schema_text, schema)
        for table, table_rows in rows.items():
            _fill(connection, table, table_rows, generator)
        tables = read_tables(connection)
        text = snapshot(connection, schema_text, tables)
    return text, Catalog(database, instance, digest_text(text), server.major, tables)


def _run_schema(connection: Connection, text: str, path: Path) -> None:
    try:
        connection.execute(text.encode())
    except psycopg.Error as error:
        raise UserError(f"{path}: PostgreSQL refuses it: {str(error).strip()}") from error


def _fill(connection: Connection, table: str, rows: Sequence[Mapping[str, Any]], generator: Path) -> None:
    try:
        copy_rows(connection, table, rows)
    except psycopg.Error as error:
        raise UserError(f"{generator}: rows of {table} break the schema: {str(error).strip()}") from error
