import pytest

from tests.report.synthetic import SyntheticRun


@pytest.fixture(scope="session")
def whole_run(tmp_path_factory) -> SyntheticRun:
    """A run of 140 tasks; read it, do not change its files."""
    return SyntheticRun(tmp_path_factory.mktemp("whole")).write()


@pytest.fixture
def small_run(tmp_path) -> SyntheticRun:
    """A run of 12 tasks, the test's own to spoil."""
    return SyntheticRun(tmp_path, tasks=12, templates=6, passes=2).write()
