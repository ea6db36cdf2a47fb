"""What a run is doing now, from the files that its jobs are writing."""

import shutil

import pytest

from sqlrl.training.log import StepTime, TrainingStep
from sqlrl.watch.partial import Progress, count_replies, last_said, read_partial
from sqlrl.watch.record import SILENCE, read_run, stages
from tests.watch.made import NOW, QUESTION, MadeRun


def test_a_stage_that_trains_is_found_with_its_steps_and_replies(run):
    run.train(7)
    record = read_run(run.folder, None, NOW + 3)
    assert record.run == "made"
    training = record.training
    assert (training.stage, training.total, len(training.steps), training.complete) == ("grpo", 20, 7, False)
    assert [step.reward for step in training.steps][-1] == 0.7
    assert [reply.verdict for reply in training.replies] == ["match", "error"]
    assert record.questions == {"a": QUESTION}
    assert training.news == NOW


def test_time_left_is_that_of_the_recent_steps_less_what_this_one_took_so_far(run):
    run.train(7)
    training = read_run(run.folder, None, NOW).training
    assert training.seconds_left(NOW) == 13 * 8.0
    assert training.seconds_left(NOW + 3) == 13 * 8.0 - 3
    assert training.seconds_left(NOW + 500) == 12 * 8.0


def test_no_time_is_foretold_before_the_first_step(run):
    run.train(0)
    assert read_run(run.folder, None, NOW).training.seconds_left(NOW) is None


@pytest.mark.parametrize("cut", [1, 20, 100])
def test_a_line_that_is_still_being_written_waits_for_its_end(run, cut):
    log = run.train(5) / "training_log.jsonl"
    log.write_bytes(log.read_bytes()[:-cut])
    assert [step.step for step in read_partial(log, TrainingStep)] == [1, 2, 3, 4]


def test_lines_of_another_version_are_read_as_far_as_they_go(tmp_path):
    (tmp_path / "times.jsonl").write_text(
        '{"step": 1, "seconds": 2.0, "samples_per_second": 3.0, "joules": 4}\n{"step": 2}\n[]\nnot json\n'
    )
    assert read_partial(tmp_path / "times.jsonl", StepTime) == [StepTime(1, 2.0, 3.0)]


def test_the_newest_work_of_a_stage_counts(run):
    old = run.train(9, key="aaaa")
    run.touch(old, age=5000)
    run.train(2, key="cccc")
    assert len(read_run(run.folder, None, NOW).training.steps) == 2


def test_work_that_a_kill_left_long_ago_trains_no_more(run):
    run.touch(run.train(9), age=SILENCE + 1)
    assert read_run(run.folder, None, NOW).training is None
    assert len(read_run(run.folder, "grpo", NOW).training.steps) == 9


def test_a_complete_stage_is_shown_only_when_it_is_asked_for(run):
    run.train(19)
    run.complete(20)
    assert read_run(run.folder, None, NOW).training is None
    training = read_run(run.folder, "grpo", NOW).training
    assert (training.complete, training.total, len(training.times)) == (True, 20, 20)


def test_work_that_goes_while_it_is_read_is_no_fault(run, monkeypatch):
    shutil.rmtree(run.train(3))
    training = read_run(run.folder, "grpo", NOW).training
    assert (training.steps, training.replies, training.total) == ((), (), None)


def test_the_number_of_steps_stands_in_the_log_of_a_job_that_wrote_no_plan(run):
    (run.train(3) / "plan.json").unlink()
    run.log("grpo", "train", "16:44:19 grpo steps: 0 of 30, 28 s so far, about 843 s left\n")
    assert read_run(run.folder, None, NOW).training.total == 30


def jobs_of(run: MadeRun) -> list[tuple]:
    return [(job.checkpoint, job.what, job.progress) for job in read_run(run.folder, None, NOW).jobs]


def test_rollouts_that_land_are_counted_against_all_that_will(run):
    run.log("base", "rollouts-shop-holdout-1")
    assert jobs_of(run) == [("base", "sampling shop-holdout-1", None)]
    run.replies("base", 8, k=4)
    assert jobs_of(run) == [("base", "sampling shop-holdout-1", Progress(8, 12))]


def test_a_job_is_over_when_its_product_is_there(run):
    run.log("base", "rollouts-shop-holdout-1")
    run.log("base", "scores-shop-holdout-1")
    run.log("grpo", "band", "16:40:00 replies: 128 of 384, 60 s so far, about 120 s left\n")
    (run.folder / "base" / "rollouts").mkdir()
    (run.folder / "base" / "rollouts" / "shop-holdout-1.jsonl").write_text("")
    assert jobs_of(run) == [
        ("base", "judging shop-holdout-1", None),
        ("grpo", "measuring the band", Progress(128, 384)),
    ]


def test_two_jobs_of_a_checkpoint_that_sample_are_told_by_their_logs(run):
    """Which partial file is whose nothing says."""
    run.replies("base", 8, k=4)
    run.log("base", "rollouts-shop-holdout-1", "16:40:00 replies: 4 of 12, 60 s so far\n")
    run.log("base", "rollouts-shop-holdout-2")
    assert [progress for _, _, progress in jobs_of(run)] == [Progress(4, 12), None]


def test_a_log_without_news_for_long_is_of_no_job(run):
    run.log("base", "rollouts-shop-holdout-1", age=SILENCE + 1)
    assert jobs_of(run) == []


def test_a_stage_that_loads_its_model_is_a_job(run):
    run.log("sft", "train")
    assert jobs_of(run) == [("sft", "starting to train", None)]
    assert stages(run.folder) == []


def test_kept_steps_are_no_stages(run):
    run.complete(20)
    run.log("grpo@10", "extract")
    (run.folder / "grpo@10" / "training_log.jsonl").write_text("")
    assert stages(run.folder) == ["grpo"]


def test_the_last_progress_of_a_log_counts(tmp_path):
    log = tmp_path / "a.log"
    log.write_text(
        "x" * 5000 + "\n16:00:00 replies: 1 of 9, 3 s so far\n16:00:20 replies: 5 of 9, 20 s so far\n"
    )
    assert last_said(log) == Progress(5, 9)
    log.write_text("16:00:00 25 of 96 tasks are in the band; 0/4: 70 tasks\n")
    assert last_said(log) is None
    assert last_said(tmp_path / "none.log") is None


def test_replies_are_counted_in_a_file_of_any_size(tmp_path):
    path = tmp_path / "replies.jsonl"
    path.write_text(
        '{"task_id": "a", "sample": 3, "text": "' + "x" * 300 + '"}\n' + "y" * 3_000_000 + "\n" + "cut"
    )
    assert count_replies(path, 10) == Progress(2, 40)
    assert count_replies(tmp_path / "none.jsonl", 10) is None
