import shutil
from pathlib import Path

import pytest

from scripts import publish_adapter
from scripts.arguments import run_script
from sqlrl.models.prompts import PromptSettings
from sqlrl.publish.schemas import Schema, read_schemas
from sqlrl.publish.sources import Sources, read_sources
from tests.publish.publishable import PROMPT, PublishableRun


@pytest.fixture(scope="session")
def run(tmp_path_factory) -> PublishableRun:
    """Read it, do not change its files."""
    return PublishableRun.made(tmp_path_factory.mktemp("publishable"))


@pytest.fixture
def own_run(run, tmp_path) -> PublishableRun:
    """A copy of the run, the test's own to spoil."""
    shutil.copytree(run.folder, tmp_path / "own")
    spoilt = PublishableRun(tmp_path / "own")
    spoilt.model = tmp_path / "own/models/tiny"
    return spoilt


@pytest.fixture(scope="session")
def sources(run) -> Sources:
    return read_sources(run.files("grpo"), "grpo")


@pytest.fixture(scope="session")
def schemas(run) -> list[Schema]:
    shop = run.folder / "databases/shop"
    return read_schemas(
        run.model, PromptSettings(**PROMPT), [shop / "main.json"], [shop / "notes.md"], [shop / "schema.sql"]
    )


@pytest.fixture(scope="session")
def published(run, tmp_path_factory) -> Path:
    """The folder of the run's last stage, as the script writes it."""
    folder = tmp_path_factory.mktemp("published") / "grpo"
    words = run.words("grpo", folder)
    assert run_script(publish_adapter.main, publish_adapter.make_arguments(), words) == 0
    return folder
