import json

import pytest

from scripts.arguments import run_script
from scripts.measure_band import main, make_arguments
from sqlrl.records import read_jsonl, write_jsonl
from sqlrl.training.band import BandTask
from tests.training_bench import PROMPT, VERIFIER, Bench

BAND = {
    "enabled": True, "minimum": 0.0, "maximum": 1.0, "k": 2, "tasks": 5, "temperature": 1.0, "max_tokens": 8,
    "batch_size": 8, "seed": 1,
}  # fmt: skip


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    return Bench(tmp_path_factory.mktemp("bench"))


def run(bench, name, band):
    write_jsonl(bench.folder / "tasks.jsonl", bench.tasks)
    output, shop = bench.folder / f"{name}.jsonl", bench.folder / "shop"
    words = [
        "--model", bench.model / "model.json", "--tasks", bench.folder / "tasks.jsonl", "--databases",
        shop / "main.sql", "--notes", shop / "notes.md", "--prompt", json.dumps(PROMPT), "--band", json.dumps(band),
        "--verifier", json.dumps(VERIFIER), "--work", bench.folder / "work", "--output", output,
        "--timing", bench.folder / "timing.json",
    ]  # fmt: skip
    return run_script(main, make_arguments(), list(map(str, words))), output


def test_the_asked_for_number_of_tasks_is_sampled_and_judged(bench):
    code, output = run(bench, "band", BAND)
    assert code == 0
    band = read_jsonl(output, BandTask)
    assert len(band) == 5
    assert all(one.k == 2 and one.kept for one in band)
    assert run(bench, "again", BAND)[1].read_bytes() == output.read_bytes()
    assert json.loads((bench.folder / "timing.json").read_text())["samples"] == 10


def test_a_policy_that_solves_nothing_gets_a_message_with_the_distribution(bench, capsys):
    code, output = run(bench, "empty", {**BAND, "minimum": 0.1})
    assert code == 2
    assert "0/2: 5 tasks" in capsys.readouterr().err
    assert not output.exists()


def test_a_band_that_is_off_keeps_all_tasks_without_sampling(bench):
    code, output = run(bench, "off", {**BAND, "enabled": False})
    assert code == 0
    assert [one.task_id for one in read_jsonl(output, BandTask)] == [task.id for task in bench.tasks]
    assert json.loads((bench.folder / "timing.json").read_text())["samples"] == 0
