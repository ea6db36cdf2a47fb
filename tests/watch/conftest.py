import pytest

from tests.watch.made import MadeRun


@pytest.fixture
def run(tmp_path) -> MadeRun:
    """A run of which nothing began yet."""
    return MadeRun(tmp_path)
