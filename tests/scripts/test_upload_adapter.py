"""The upload from the command line."""

from types import SimpleNamespace

import pytest

from scripts.arguments import run_script
from scripts.upload_adapter import main, make_arguments
from sqlrl.publish import upload
from sqlrl.publish.folder import FILES


@pytest.fixture
def folder(tmp_path):
    for name in FILES:
        path = tmp_path / "grpo" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("content")
    return tmp_path / "grpo"


@pytest.fixture
def sent(monkeypatch) -> list[dict]:
    """What reaches the Hub."""
    found: list[dict] = []

    def take(**options):
        found.append(options)
        return SimpleNamespace(commit_url="https://hub.example/commit/1")

    hub = SimpleNamespace(create_repo=lambda *_, **__: None, upload_folder=take)
    monkeypatch.setattr(upload, "HfApi", lambda token: hub)
    return found


def test_it_says_what_goes_where_and_the_commit(folder, sent, monkeypatch, capsys):
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    words = ["--folder", str(folder), "--repository", "somebody/shop"]
    assert run_script(main, make_arguments(), words) == 0
    said = capsys.readouterr()
    assert "To somebody/shop:" in said.out
    assert "  adapter_model.safetensors  7 bytes" in said.out
    assert "https://hub.example/commit/1" in said.out
    assert "hf_secret" not in said.out + said.err
    assert len(sent) == 1


def test_without_a_token_nothing_is_sent(folder, sent, monkeypatch, capsys):
    monkeypatch.delenv("HF_TOKEN", raising=False)
    words = ["--folder", str(folder), "--repository", "somebody/shop"]
    assert run_script(main, make_arguments(), words) == 2
    assert "error: HF_TOKEN is not set" in capsys.readouterr().err
    assert sent == []


def test_without_a_repository_nothing_is_sent(folder, sent, capsys):
    with pytest.raises(SystemExit) as stopped:
        run_script(main, make_arguments(), ["--folder", str(folder)])
    assert stopped.value.code == 2
    assert "--repository" in capsys.readouterr().err
    assert sent == []


def test_a_folder_that_was_not_published_is_refused(tmp_path, sent, capsys):
    words = ["--folder", str(tmp_path), "--repository", "somebody/shop"]
    assert run_script(main, make_arguments(), words) == 2
    assert "no README.md in it" in capsys.readouterr().err
