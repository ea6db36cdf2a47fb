"""The scripts that ask a model for tasks and freeze them: paid once, counted, and no key in any file."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts import author_tasks, fetch_model, freeze_tasks
from scripts.arguments import run_script
from sqlrl.authoring.authored import AuthoringSummary
from sqlrl.authoring.teacher import Candidate
from sqlrl.records import read_json, read_jsonl, to_dict, write_jsonl
from sqlrl.timing import Timing
from tests.answering_server import (
    CACHED_TOKENS,
    KEY,
    PROMPT_TOKENS,
    REPLY_TOKENS,
    AnsweringServer,
    answering,
    status,
)
from tests.authoring.small import task, write_dumps
from tests.authoring.teaching import NOTES, SETTINGS, TEMPLATES, good_reply

ROOT = Path(__file__).parents[2]
SERVER = {"key_variable": "FAR_KEY", "concurrency": 3, "tokens_per_second": 20, "retries": 2}
PRICES = {"input_price": 2.0, "output_price": 10.0}
# 120 cells, ten a prompt, a question each.
REQUESTS = 12
ASKED = {**to_dict(SETTINGS), "batch": {"cells": 10, "questions": 1}, "quota": 1}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAR_KEY", KEY)
    monkeypatch.setattr("sqlrl.sampling.asking.FIRST_PAUSE", 0.01)


@pytest.fixture
def server() -> Iterator[AnsweringServer]:
    with answering() as server:
        server.state.text = good_reply
        yield server


@pytest.fixture(params=["openai", "anthropic"])
def words(request, server: AnsweringServer, tmp_path: Path) -> list[str]:
    source = {"source": request.param, "id": "big", "base_url": server.address(request.param)}
    model = ["--name", "far", "--settings", json.dumps(source), "--output", str(tmp_path / "far/model.json")]
    assert run_script(fetch_model.main, fetch_model.make_arguments(), model) == 0
    write_dumps(tmp_path)
    (tmp_path / "notes.md").write_text(NOTES)
    given = {
        "--teacher": "llm",
        "--kind": request.param,
        "--database": tmp_path / "small/main.sql",
        "--model": tmp_path / "far/model.json",
        "--server": asked(**PRICES),
        "--notes": tmp_path / "notes.md",
        "--settings": json.dumps(ASKED),
        "--spending": "tokens=1000000",
        "--work": tmp_path / "work",
        "--output": tmp_path / "authored.jsonl",
        "--summary": tmp_path / "authoring.json",
        "--timing": tmp_path / "timing.json",
        "--log": tmp_path / "author.log",
    }
    return [str(word) for pair in given.items() for word in pair] + ["--prompt", *map(str, TEMPLATES)]


def asked(**changes: object) -> str:
    return ",".join(f"{key}={value}" for key, value in {**SERVER, **changes}.items())


def run(words: list[str]) -> int:
    return run_script(author_tasks.main, author_tasks.make_arguments(), words)


def written(folder: Path) -> str:
    return "".join(file.read_text() for file in folder.rglob("*") if file.is_file())


def test_every_cell_is_authored_and_what_it_cost_is_counted(words, tmp_path, capsys):
    assert run(words) == 0
    candidates = read_jsonl(tmp_path / "authored.jsonl", Candidate)
    assert len({one.cell for one in candidates}) == len(candidates) == 120
    summary = read_json(tmp_path / "authoring.json", AuthoringSummary)
    assert (summary.teacher, summary.candidates, set(summary.cells.values())) == ("llm", 120, {1})
    assert (summary.asked.requests, summary.asked.model_id, summary.asked.may_see) == (
        REQUESTS,
        "big",
        "schema",
    )
    assert summary.asked.cached_tokens == REQUESTS * CACHED_TOKENS
    timing = read_json(tmp_path / "timing.json", Timing)
    assert (timing.samples, timing.tokens) == (REQUESTS, REQUESTS * REPLY_TOKENS)
    assert timing.prompt_tokens == REQUESTS * PROMPT_TOKENS
    money = REQUESTS * (PROMPT_TOKENS * 2 + REPLY_TOKENS * 10) / 1e6
    assert timing.money == pytest.approx(money)
    assert f"{REQUESTS} requests, {REQUESTS} of them now" in capsys.readouterr().err
    first = (tmp_path / "work/first_prompt.md").read_text()
    assert "CREATE TABLE items" in first
    assert "## Cell 10: " in first


def test_the_templates_digest_is_in_the_summary(words, tmp_path):
    assert run(words) == 0
    before = read_json(tmp_path / "authoring.json", AuthoringSummary).asked.prompt
    changed = tmp_path / TEMPLATES[0].name
    changed.write_text(TEMPLATES[0].read_text() + "\nBe kind.\n")
    (tmp_path / TEMPLATES[1].name).write_text(TEMPLATES[1].read_text())
    assert run([*words, "--prompt", str(changed), str(tmp_path / TEMPLATES[1].name)]) == 0
    assert read_json(tmp_path / "authoring.json", AuthoringSummary).asked.prompt != before


def test_a_killed_job_pays_nothing_twice(words, server, tmp_path):
    server.state.delay = lambda prompt: 0.1
    process = subprocess.Popen(
        [sys.executable, "-m", "scripts.author_tasks", *words],
        cwd=ROOT,
        stderr=subprocess.DEVNULL,
        env=dict(os.environ),
    )
    deadline = time.monotonic() + 300
    while process.poll() is None and landed_lines(tmp_path) < 4 and time.monotonic() < deadline:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    landed = landed_lines(tmp_path)
    assert 4 <= landed < REQUESTS
    asked_before = len(server.state.asked)
    # Speed may change on the way.
    assert run([*words, "--server", asked(concurrency=1, retries=0)]) == 0
    assert len(server.state.asked) - asked_before == REQUESTS - landed
    assert asked_before - landed <= SERVER["concurrency"]
    assert len(read_jsonl(tmp_path / "authored.jsonl", Candidate)) == 120
    assert KEY not in written(tmp_path)


def landed_lines(folder: Path) -> int:
    file = folder / "work/replies.jsonl"
    return file.read_bytes().count(b"\n") if file.exists() else 0


def test_a_limit_that_is_reached_leaves_one_message_and_the_replies(
    words, server, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr("tests.answering_server.PROMPT_TOKENS", 900)
    assert run([*words, "--spending", "tokens=6000"]) == 2
    error = capsys.readouterr().err
    assert "authoring.spending_limit (tokens 6,000) is reached" in error
    assert "Traceback" not in error
    assert not (tmp_path / "authored.jsonl").exists()
    landed = landed_lines(tmp_path)
    assert 0 < landed == len(server.state.asked) < REQUESTS
    assert run(words) == 0
    assert len(server.state.asked) == REQUESTS


def test_the_key_is_in_no_file_and_no_log(words, server, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("T2S_LOG_LEVEL", "DEBUG")
    server.state.faults.append(status(500, f"is it {KEY}?"))
    assert run(words) == 0
    assert "is it ***?" in (tmp_path / "author.log").read_text()
    assert KEY not in written(tmp_path) + capsys.readouterr().err


def test_a_wrong_key_is_one_message_and_exit_code_2(words, server, tmp_path, capsys):
    server.state.faults.extend([status(401, f"no such key: {KEY}")] * 99)
    assert run(words) == 2
    error = capsys.readouterr().err
    assert "answers 401: no such key: ***" in error
    assert "FAR_KEY" in error
    assert "Traceback" not in error
    assert not (tmp_path / "authored.jsonl").exists()


@pytest.mark.parametrize("missing", ["--model", "--server", "--notes", "--work"])
def test_what_is_missing_is_named(words, missing, capsys):
    place = words.index(missing)
    assert run([*words[:place], *words[place + 2 :]]) == 2
    assert f"--teacher llm needs {missing}" in capsys.readouterr().err


def test_a_template_with_a_fault_is_named(words, tmp_path, capsys):
    broken = [tmp_path / one.name for one in TEMPLATES]
    for file in broken:
        file.write_text("{{ nothing_of_that_name }}")
    assert run([*words, "--prompt", *map(str, broken)]) == 2
    assert f"{broken[0]}: 'nothing_of_that_name' is undefined" in capsys.readouterr().err


def test_tasks_are_frozen_into_their_databases_folder_and_read_from_there(words, tmp_path, server, capsys):
    assert run(words) == 0
    asked = len(server.state.asked)
    (tmp_path / "databases/small").mkdir(parents=True)
    kept = [
        task(
            one.question, reference_sql=one.reference_sql, archetype=one.archetype, difficulty=one.difficulty
        )
        for one in read_jsonl(tmp_path / "authored.jsonl", Candidate)[:30]
    ]
    write_jsonl(tmp_path / "small/tasks.jsonl", kept)
    freezing = [
        "--tasks",
        str(tmp_path / "small/tasks.jsonl"),
        "--authoring",
        str(tmp_path / "authoring.json"),
    ]
    freezing += ["--databases", str(tmp_path / "databases")]
    assert run_script(freeze_tasks.main, freeze_tasks.make_arguments(), freezing) == 0
    assert "authoring.teacher: frozen" in capsys.readouterr().err
    frozen = [*(tmp_path / "databases/small").iterdir()]
    again = [
        "--teacher",
        "frozen",
        "--database",
        str(tmp_path / "small/main.sql"),
        "--frozen",
        *map(str, frozen),
    ]
    again += ["--settings", '{"statement_timeout_seconds": 2.0}', "--output", str(tmp_path / "again.jsonl")]
    again += ["--summary", str(tmp_path / "again.json")]
    assert run(again) == 0
    questions = [one.question for one in read_jsonl(tmp_path / "again.jsonl", Candidate)]
    assert questions == [one.question for one in kept]
    assert read_json(tmp_path / "again.json", AuthoringSummary).frozen.authoring.asked.model == "far"
    assert len(server.state.asked) == asked
