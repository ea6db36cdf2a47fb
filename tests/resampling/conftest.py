from collections.abc import Iterator
from pathlib import Path

import pytest

from sqlrl.database.own import load_database
from sqlrl.database.server import Server, embedded_server
from sqlrl.files import write_text
from sqlrl.resampling.twin import resample_database
from tests.database.schemas import NAMES, scripts_of


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """One embedded server for all tests of this folder."""
    with embedded_server() as server:
        yield server


@pytest.fixture(scope="session")
def mains(server, tmp_path_factory) -> dict[str, Path]:
    """The main instances of the test schemas."""
    folder = tmp_path_factory.mktemp("mains")
    for name in NAMES:
        write_text(folder / name / "main.sql", load_database(server, scripts_of(name), name).text)
    return {name: folder / name / "main.sql" for name in NAMES}


@pytest.fixture(scope="session")
def twins(server, mains) -> dict[str, dict[int, str]]:
    """Two twins of each, by seed."""
    return {
        name: {seed: resample_database(server, main, name, f"twin-{seed}", seed)[0] for seed in (2, 3)}
        for name, main in mains.items()
    }
