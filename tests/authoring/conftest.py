from collections.abc import Iterator
from pathlib import Path

import pytest

from sqlrl.authoring.instances import Instances, open_instances
from tests.authoring.small import write_dumps


@pytest.fixture(scope="session")
def small_dumps(tmp_path_factory) -> dict[str, Path]:
    """main and two twins of a database of one table."""
    return write_dumps(tmp_path_factory.mktemp("dumps"))


@pytest.fixture(scope="session")
def small_instances(small_dumps) -> Iterator[Instances]:
    with open_instances(small_dumps, timeout_seconds=2.0) as instances:
        yield instances
