"""scores.jsonl from rollouts, by the command."""

import json
from pathlib import Path

import pytest

from scripts.arguments import run_script
from scripts.score import main, make_arguments
from sqlrl.authoring.task import Task
from sqlrl.files import digest_file, write_json
from sqlrl.records import read_json, read_jsonl, to_dict, write_jsonl
from sqlrl.sampling.origin import RolloutsOrigin, ScoresOrigin
from sqlrl.sampling.sampler import Reply
from sqlrl.timing import Timing
from sqlrl.verifier.reward import Score

SETTINGS = {
    "match_reward": 1.0,
    "wrong_reward": 0.1,
    "error_reward": 0.0,
    "reward_databases": "main",
    "statement_timeout_seconds": 2.0,
    "workers": 1,
}


def task(identity: str, sql: str) -> Task:
    return Task(
        id=identity, database="shop", question="How many?", reference_sql=sql, archetype="aggregation",
        difficulty="easy", style="terse", template="0" * 16, features=(), tables=("t",), rows=1, columns=1,
        database_digest="0" * 64,
    )  # fmt: skip


def reply(identity: str, sample: int, text: str) -> Reply:
    return Reply(identity, sample, text, (1, 2), (-0.1, -0.2), "stop", 10, 2)


def write_origin(folder: Path) -> None:
    digests = (digest_file(folder / name) for name in ("rollouts.jsonl", "tasks.jsonl"))
    origin = RolloutsOrigin(*digests, "the model", "the weights", "transformers", {"k": 2}, {}, "sampled by")
    write_json(folder / "rollouts.origin.json", to_dict(origin))


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    shop = tmp_path / "shop"
    shop.mkdir()
    (shop / "main.sql").write_text("CREATE TABLE t (a int);\nCOPY t (a) FROM stdin;\n1\n2\n\\.\n")
    (shop / "twin-1.sql").write_text("CREATE TABLE t (a int);\nCOPY t (a) FROM stdin;\n1\n\\.\n")
    write_jsonl(
        tmp_path / "tasks.jsonl", [task("aa", "SELECT count(*) FROM t"), task("bb", "SELECT max(a) FROM t")]
    )
    replies = [
        reply("aa", 0, "```sql\nSELECT count(*) FROM t\n```"),
        reply("aa", 1, "```sql\nSELECT 2\n```"),
        reply("bb", 0, "I don't know."),
        reply("bb", 1, "SELECT min(a) FROM t"),
    ]
    write_jsonl(tmp_path / "rollouts.jsonl", replies)
    write_origin(tmp_path)
    return [
        "--rollouts", str(tmp_path / "rollouts.jsonl"), "--tasks", str(tmp_path / "tasks.jsonl"),
        "--databases", str(shop / "twin-1.sql"), str(shop / "main.sql"), "--settings", json.dumps(SETTINGS),
        "--output", str(tmp_path / "scores.jsonl"), "--timing", str(tmp_path / "timing.json"),
    ]  # fmt: skip


def test_the_scores_say_what_they_were_made_from(words, tmp_path) -> None:
    assert run_script(main, make_arguments(), [*words, "--code", "judged by"]) == 0
    origin = read_json(tmp_path / "scores.origin.json", ScoresOrigin)
    assert origin.replies == read_json(tmp_path / "rollouts.origin.json", RolloutsOrigin)
    assert origin.scores == digest_file(tmp_path / "scores.jsonl")
    dumps = {f"shop/{name}.sql": digest_file(tmp_path / f"shop/{name}.sql") for name in ("main", "twin-1")}
    assert (origin.databases, origin.verifier, origin.code) == (dumps, SETTINGS, "judged by")


@pytest.mark.parametrize("file", ["rollouts.jsonl", "tasks.jsonl"])
def test_other_replies_or_tasks_than_were_sampled_are_refused(words, tmp_path, capsys, file) -> None:
    path = tmp_path / file
    path.write_text("".join(reversed(path.read_text().splitlines(keepends=True))))
    assert run_script(main, make_arguments(), words) == 2
    assert f"{file} is not the file that" in capsys.readouterr().err
    assert not (tmp_path / "scores.jsonl").exists()


def test_every_reply_gets_its_score_in_order_and_a_second_run_writes_the_same_bytes(words, tmp_path) -> None:
    assert run_script(main, make_arguments(), words) == 0
    scores = read_jsonl(tmp_path / "scores.jsonl", Score)
    assert [(score.task_id, score.sample, score.verdict.reward) for score in scores] == [
        ("aa", 0, 1.0), ("aa", 1, 1.0), ("bb", 0, 0.0), ("bb", 1, 0.1),
    ]  # fmt: skip
    assert scores[1].verdict.outcomes["twin-1"].verdict == "wrong"
    assert list(scores[0].verdict.outcomes) == ["main", "twin-1"]
    assert read_json(tmp_path / "timing.json", Timing).samples == 4
    first = (tmp_path / "scores.jsonl").read_bytes()
    assert run_script(main, make_arguments(), words) == 0
    assert (tmp_path / "scores.jsonl").read_bytes() == first


def test_a_reply_to_an_unknown_task_ends_with_a_message_and_leaves_nothing(words, tmp_path, capsys) -> None:
    write_jsonl(tmp_path / "rollouts.jsonl", [reply("cc", 0, "SELECT 1")])
    write_origin(tmp_path)
    assert run_script(main, make_arguments(), words) == 2
    assert "'cc'" in capsys.readouterr().err
    assert not (tmp_path / "scores.jsonl").exists()


@pytest.mark.parametrize("broken", ['{"match_reward": 1.0}', "nonsense"])
def test_broken_settings_end_with_a_message(words, capsys, broken) -> None:
    words[words.index("--settings") + 1] = broken
    assert run_script(main, make_arguments(), words) == 2
    assert "--settings" in capsys.readouterr().err


def test_rollouts_that_are_no_replies_name_their_line(words, tmp_path, capsys) -> None:
    (tmp_path / "rollouts.jsonl").write_text('{"task_id": "aa"}\n', encoding="utf-8")
    write_origin(tmp_path)
    assert run_script(main, make_arguments(), words) == 2
    assert "rollouts.jsonl:1" in capsys.readouterr().err
