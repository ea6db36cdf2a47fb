import json

import pytest
import torch
from peft import PeftModel
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM

from sqlrl.errors import UserError
from sqlrl.records import read_jsonl
from sqlrl.training.checkpoints import extract_step
from sqlrl.training.log import TrainingStep
from sqlrl.training.manifest import read_manifest
from sqlrl.training.policy import adapter_tensors
from sqlrl.training.reporting import open_reporting
from sqlrl.verifier.reward import Outcome, Verdict
from tests.training_bench import GRPO, LORA, SFT, judge_by_length, product_bytes


class Killed(BaseException):
    """Ends training like a kill: nothing of the program's own runs after it."""


def interrupt(bench, given, name, after, parent=None):
    """Train a stage until ``after`` optimizer steps are done and the next one is under way."""
    stage = bench.stage(given, parent, work=f"work-{name}")
    trainer = bench.trainer(stage)
    real = trainer.training_step

    def step(*arguments, **named):
        if trainer.state.global_step == after:
            raise Killed
        return real(*arguments, **named)

    trainer.training_step = step
    with pytest.raises(Killed):
        stage.train(trainer)
    return stage


@pytest.mark.parametrize("given", [SFT, GRPO, {**GRPO, "feed": "adaptive"}], ids=["sft", "grpo", "adaptive"])
def test_a_killed_stage_goes_on_from_its_last_save_and_ends_in_the_same_bytes(bench, given):
    kind, feed = given["kind"], given.get("feed")
    whole = bench.run(f"{kind}-{feed}-whole", given)
    stage = interrupt(bench, given, f"{kind}-{feed}-killed", after=5 if kind == "sft" else 3)
    assert stage.work.last_save()[1].step == (4 if kind == "sft" else 2)
    (stage.work.saves / "checkpoint-5").mkdir(exist_ok=True)  # a save that the kill cut off
    resumed = bench.run(f"{kind}-{feed}-killed", given)
    assert len(resumed.step_times.read_text().splitlines()) == given["steps"]
    assert product_bytes(resumed) == product_bytes(whole)
    assert not stage.work.folder.exists()


def test_a_stage_killed_before_its_first_save_starts_anew(bench):
    given = {**GRPO, "save_steps": 5}
    whole = bench.run("early-whole", given)
    stage = interrupt(bench, given, "early", after=4)
    assert stage.work.last_save() is None
    assert product_bytes(bench.run("early", given)) == product_bytes(whole)


def test_a_stage_killed_after_its_last_step_only_writes_its_products(bench):
    whole = bench.run("late-whole", SFT)
    stage = bench.stage(SFT, work="work-late")
    stage.train(bench.trainer(stage))
    again = bench.run("late", SFT)
    assert product_bytes(again) == product_bytes(whole)


def nothing_varies(submissions):
    outcome = Outcome("wrong", "rows_differ")
    return [Verdict(None, {"main": outcome}, 0.1) for _ in submissions]


def test_a_stage_whose_groups_teach_nothing_ends_by_its_own_rule_and_is_complete(bench, tmp_path, caplog):
    given = {**GRPO, "stop_without_variance": 3, "checkpoints": [2, 4], "save_steps": 5}
    products = bench.run("stopped", given, judge=nothing_varies)
    manifest = read_manifest(products.adapter)
    assert (manifest.step, manifest.stopped_at) == (3, 3)
    assert "measure the band again" in manifest.stop_reason
    assert "the stage ends at step 3" in caplog.text
    assert len(read_jsonl(products.training_log, TrainingStep)) == 3
    for step, stopped in ((2, None), (4, 3)):
        extract_step(products.checkpoints, products.adapter, step, tmp_path / str(step))
        assert read_manifest(tmp_path / str(step)).stopped_at == stopped
    assert read_manifest(tmp_path / "4").weights == manifest.weights
    assert read_manifest(tmp_path / "4").step == 3


def test_a_stage_that_ended_by_its_own_rule_and_was_killed_then_is_not_trained_on(bench):
    given = {**GRPO, "stop_without_variance": 3, "checkpoints": []}
    whole = bench.run("ended-whole", given, judge=nothing_varies)
    stage = bench.stage(given, work="work-ended")
    stage.train(bench.trainer(stage, nothing_varies))
    assert product_bytes(bench.run("ended", given, judge=nothing_varies)) == product_bytes(whole)


def test_steps_without_variance_count_over_a_kill(bench):
    given = {**GRPO, "stop_without_variance": 4, "save_steps": 2, "checkpoints": []}
    stage = bench.stage(given, work="work-counted")
    trainer = bench.trainer(stage, nothing_varies)
    real = trainer.training_step

    def step(*arguments, **named):
        if trainer.state.global_step == 3:
            raise Killed
        return real(*arguments, **named)

    trainer.training_step = step
    with pytest.raises(Killed):
        stage.train(trainer)
    manifest = read_manifest(bench.run("counted", given, judge=nothing_varies).adapter)
    assert manifest.stopped_at == 4


def test_the_rule_ends_no_stage_that_learns(bench):
    assert read_manifest(bench.run("learns", {**GRPO, "stop_without_variance": 3}).adapter).stopped_at is None


def test_a_job_that_runs_out_of_time_saves_and_the_next_ones_end_in_the_same_bytes(bench):
    whole = bench.run("timed-whole", SFT)
    said, products = [], bench.products("timed")
    while not products.adapter.exists():
        stage = bench.stage(SFT, work="work-timed", wall_minutes=1)
        stage.keeper._end = 0.0  # the minute is over with the first step
        try:
            stage.train(bench.trainer(stage))
        except UserError as error:
            said.append(str(error))
        else:
            stage.finish(products)
    assert [message.split(".")[0] for message in said] == [
        f"wall_minutes of 1 are over at step {step} of 6" for step in range(1, 6)
    ]
    assert product_bytes(products) == product_bytes(whole)


def test_figures_go_to_the_tracker_that_is_asked_for(bench, tmp_path):
    reporting = open_reporting(["tensorboard"], tmp_path / "run" / "sft" / "adapter")
    assert reporting.name == "run/sft"
    bench.run("tracked", SFT, reporting=reporting)
    assert list((tmp_path / "run" / "sft" / "logs" / "tensorboard").rglob("events.out.tfevents*"))


@pytest.mark.parametrize(
    ("tracker", "message"), [("tensorbord", "is no tracker"), ("trackio", "pip install trackio")]
)
def test_a_tracker_that_is_not_there_says_how_to_get_it(tracker, message, tmp_path, monkeypatch):
    monkeypatch.setattr("sqlrl.training.reporting.find_spec", lambda _: None)
    with pytest.raises(UserError, match=message):
        open_reporting([tracker], tmp_path / "run" / "sft" / "adapter")


def test_training_moves_the_adapter_and_the_loss_falls(bench):
    steps = read_jsonl(bench.run("moves", {**SFT, "steps": 12}).training_log, TrainingStep)
    assert [step.step for step in steps] == list(range(1, 13))
    assert steps[-1].loss < 0.8 * steps[0].loss
    assert all(step.gradient_norm > 0 and step.tokens > 0 for step in steps)


def test_the_adapter_loads_with_peft_and_gives_what_was_trained(bench):
    stage = bench.stage(SFT, work="work-peft")
    trainer = bench.trainer(stage)
    stage.train(trainer)
    ids = torch.tensor([[5, 6, 7, 8]])
    dtype = stage.policy.get_base_model().dtype
    with torch.no_grad():
        trained = stage.policy.eval()(input_ids=ids).logits
    products = bench.products("peft")
    stage.finish(products)
    base = AutoModelForCausalLM.from_pretrained(bench.model, dtype=dtype)
    with torch.no_grad():
        untrained = base.eval()(input_ids=ids).logits.float()
        loaded = PeftModel.from_pretrained(base, products.adapter).eval()(input_ids=ids).logits.float()
    assert (loaded - trained).abs().mean() < 0.1 * (untrained - trained).abs().mean()


def test_no_path_and_no_time_stands_in_the_products(bench):
    products = bench.run("paths", SFT)
    for name in ("adapter.json", "adapter_config.json"):
        text = (products.adapter / name).read_text()
        assert str(bench.folder) not in text
        assert "seconds" not in text
    assert (
        json.loads((products.adapter / "adapter_config.json").read_text())["base_model_name_or_path"]
        == "tiny"
    )
    assert "seconds" not in products.training_log.read_text()
    assert json.loads(products.timing.read_text())["samples"] == 24


def test_another_parent_task_set_setting_or_code_never_resumes_the_old_work(bench):
    parent = bench.run("key-parent", SFT).adapter
    other = bench.run("key-other", {**SFT, "seed": 2}).adapter
    notes = bench.folder / "more.md"
    notes.write_text("- x\n")
    stages = [
        bench.stage(GRPO, parent),
        bench.stage(GRPO, other),
        bench.stage(GRPO),
        bench.stage(GRPO, parent, inputs=[notes]),
        bench.stage({**GRPO, "temperature": 0.9}, parent),
        bench.stage(GRPO, parent, code="d"),
        bench.stage(GRPO, parent, sections={"verifier": {"match_reward": 2.0}}),
    ]
    assert len({stage.work.folder for stage in stages}) == len(stages)
    assert bench.stage(GRPO, parent).work.folder == stages[0].work.folder


def test_a_stage_goes_on_from_its_parents_weights(bench):
    parent = bench.run("goes-parent", SFT).adapter
    stage = bench.stage(GRPO, parent)
    tensors = load_file(parent / "adapter_model.safetensors")
    found = adapter_tensors(stage.policy)
    assert found.keys() == tensors.keys()
    assert all(torch.equal(found[name], tensors[name]) for name in tensors)
    child = bench.run("goes-child", GRPO, parent)
    manifest = read_manifest(child.adapter)
    assert manifest.parent.name == "goes-parent"
    assert manifest.parent.digest == read_manifest(parent).weights


@pytest.mark.parametrize(
    ("change", "word"),
    [({"rank": 8}, "lora.rank"), ({"alpha": 4}, "lora.alpha"), ({"targets": ["q_proj"]}, "lora.targets")],
)
def test_a_parent_with_another_adapter_shape_is_refused(bench, change, word):
    parent = bench.run(f"shape-{word}", SFT).adapter
    with pytest.raises(UserError, match=word):
        bench.stage({**GRPO, "lora": {**LORA, **change}}, parent)


def test_a_parent_of_another_base_model_is_refused(bench, tmp_path):
    parent = bench.run("foreign", SFT).adapter
    manifest = json.loads((parent / "adapter.json").read_text())
    manifest["model"]["digest"] = "f" * 64
    (parent / "adapter.json").write_text(json.dumps(manifest))
    with pytest.raises(UserError, match="adapts the model"):
        bench.stage(GRPO, parent)


def test_a_parent_whose_weights_are_not_those_of_its_manifest_is_refused(bench):
    parent = bench.run("damaged", SFT).adapter
    with (parent / "adapter_model.safetensors").open("ab") as stream:
        stream.write(b"x")
    with pytest.raises(UserError, match="is not the file"):
        bench.stage(GRPO, parent)


def test_a_kept_step_becomes_an_adapter_folder_of_its_own(bench, tmp_path):
    products = bench.run("extract", SFT)
    short = bench.run("extract-short", SFT)  # the same; its step 3 must be what three steps gave
    extract_step(products.checkpoints, products.adapter, 3, tmp_path / "at3")
    manifest = read_manifest(tmp_path / "at3")
    assert manifest.step == 3
    assert manifest.settings == read_manifest(products.adapter).settings
    final = load_file(products.adapter / "adapter_model.safetensors")
    kept = load_file(tmp_path / "at3" / "adapter_model.safetensors")
    assert kept.keys() == final.keys()
    assert any(not torch.equal(kept[name], final[name]) for name in final)
    assert short.checkpoints.read_bytes() == products.checkpoints.read_bytes()
    with pytest.raises(UserError, match="no step 4; it has: 3"):
        extract_step(products.checkpoints, products.adapter, 4, tmp_path / "at4")


def test_a_loss_that_is_no_number_ends_the_stage_with_a_message(bench):
    stage = bench.stage({**SFT, "learning_rate": 1e30, "max_grad_norm": 1e30}, work="work-nan")
    trainer = bench.trainer(stage)
    with pytest.raises(UserError, match="lower learning_rate"):
        stage.train(trainer)


def test_samples_and_adapter_of_a_stage_are_the_same_in_every_build(bench):
    seen = []

    def judge(submissions):
        seen.append([one.reply for one in submissions])
        return judge_by_length(submissions)

    first = bench.run("build-1", GRPO, judge=judge)
    half = len(seen)
    second = bench.run("build-2", GRPO, judge=judge)
    assert seen[:half] == seen[half:]
    assert seen[0] != seen[1]
    assert product_bytes(first) == product_bytes(second)
