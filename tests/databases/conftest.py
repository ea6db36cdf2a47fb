import pytest

from tests.databases.seeded import INSTANCES, restored, seeded_instances


@pytest.fixture(scope="module")
def seeded(request):
    """All instances of the schema that a test module names as SCHEMA."""
    with seeded_instances(request.module.SCHEMA) as made:
        yield made


@pytest.fixture(scope="module", params=INSTANCES)
def connection(seeded, request, tmp_path_factory):
    text, _, server = seeded[request.param]
    folder = tmp_path_factory.mktemp(request.param)
    with restored(server, f"restored {request.param}", text, folder) as opened:
        yield opened
