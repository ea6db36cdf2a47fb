from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from sqlrl.database.connect import connect
from sqlrl.database.own import read_statements, run_statements
from sqlrl.database.server import Server, embedded_server
from sqlrl.live.snapshot import SnapshotSettings, take_snapshot
from tests.database.schemas import NAMES, scripts_of

VARIABLE = "FILMS_URL"
DEFAULTS = {
    "schemas": ("public",), "include": (), "exclude": (), "rows_per_table": 1000, "megabytes": 50.0,
    "exclude_columns": (), "mask_columns": (), "timeout_seconds": 60.0,
}  # fmt: skip


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """The running server: it has the test schemas, and a role that may only read them."""
    with embedded_server() as server:
        server.admin.execute("CREATE ROLE reader LOGIN")
        server.admin.execute("ALTER ROLE reader SET default_transaction_read_only TO off")
        for name in NAMES:
            with connect(server.create_database(name)) as connection:
                run_statements(connection, read_statements(scripts_of(name)))
                connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
        yield server


@pytest.fixture
def take(server, tmp_path, monkeypatch):
    """Takes a snapshot of a database of the running server as its reader, and returns the folder."""

    def run(database: str, may_see: str = "schema", **changes) -> Path:
        host = quote(server.admin.info.host, safe="")
        monkeypatch.setenv(VARIABLE, f"postgresql://reader:s3cret@/{database}?host={host}")
        folder = tmp_path / database
        take_snapshot(VARIABLE, folder, SnapshotSettings(**{**DEFAULTS, **changes}), may_see)
        return folder

    return run
