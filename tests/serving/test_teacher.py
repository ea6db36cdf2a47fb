"""vLLM's own server answers a teacher, by both protocols: real answers, whose content is nonsense."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from scripts import author_tasks
from scripts.arguments import run_script
from sqlrl.authoring.ledger import PaidReply
from sqlrl.files import write_json
from sqlrl.models.folder import ModelManifest
from sqlrl.records import read_jsonl, to_dict
from tests.authoring.small import write_dumps
from tests.authoring.teaching import NOTES, SETTINGS, TEMPLATES
from tests.tiny_models import make_model

pytestmark = pytest.mark.vllm
ROOT = Path(__file__).parents[2]
SECONDS_TO_START = 400
# 120 cells, sixty a prompt: two requests, once each.
ASKED = {
    **to_dict(SETTINGS),
    "batch": {"cells": 60, "questions": 1},
    "quota": 1,
    "tries": 1,
    "max_tokens": 48,
    "temperature": 0.0,  # the CPU build cannot set a seeded generator back where a prompt is read in parts
}


@dataclass(frozen=True)
class Served:
    """vLLM's server on loopback, and what it serves."""

    root: str
    model: str

    def address(self, kind: str) -> str:
        return f"{self.root}/v1" if kind == "openai" else self.root


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[Served]:
    folder = make_model("qwen3", tmp_path_factory.mktemp("served") / "model", hidden=128)
    config = json.loads((folder / "config.json").read_text())
    write_json(folder / "config.json", {**config, "max_position_embeddings": 32768})
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", str(folder)]
    command += ["--served-model-name", "tiny", "--host", "127.0.0.1", "--port", str(port)]
    command += ["--max-model-len", "32768", "--dtype", "float32", "--enforce-eager", "--max-num-seqs", "4"]
    log = folder.parent / "server.log"
    environment = {**os.environ, "VLLM_CPU_KVCACHE_SPACE": "1", "PYTHONPATH": str(ROOT)}
    with log.open("w") as stream:
        process = subprocess.Popen(command, stdout=stream, stderr=subprocess.STDOUT, env=environment)
    try:
        wait_for(f"http://127.0.0.1:{port}/health", process, log)
        yield Served(f"http://127.0.0.1:{port}", "tiny")
    finally:
        process.terminate()
        process.wait(60)


def wait_for(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline:
        assert process.poll() is None, log.read_text()[-4000:]
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
    raise AssertionError(f"no server after {SECONDS_TO_START} s: {log.read_text()[-4000:]}")


def words(served: Served, kind: str, folder: Path) -> list[str]:
    origin = {"id": served.model, "base_url": served.address(kind)}
    write_json(folder / "model.json", to_dict(ModelManifest("tiny", {}, "0" * 64, kind, origin, {})))
    write_dumps(folder)
    (folder / "notes.md").write_text(NOTES)
    given = {
        "--teacher": "llm",
        "--kind": kind,
        "--database": folder / "small/main.sql",
        "--model": folder / "model.json",
        "--server": "key_variable=NO_KEY_HERE,concurrency=2,tokens_per_second=0.5,retries=1",
        "--notes": folder / "notes.md",
        "--settings": json.dumps(ASKED),
        "--spending": "tokens=1000000",
        "--work": folder / "work",
        "--output": folder / "authored.jsonl",
    }
    return [str(word) for pair in given.items() for word in pair] + ["--prompt", *map(str, TEMPLATES)]


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_a_real_server_with_nothing_to_say_ends_in_one_message_with_everything_kept(
    served, kind, tmp_path, capsys
):
    given = words(served, kind, tmp_path)
    assert run_script(author_tasks.main, author_tasks.make_arguments(), given) == 2
    error = capsys.readouterr().err
    assert "0 questions were accepted so far, in 0 of 120 cells" in error
    assert "Traceback" not in error
    replies = read_jsonl(tmp_path / "work/replies.jsonl", PaidReply)
    assert len(replies) == 2
    assert all(one.prompt_tokens > 500 and 0 < one.reply_tokens <= 48 for one in replies)
    if kind == "openai":
        # Held to the form, even a model that knows nothing begins an object. (Of a tool call that was cut off,
        # vLLM's messages tell no arguments.)
        assert all(one.text.lstrip().startswith("{") for one in replies)
    assert not (tmp_path / "authored.jsonl").exists()

    # The same command again asks nothing: the end is the same, with the replies that there are.
    assert run_script(author_tasks.main, author_tasks.make_arguments(), given) == 2
    assert "2 requests, 0 of them now" in capsys.readouterr().err
    assert read_jsonl(tmp_path / "work/replies.jsonl", PaidReply) == replies
