"""The script that samples replies, on a model behind an API: paid once, counted, and no key in any file."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts import fetch_model
from scripts.arguments import run_script
from scripts.rollout import main, make_arguments
from sqlrl.authoring.task import Task
from sqlrl.records import read_json, read_jsonl, write_jsonl
from sqlrl.sampling.rollouts import REPLIES
from sqlrl.sampling.sampler import Reply
from sqlrl.timing import Timing
from tests.answering_server import KEY, PROMPT_TOKENS, REPLY_TOKENS, AnsweringServer, answering, status
from tests.models.test_prompts import files as files
from tests.scripts.test_rollout import PROMPT, ROOT, SETTINGS, make_task

SERVER = {"key_variable": "FAR_KEY", "concurrency": 3, "tokens_per_second": 20, "retries": 2}
PRICES = {"input_price": 2.0, "output_price": 10.0}
COUNT = 24


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAR_KEY", KEY)
    monkeypatch.setattr("sqlrl.sampling.asking.FIRST_PAUSE", 0.01)


@pytest.fixture
def server() -> Iterator[AnsweringServer]:
    with answering() as server:
        yield server


@pytest.fixture(params=["openai", "anthropic"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def words(server: AnsweringServer, kind: str, files: dict[str, Path], tmp_path: Path) -> list[str]:
    """The arguments for twelve tasks of a model at the server; its two files are made by their scripts."""
    source = {"source": kind, "id": "big", "base_url": server.address(kind)}
    model = ["--name", "far", "--settings", json.dumps(source), "--output", str(tmp_path / "far/model.json")]
    assert run_script(fetch_model.main, fetch_model.make_arguments(), model) == 0
    write_jsonl(
        tmp_path / "tasks.jsonl", [make_task(f"How many sales in {year}?") for year in range(2000, 2012)]
    )
    market = files["market"]
    given = {
        "--model": tmp_path / "far/model.json",
        "--server": asked(**PRICES),
        "--tasks": tmp_path / "tasks.jsonl",
        "--databases": market / "main.json",
        "--notes": market / "notes.md",
        "--prompt": json.dumps(PROMPT),
        "--settings": json.dumps(SETTINGS),
        "--sampler": kind,
        "--work": tmp_path / "work",
        "--output": tmp_path / "replies.jsonl",
        "--timing": tmp_path / "timing.json",
        "--log": tmp_path / "rollout.log",
    }
    return [str(word) for pair in given.items() for word in pair]


def asked(**changes: object) -> str:
    return ",".join(f"{key}={value}" for key, value in {**SERVER, **changes}.items())


def run(words: list[str]) -> int:
    return run_script(main, make_arguments(), words)


def written(folder: Path) -> str:
    return "".join(file.read_text() for file in folder.rglob("*") if file.is_file())


def test_every_task_gets_k_replies_whose_tokens_and_money_are_counted(words, tmp_path: Path):
    assert run(words) == 0
    replies = read_jsonl(tmp_path / "replies.jsonl", Reply)
    tasks = read_jsonl(tmp_path / "tasks.jsonl", Task)
    assert [(one.task_id, one.sample) for one in replies] == [
        (task.id, n) for task in tasks for n in range(2)
    ]
    assert [one.text for one in replies[::2]] == [f"about {task.question}" for task in tasks]
    timing = read_json(tmp_path / "timing.json", Timing)
    assert (timing.samples, timing.tokens) == (COUNT, COUNT * REPLY_TOKENS)
    assert timing.prompt_tokens == COUNT * PROMPT_TOKENS
    assert timing.money == pytest.approx(COUNT * (PROMPT_TOKENS * 2 + REPLY_TOKENS * 10) / 1e6)
    assert list((tmp_path / "work").iterdir()) == []


def test_without_a_price_money_is_unknown(words, tmp_path: Path):
    assert run([*words, "--server", asked()]) == 0
    assert read_json(tmp_path / "timing.json", Timing).money is None


def test_the_prompt_is_the_system_prompt_and_the_question(words, server):
    assert run([*words, "--prompt", json.dumps({**PROMPT, "system_prefix": "Be brief."})]) == 0
    body = server.state.asked[0].body
    system = body.get("system") or body["messages"][0]["content"]
    assert system.startswith("Be brief.\n\nAnswer the question with one PostgreSQL query")
    assert "regions(id int PK)" in system


def test_a_refusal_is_one_message_exit_code_2_and_no_file(words, server, tmp_path, capsys):
    server.state.faults.extend([status(401, f"no such key: {KEY}")] * 99)
    assert run(words) == 2
    error = capsys.readouterr().err
    assert "models.far (big at http://127.0.0.1" in error
    assert "answers 401: no such key: ***" in error
    assert "FAR_KEY" in error
    assert "Traceback" not in error
    assert not (tmp_path / "replies.jsonl").exists()
    assert KEY not in error + written(tmp_path)


def test_a_killed_job_asks_only_for_what_had_not_landed(words, server, tmp_path: Path):
    server.state.delay = lambda question: 0.05
    command = [sys.executable, "-m", "scripts.rollout", *words]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, env=dict(os.environ))
    deadline = time.monotonic() + 60
    while process.poll() is None and landed_lines(tmp_path) < 5 and time.monotonic() < deadline:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    landed = landed_lines(tmp_path)
    assert 5 <= landed < COUNT
    asked_before = len(server.state.asked)
    # Speed may change on the way: the work is gone on from.
    assert run([*words, "--server", asked(concurrency=1, retries=0)]) == 0
    assert len(server.state.asked) - asked_before == COUNT - landed
    assert asked_before - landed <= SERVER["concurrency"]
    assert len(read_jsonl(tmp_path / "replies.jsonl", Reply)) == COUNT
    assert KEY not in written(tmp_path)


def landed_lines(folder: Path) -> int:
    return sum(file.read_bytes().count(b"\n") for file in folder.glob(f"work/*/{REPLIES}"))


def test_the_key_is_in_no_file_and_no_log(words, server, tmp_path: Path, monkeypatch, capsys):
    monkeypatch.setenv("T2S_LOG_LEVEL", "DEBUG")
    server.state.faults.append(status(500, f"is it {KEY}?"))
    assert run(words) == 0
    assert "is it ***?" in (tmp_path / "rollout.log").read_text()
    assert KEY not in written(tmp_path) + capsys.readouterr().err


def test_a_sampler_that_is_not_told_how_its_server_is_asked_is_named(words, kind, capsys):
    place = words.index("--server")
    assert run([*words[:place], *words[place + 2 :]]) == 2
    assert f"sampler is '{kind}'" in capsys.readouterr().err
