"""A solver answers questions without their references, and the review finds the faults that it shows."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts import review_tasks, solve_tasks
from scripts.arguments import run_script
from sqlrl.authoring.review import TaskReview
from sqlrl.authoring.split import SplitSettings, part_of
from sqlrl.authoring.task import Task
from sqlrl.database.catalog import Catalog, Column, Table
from sqlrl.files import write_json
from sqlrl.models.folder import ModelManifest
from sqlrl.models.sources import fetch_model, parse_source
from sqlrl.records import read_json, read_jsonl, to_dict, write_jsonl
from sqlrl.sampling.sampler import Reply
from sqlrl.timing import Timing
from tests.answering_server import KEY, PROMPT_TOKENS, REPLY_TOKENS, AnsweringServer, answering
from tests.authoring import reviewed as made
from tests.authoring.small import write_dumps
from tests.tiny_models import make_model

ROOT = Path(__file__).parents[2]
K = 3
SERVER = "key_variable=FAR_KEY,tokens_per_second=100.0,retries=1"
SOLVING = {
    "parts": ["train", "dev", "holdout"], "split": None, "k": K, "temperature": 0.7, "max_tokens": 64, "batch_size": 8,
    "seed": 1,
}  # fmt: skip
REVIEW = {"drop": ["other_answer"], "question_similarity": 0.9, "statement_timeout_seconds": 2.0}
TASKS = [made.GOOD, made.WRONG, made.AMBIGUOUS]
COUNT = K * len(TASKS)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAR_KEY", KEY)
    monkeypatch.setattr("sqlrl.sampling.asking.FIRST_PAUSE", 0.01)


@pytest.fixture
def server() -> Iterator[AnsweringServer]:
    """Answers the second question as its words say, and the third each time in another way."""
    with answering() as server:

        def answer(question: str) -> str:
            if question == made.WRONG.question:
                return f"Books, so:\n```sql\n{made.RIGHT_OF_WRONG}\n```"
            if question == made.AMBIGUOUS.question:
                return f"```sql\nSELECT name, price FROM items WHERE id = {len(server.state.asked)}\n```"
            return f"```sql\n{made.GOOD.reference_sql}\n```"

        server.state.text = answer
        yield server


@pytest.fixture
def folder(server: AnsweringServer, tmp_path: Path) -> Path:
    write_dumps(tmp_path)
    columns = tuple(
        Column(name, "text", True, False, None, None) for name in ("id", "name", "kind", "price", "stock")
    )
    table = Table("items", None, 60, columns)
    write_json(tmp_path / "small/main.json", to_dict(Catalog("small", "main", "d" * 64, 18, (table,))))
    (tmp_path / "small/notes.md").write_text("- stock is NULL where nobody counted.\n")
    origin = {"id": "big", "base_url": server.address("openai")}
    write_json(tmp_path / "model.json", to_dict(ModelManifest("far", {}, "f" * 64, "openai", origin, {})))
    write_jsonl(tmp_path / "tasks.jsonl", TASKS)
    write_jsonl(tmp_path / "exposed.jsonl", [])
    return tmp_path


def words(folder: Path, spending: str = "tokens=100000", **changes: object) -> list[str]:
    given = {
        "--tasks": folder / "tasks.jsonl",
        "--model": folder / "model.json",
        "--server": f"{SERVER},concurrency=2,input_price=2.0,output_price=10.0",
        "--databases": folder / "small/main.json",
        "--notes": folder / "small/notes.md",
        "--prompt": json.dumps({"schema": "ddl", "system_prefix": "", "thinking": None}),
        "--sampler": "openai",
        "--spending": spending,
        "--settings": json.dumps({**SOLVING, **changes}),
        "--work": folder / "work",
        "--output": folder / "solutions.jsonl",
        "--timing": folder / "timing.json",
    }
    return [str(word) for pair in given.items() for word in pair]


def solve(folder: Path, *options: str, **changes: object) -> int:
    return run_script(solve_tasks.main, solve_tasks.make_arguments(), [*words(folder, **changes), *options])


def review(folder: Path) -> int:
    given = {
        "--tasks": folder / "tasks.jsonl",
        "--exposed": folder / "exposed.jsonl",
        "--solutions": folder / "solutions.jsonl",
        "--solver": folder / "model.json",
        "--settings": json.dumps(REVIEW),
        "--output": folder / "reviewed.jsonl",
        "--reviews": folder / "review.jsonl",
        "--summary": folder / "review.json",
    }
    dumps = ["--databases", *map(str, (folder / "small").glob("*.sql"))]
    return run_script(
        review_tasks.main,
        review_tasks.make_arguments(),
        [*dumps, *(str(word) for pair in given.items() for word in pair)],
    )


def test_a_wrong_reference_and_an_ambiguous_question_are_found_by_what_the_solver_answers(folder, server):
    assert solve(folder) == 0
    assert len(server.state.asked) == COUNT
    system = server.state.asked[0].body["messages"][0]["content"]
    assert "CREATE TABLE items" in system
    assert not any(task.reference_sql in str(one.body) for one in server.state.asked for task in TASKS)
    assert review(folder) == 0
    reviews = {one.task_id: one for one in read_jsonl(folder / "review.jsonl", TaskReview)}
    assert [reviews[task.id].agreement for task in TASKS] == ["agrees", "other_answer", "scattered"]
    assert reviews[made.WRONG.id].other.sql == made.RIGHT_OF_WRONG
    assert read_jsonl(folder / "reviewed.jsonl", Task) == [made.GOOD, made.AMBIGUOUS]
    summary = json.loads((folder / "review.json").read_text())
    assert summary["solver"] == {"model": "far", "digest": "f" * 64, "k": K, "tasks": 3}
    assert summary["dropped"] == {"other_answer": 1}


def test_what_it_cost_is_counted_and_the_key_is_in_no_file(folder):
    assert solve(folder) == 0
    timing = read_json(folder / "timing.json", Timing)
    assert (timing.samples, timing.tokens) == (COUNT, COUNT * REPLY_TOKENS)
    assert timing.money == pytest.approx(COUNT * (PROMPT_TOKENS * 2 + REPLY_TOKENS * 10) / 1e6)
    assert KEY not in "".join(file.read_text() for file in folder.rglob("*") if file.is_file())


def test_a_reply_that_was_paid_for_is_used_again_whatever_else_changes(folder, server):
    assert solve(folder) == 0
    first = read_jsonl(folder / "solutions.jsonl", Reply)
    write_jsonl(folder / "tasks.jsonl", [*TASKS, made.TIE])
    assert solve(folder, "--server", f"{SERVER},concurrency=1") == 0
    assert len(server.state.asked) == COUNT + K
    assert read_jsonl(folder / "solutions.jsonl", Reply)[:COUNT] == first


def test_with_thinking_off_another_model_is_asked(folder, server):
    thinking = {
        on: json.dumps({"schema": "ddl", "system_prefix": "", "thinking": on}) for on in (True, False)
    }
    assert solve(folder, "--prompt", thinking[True]) == 0
    assert solve(folder, "--prompt", thinking[True]) == 0
    assert len(server.state.asked) == COUNT
    assert solve(folder, "--prompt", thinking[False]) == 0
    assert len(server.state.asked) == 2 * COUNT


def test_the_spending_limit_ends_it_in_one_message_and_keeps_what_landed(folder, server, capsys):
    assert solve(folder, spending="tokens=1") == 2
    most = int(re.search(r"the next request may take ([\d,]+) tokens", capsys.readouterr().err)[1])
    assert server.state.asked == []
    limit = most + 2 * (PROMPT_TOKENS + REPLY_TOKENS)
    assert solve(folder, spending=f"tokens={limit}") == 2
    error = capsys.readouterr().err
    assert f"review.spending_limit (tokens {limit:,}) is reached" in error
    assert "Traceback" not in error
    assert not (folder / "solutions.jsonl").exists()
    asked = len(server.state.asked)
    assert 0 < asked < COUNT
    assert solve(folder) == 0
    assert len(server.state.asked) == COUNT


def test_only_the_parts_that_config_names_are_asked_about(folder, server):
    split = SplitSettings(0.3, 0.4)
    chosen = [task for task in made.TASKS if part_of(task.id, split) == "holdout"]
    assert 0 < len(chosen) < len(made.TASKS)
    write_jsonl(folder / "tasks.jsonl", made.TASKS)
    assert solve(folder, parts=["holdout"], split=to_dict(split)) == 0
    assert {one.question for one in server.state.asked} == {task.question for task in chosen}


def test_a_killed_job_asks_only_for_what_had_not_landed(folder, server):
    write_jsonl(folder / "tasks.jsonl", made.TASKS)
    server.state.delay = lambda question: 0.05
    wanted = K * len(made.TASKS)
    command = [sys.executable, "-m", "scripts.solve_tasks", *words(folder)]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, env=dict(os.environ))
    deadline = time.monotonic() + 240
    while process.poll() is None and landed(folder) < 5 and time.monotonic() < deadline:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept, asked = landed(folder), len(server.state.asked)
    assert 5 <= kept < wanted
    assert solve(folder) == 0
    assert len(server.state.asked) - asked == wanted - kept
    replies = read_jsonl(folder / "solutions.jsonl", Reply)
    assert [(one.task_id, one.sample) for one in replies] == [
        (task.id, n) for task in made.TASKS for n in range(K)
    ]


def test_a_model_whose_weights_are_here_solves_them_too(folder):
    source = make_model("llama", folder / "source")
    where = json.dumps({"source": "path", "path": str(source)})
    fetch_model(parse_source(where, "here"), "tiny", folder / "tiny" / "model.json")
    here = ["--model", str(folder / "tiny/model.json"), "--sampler", "transformers", "--server", "none"]
    assert solve(folder, *here, temperature=1.0, max_tokens=4) == 0
    replies = read_jsonl(folder / "solutions.jsonl", Reply)
    assert [(one.task_id, one.sample) for one in replies] == [
        (task.id, n) for task in TASKS for n in range(K)
    ]
    assert read_json(folder / "timing.json", Timing).money is None
    assert not (folder / "work").exists()


def landed(folder: Path) -> int:
    return sum(file.read_bytes().count(b"\n") for file in folder.glob("work/replies.jsonl"))
