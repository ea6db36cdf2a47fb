"""Tiny models and adapters, made once."""

from pathlib import Path

import pytest
import torch

from tests.tiny_models import KINDS, make_adapter, make_model


@pytest.fixture(scope="session", autouse=True)
def _one_thread() -> None:
    """Tiny products gain nothing from threads, and wait for each other on a busy machine."""
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A model folder of each architecture."""
    root = tmp_path_factory.mktemp("models")
    return {kind: make_model(kind, root / kind) for kind in KINDS}


@pytest.fixture(scope="session")
def adapters(models: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """An adapter folder of each architecture."""
    root = tmp_path_factory.mktemp("adapters")
    return {kind: make_adapter(folder, root / kind) for kind, folder in models.items()}
