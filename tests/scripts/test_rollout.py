"""The script that samples replies: killed and resumed, it ends in the same bytes."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from scripts.arguments import run_script
from scripts.rollout import main, make_arguments
from sqlrl.authoring.task import Task, task_id
from sqlrl.models.sources import fetch_model, parse_source
from sqlrl.records import read_json, read_jsonl, write_jsonl
from sqlrl.sampling.rollouts import REPLIES
from sqlrl.sampling.sampler import Reply
from sqlrl.timing import Timing
from tests.models.test_prompts import files as files
from tests.tiny_models import make_adapter, make_model

ROOT = Path(__file__).parents[2]
SETTINGS = {"k": 2, "temperature": 1.0, "top_p": 1.0, "max_tokens": 40, "batch_size": 2, "seed": 1}
PROMPT = {"schema": "compact", "system_prefix": "", "thinking": None}


@pytest.fixture(autouse=True)
def _one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiny products gain nothing from threads, and wait for each other on a busy machine."""
    torch.set_num_threads(1)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


@pytest.fixture(scope="module")
def inputs(files: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A model with an adapter, twelve tasks, a database."""
    root = tmp_path_factory.mktemp("rollout")
    source = make_model("llama", root / "source")
    where = json.dumps({"source": "path", "path": str(source)})
    fetch_model(parse_source(where, "here"), "tiny", root / "model" / "model.json")
    make_adapter(source, root / "adapter")
    (root / "adapter" / "adapter.json").write_text("{}")
    write_jsonl(root / "tasks.jsonl", [make_task(f"How many sales in {year}?") for year in range(2000, 2012)])
    market = files["market"]
    return {
        "--model": root / "model" / "model.json",
        "--tasks": root / "tasks.jsonl",
        "--databases": market / "main.json",
        "--notes": market / "notes.md",
        "adapter": root / "adapter",
    }


def make_task(question: str) -> Task:
    return Task(
        id=task_id(question),
        database="market",
        question=question,
        reference_sql="SELECT 1",
        archetype="aggregation",
        difficulty="easy",
        style="terse",
        template="0" * 16,
        features=(),
        tables=(),
        rows=1,
        columns=1,
        database_digest="0" * 64,
    )


def words(inputs: dict[str, Path], folder: Path, **settings: object) -> list[str]:
    given = [word for name, path in inputs.items() if name.startswith("--") for word in (name, str(path))]
    given += ["--prompt", json.dumps(PROMPT), "--settings", json.dumps(SETTINGS | settings)]
    given += ["--work", str(folder / "work"), "--output", str(folder / "replies.jsonl")]
    return [*given, "--timing", str(folder / "timing.json")]


def run(inputs: dict[str, Path], folder: Path, *more: str, **settings: object) -> int:
    return run_script(main, make_arguments(), [*words(inputs, folder, **settings), *more])


def test_every_task_gets_k_replies_and_the_timing_counts_them(inputs, tmp_path: Path):
    assert run(inputs, tmp_path) == 0
    replies = read_jsonl(tmp_path / "replies.jsonl", Reply)
    tasks = read_jsonl(inputs["--tasks"], Task)
    assert [(r.task_id, r.sample) for r in replies] == [(task.id, n) for task in tasks for n in range(2)]
    timing = read_json(tmp_path / "timing.json", Timing)
    assert (timing.samples, timing.tokens) == (24, sum(len(r.token_ids) for r in replies))
    assert all(r.reply_tokens == len(r.token_ids) for r in replies)
    assert (timing.prompt_tokens, timing.money) == (sum(r.prompt_tokens for r in replies), None)
    assert list((tmp_path / "work").iterdir()) == []


def test_an_adapter_is_named_by_its_files_and_changes_the_replies(inputs, tmp_path: Path):
    adapter = [str(inputs["adapter"] / name) for name in ("adapter.json", "adapter_model.safetensors")]
    assert run(inputs, tmp_path / "base", "--adapter") == 0
    assert run(inputs, tmp_path / "adapted", "--adapter", *adapter) == 0
    base, adapted = (tmp_path / name / "replies.jsonl" for name in ("base", "adapted"))
    assert base.read_bytes() != adapted.read_bytes()


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(inputs, tmp_path: Path):
    for name, seed in (("one", 1), ("two", 1), ("three", 2)):
        assert run(inputs, tmp_path / name, seed=seed) == 0
    one, two, three = ((tmp_path / name / "replies.jsonl").read_bytes() for name in ("one", "two", "three"))
    assert one == two != three


def test_a_killed_rollout_goes_on_where_it_stopped_and_ends_in_the_same_bytes(inputs, tmp_path: Path):
    assert run(inputs, tmp_path / "whole") == 0
    killed = tmp_path / "killed"
    command = [sys.executable, "-m", "scripts.rollout", *words(inputs, killed)]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
    while process.poll() is None and not any(one.stat().st_size for one in killed.glob(f"work/*/{REPLIES}")):
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (killed / "replies.jsonl").exists()
    (landed,) = killed.glob(f"work/*/{REPLIES}")
    assert 0 < landed.read_bytes().count(b"\n") < 24
    assert run(inputs, killed) == 0
    assert (killed / "replies.jsonl").read_bytes() == (tmp_path / "whole" / "replies.jsonl").read_bytes()


def test_work_of_other_settings_or_code_is_not_gone_on_from(inputs, tmp_path: Path, monkeypatch):
    folders = []
    monkeypatch.setattr("scripts.rollout.shutil.rmtree", folders.append)
    for more in ({}, {"seed": 2}, {"temperature": 0.5}):
        assert run(inputs, tmp_path, **more) == 0
    assert run(inputs, tmp_path, "--code", "abc") == 0
    assert len(set(folders)) == 4


def test_a_task_of_a_database_that_was_not_given_is_one_message(inputs, tmp_path: Path, capsys):
    task = make_task("Which?")
    write_jsonl(tmp_path / "tasks.jsonl", [Task(**{**vars(task), "database": "shop"})])
    assert run(inputs, tmp_path, "--tasks", str(tmp_path / "tasks.jsonl")) == 2
    assert "database 'shop' is not among those given: market" in capsys.readouterr().err
    assert not (tmp_path / "replies.jsonl").exists()
