"""What a stage shows to whoever watches it train."""

from sqlrl.records import read_json, read_jsonl
from sqlrl.sampling.sampler import Reply
from sqlrl.training.live import CHARACTERS, LATEST, PLAN, SHOWN, Plan, ShownReply, show_replies
from sqlrl.verifier.reward import Outcome, Verdict
from tests.training_bench import GRPO, SFT


def judged(count, text="SELECT 1"):
    replies = [Reply(f"t{n}", 0, text, (1,), (-0.1,), "stop", 3, 1) for n in range(count)]
    outcome = Outcome("wrong", "rows_differ")
    return replies, [Verdict(text, {"main": outcome}, 0.1) for _ in replies]


def test_a_few_replies_are_shown_from_all_over_the_step(tmp_path):
    show_replies(tmp_path, 3, *judged(64))
    shown = read_jsonl(tmp_path / LATEST, ShownReply)
    assert [one.task_id for one in shown] == ["t0", "t11", "t22", "t33", "t44", "t55"]
    assert shown[0] == ShownReply(3, "t0", "SELECT 1", "wrong", "rows_differ", 0.1)


def test_what_is_shown_stays_small(tmp_path):
    for step in (1, 2):
        show_replies(tmp_path, step, *judged(500, "long " * 4000))
    shown = read_jsonl(tmp_path / LATEST, ShownReply)
    assert {one.step for one in shown} == {2}
    assert len(shown) <= SHOWN
    assert max(len(one.text) for one in shown) == CHARACTERS


def test_few_replies_are_all_shown(tmp_path):
    show_replies(tmp_path, 1, *judged(2))
    assert len(read_jsonl(tmp_path / LATEST, ShownReply)) == 2


def test_a_stage_shows_its_plan_and_its_newest_replies_until_it_is_complete(bench):
    stage = bench.stage(GRPO, work="work-live")
    stage.train(bench.trainer(stage))
    folder = stage.work.folder
    assert read_json(folder / PLAN, Plan) == Plan("grpo", GRPO["steps"])
    shown = read_jsonl(folder / LATEST, ShownReply)
    assert {one.step for one in shown} == {GRPO["steps"]}
    assert {one.task_id for one in shown} <= {task.id for task in bench.tasks}
    stage.finish(bench.products("live"))
    assert not folder.exists()


def test_a_stage_that_imitates_shows_its_plan(bench):
    assert read_json(bench.stage(SFT, work="work-plan").work.folder / PLAN, Plan) == Plan("sft", SFT["steps"])
