"""A stage's probes say what its policy in memory said, and are the same after a kill."""

import shutil

import pytest

from sqlrl.training.checkpoints import extract_step
from sqlrl.training.exchange import Exchange
from sqlrl.training.likelihood import Likelihood
from sqlrl.training.policy import open_adapted
from sqlrl.training.probe import TASKS, Recent, Seen, measure, read_probes, see
from tests.training_bench import GRPO, SFT


def seen(task: str, token: int = 1) -> Seen:
    return see(task, [1, 2], 1, [token], [0.5])


def test_of_a_task_the_last_step_is_remembered_and_of_all_the_last_ones():
    recent = Recent()
    recent.hear(seen(f"{number:03}") for number in range(TASKS + 2))
    recent.hear([seen("005", 9)])
    tasks = recent.tasks()
    assert [one.task_id for one in tasks] == [f"{number:03}" for number in range(2, TASKS + 2)]
    assert tasks[3].reply_ids == (9,)


def test_what_is_remembered_survives_a_save(tmp_path):
    recent, again = Recent(), Recent()
    recent.hear(seen(name) for name in "cab")
    recent.save(tmp_path / "seen.jsonl")
    again.restore(tmp_path / "seen.jsonl")
    assert again.tasks() == recent.tasks()


@pytest.mark.parametrize("given", [SFT, GRPO], ids=["sft", "grpo"])
def test_each_checkpoint_is_probed_with_its_own_policy(bench, tmp_path, given):
    products = bench.run(f"probe-{given['kind']}", given)
    probes = read_probes(products.probes)
    assert sorted({one.step for one in probes}) == [*given["checkpoints"], given["steps"]]
    for step in {one.step for one in probes}:
        adapter = products.adapter
        if step != given["steps"]:
            adapter = tmp_path / str(step)
            extract_step(products.checkpoints, products.adapter, step, adapter)
        own = [one for one in probes if one.step == step]
        policy = open_adapted(bench.model, adapter)
        first = own[0].seen
        likelihood = Likelihood(policy, [Exchange(first.prompt_ids, first.reply_ids, first.prefix)])
        again = measure(step, [one.seen for one in own], likelihood, given["micro_batch_size"])
        for before, after in zip(own, again, strict=True):
            assert before.logprobs == pytest.approx(after.logprobs, abs=1e-4)
        assert all(bool(one.seen.rewards) == (given["kind"] == "grpo") for one in own)


def test_a_killed_stage_ends_in_the_same_probes(bench, monkeypatch):
    whole = bench.run("probe-whole", GRPO)
    stage = bench.stage(GRPO, work="work-probe-cut")
    trainer = bench.trainer(stage)
    monkeypatch.setattr(trainer, "roll_out", stop_at(trainer, trainer.roll_out, 3))
    with pytest.raises(KeyboardInterrupt):
        stage.train(trainer)
    again = bench.stage(GRPO, work="work-probe-cut")
    again.train(bench.trainer(again))
    products = bench.products("probe-cut")
    again.finish(products)
    assert products.probes.read_bytes() == whole.probes.read_bytes()
    shutil.rmtree(products.adapter)


def stop_at(trainer, roll_out, step):
    def rolled():
        if trainer.state.global_step == step:
            raise KeyboardInterrupt
        return roll_out()

    return rolled
