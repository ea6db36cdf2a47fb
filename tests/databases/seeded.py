"""Instances of a built-in schema for tests, seeded as config.yaml does."""

import hashlib
import importlib
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from sqlrl.database.catalog import Catalog
from sqlrl.database.connect import connect
from sqlrl.database.dice import Dice, SeedSettings
from sqlrl.database.seed import seed_database
from sqlrl.database.server import Server, embedded_server

ROOT = Path(__file__).parents[2]
INSTANCES = ("main", "twin-1", "twin-2", "twin-3")
SEEDS = {"main": 1, "twin-1": 2, "twin-2": 3, "twin-3": 4}  # as in config.yaml
Seeded = Mapping[str, tuple[str, Catalog, Server]]

PROGRAM = """
from databases.{schema}.generate import generate
from sqlrl.database.dice import Dice
print([repr(generate(name, Dice(1, "{schema}", name))) for name in ("main", "twin-1")])
"""


@contextmanager
def seeded_instances(schema: str) -> Iterator[Seeded]:
    """Text and catalog of each instance, and the server that made them."""
    with embedded_server() as server:
        made = {name: seed(server, schema, name, SEEDS[name]) for name in INSTANCES}
        yield {name: (text, catalog, server) for name, (text, catalog) in made.items()}


def seed(server: Server, schema: str, instance: str, number: int) -> tuple[str, Catalog]:
    folder = ROOT / "databases" / schema
    paths = (folder / "schema.sql", folder / "generate.py")
    return seed_database(server, *paths, schema, instance, SeedSettings(number))


@contextmanager
def restored(server: Server, name: str, text: str, folder: Path) -> Iterator["psycopg.Connection[Any]"]:
    """A connection to a database that is made from a content file."""
    dump = folder / "dump.sql"
    dump.write_text(text, encoding="utf-8", newline="\n")
    with connect(server.create_database(name, dump)) as connection:
        yield connection
    server.drop_database(name)


def generated(schema: str, instance: str, number: int) -> dict[str, list[dict[str, Any]]]:
    """The rows of an instance, without a server."""
    module = importlib.import_module(f"databases.{schema}.generate")
    rows: dict[str, list[dict[str, Any]]] = module.generate(instance, Dice(number, schema, instance))
    return rows


def broken(connection: "psycopg.Connection[Any]", never: Mapping[str, str]) -> list[str]:
    """What happens in a database though it should never."""
    return [what for what, query in never.items() if connection.execute(query.encode()).fetchall()]


def rows_digest(python: str, schema: str, **environment: str) -> str:
    """SHA-256 of the rows that another Python makes."""
    program = PROGRAM.replace("{schema}", schema)
    done = subprocess.run(
        [python, "-c", program], cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True
    )
    return hashlib.sha256(done.stdout).hexdigest()
