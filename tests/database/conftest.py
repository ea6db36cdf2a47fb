from collections.abc import Iterator

import pytest

from sqlrl.database.server import Server, embedded_server


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """One embedded server for the tests of a module; each makes databases of its own name."""
    with embedded_server() as server:
        yield server
