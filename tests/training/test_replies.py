import json

import pytest

from scripts.arguments import run_script
from scripts.collect_replies import main as collect
from scripts.collect_replies import make_arguments as collect_arguments
from scripts.train_sft import main as train
from scripts.train_sft import make_arguments as train_arguments
from sqlrl.errors import UserError
from sqlrl.records import read_jsonl, write_jsonl
from sqlrl.sampling.sampler import Reply
from sqlrl.training.lessons import lessons_from_references, lessons_from_replies
from sqlrl.training.log import TrainingStep
from sqlrl.training.replies import CollectionSettings, VerifiedReply, choose_tasks, keep_verified
from sqlrl.verifier.reward import Outcome, Verdict
from tests.training_bench import PROMPT, SFT, VERIFIER, make_task

TASKS = [make_task(number) for number in range(6)]
COLLECTION = {
    "k": 2, "temperature": 1.0, "max_tokens": 8, "tasks": 3, "per_task": 2, "batch_size": 8, "seed": 1,
}  # fmt: skip
SETTINGS = CollectionSettings(**COLLECTION)


def reply(task, sample, reason="stop"):
    return Reply(task.id, sample, f"reply {sample}", (5, sample), (0.0, 0.0), reason, 9, 2)


def verdict(sql, main="match", twin="match"):
    return Verdict(sql, {"main": Outcome(main, main), "twin-1": Outcome(twin, twin)}, 1.0)


def test_only_what_is_right_on_every_twin_and_ended_by_itself_is_kept():
    replies = [reply(TASKS[0], 0), reply(TASKS[0], 1), reply(TASKS[1], 0, "length"), reply(TASKS[1], 1)]
    verdicts = [verdict("a", twin="wrong"), verdict("b"), verdict("c"), verdict("d", main="wrong")]
    assert keep_verified(replies, verdicts, SETTINGS) == [VerifiedReply(TASKS[0].id, 1, "reply 1", (5, 1))]


def test_of_a_task_each_query_is_kept_once_and_not_more_than_asked_for():
    replies = [reply(TASKS[0], sample) for sample in range(4)]
    verdicts = [verdict("SELECT 1"), verdict("SELECT  1\n"), verdict("SELECT 2"), verdict("SELECT 3")]
    assert [one.sample for one in keep_verified(replies, verdicts, SETTINGS)] == [0, 2]


def test_nothing_right_says_what_to_change():
    with pytest.raises(UserError, match=r"none of 1 replies to 1 training tasks is right.*replies.k"):
        keep_verified([reply(TASKS[0], 0)], [verdict("a", main="wrong")], SETTINGS)


def test_which_tasks_are_sampled_does_not_depend_on_the_other_tasks():
    chosen = choose_tasks(TASKS, SETTINGS)
    assert len(chosen) == 3
    assert choose_tasks(TASKS[::-1], SETTINGS) == chosen


def test_a_lesson_is_the_reference_or_the_policys_own_tokens(bench):
    [ideal] = lessons_from_references(TASKS[:1])
    [own] = lessons_from_replies(TASKS, [VerifiedReply(TASKS[0].id, 3, "x", (7, 8, 9))])
    assert own.exchange(bench.prompts).reply == (7, 8, 9)
    assert own.exchange(bench.prompts).prompt == ideal.exchange(bench.prompts).prompt
    assert ideal.exchange(bench.prompts).reply[-1] == bench.prompts.tokenizer.eos_token_id
    with pytest.raises(UserError, match="not among the training tasks"):
        lessons_from_replies(TASKS[1:], [VerifiedReply(TASKS[0].id, 3, "x", (7,))])


def test_a_stage_learns_its_own_replies(bench, tmp_path):
    given = {**SFT, "learn_from": "replies", "batch_size": 2, "checkpoints": []}
    replies = [VerifiedReply(task.id, 0, "x", (20 + n, 30 + n, 2)) for n, task in enumerate(bench.tasks[:4])]
    write_jsonl(tmp_path / "replies.jsonl", replies)
    words = [*bench.words("distilled", given), "--replies", str(tmp_path / "replies.jsonl")]
    assert run_script(train, train_arguments(), words) == 0
    steps = read_jsonl(bench.products("distilled").training_log, TrainingStep)
    assert [step.tokens for step in steps] == [6] * 6
    assert steps[-1].loss < steps[0].loss


def test_a_policy_that_solves_nothing_ends_with_one_message(bench, tmp_path, capsys):
    write_jsonl(bench.folder / "tasks.jsonl", bench.tasks)
    shop = bench.folder / "shop"
    words = [
        "--model", bench.model / "model.json", "--tasks", bench.folder / "tasks.jsonl", "--databases",
        shop / "main.sql", "--notes", shop / "notes.md", "--prompt", json.dumps(PROMPT), "--collection",
        json.dumps(COLLECTION), "--verifier", json.dumps(VERIFIER), "--work", tmp_path / "work", "--output",
        tmp_path / "replies.jsonl", "--timing", tmp_path / "timing.json",
    ]  # fmt: skip
    assert run_script(collect, collect_arguments(), list(map(str, words))) == 2
    assert "none of 6 replies to 3 training tasks is right" in capsys.readouterr().err
    assert not (tmp_path / "replies.jsonl").exists()
