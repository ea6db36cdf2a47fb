import pytest

from sqlrl.errors import UserError
from sqlrl.files import write_json
from sqlrl.report.costs import summarise

TIMING = {"seconds": 2.5, "tokens": 10, "samples": 4, "started": "2026-01-01", "host": "h", "machine": "m"}


def test_jobs_are_added_up_by_checkpoint_and_kind_of_step(tmp_path):
    names = ["r1/timings/rollouts-shop-holdout-1", "base/timings/rollouts-shop-holdout-1"]
    names += ["base/timings/rollouts-shop-holdout-2", "r1/timings/train", "a/timings/train"]
    paths = [tmp_path / f"{name}.json" for name in names]
    for path in paths:
        write_json(path, TIMING)
    found = summarise(paths, ["r1", "a"])
    rollouts = {
        "checkpoint": "base",
        "step": "rollouts",
        "jobs": 2,
        "seconds": 5.0,
        "tokens": 20,
        "samples": 8,
        "prompt_tokens": 0,
        "gpu_hours": 0.0,
        "money": None,
    }
    assert found["steps"][0] == rollouts
    order = [(one["checkpoint"], one["step"]) for one in found["steps"]]
    assert order == [("base", "rollouts"), ("r1", "train"), ("r1", "rollouts"), ("a", "train")]
    assert found["total"] == {**rollouts_of(5), "seconds": 12.5}
    assert found["machines"] == ["m"]
    assert "h" not in found["machines"]


def rollouts_of(jobs: int) -> dict:
    return {
        "jobs": jobs,
        "tokens": 10 * jobs,
        "samples": 4 * jobs,
        "prompt_tokens": 0,
        "gpu_hours": 0.0,
        "money": None,
    }


def test_seeds_of_an_arm_are_added_up_under_one_name(tmp_path):
    paths = [tmp_path / f"{name}/timings/train.json" for name in ("sft", "band-1", "band-2")]
    for path in paths:
        write_json(path, TIMING)
    groups = {"band-1": "band, 2 seeds", "band-2": "band, 2 seeds"}
    found = summarise(paths, ["sft", "band-1", "band-2"], groups=groups)["steps"]
    assert [(one["checkpoint"], one["jobs"]) for one in found] == [("sft", 1), ("band, 2 seeds", 2)]


def test_money_is_the_sum_of_what_is_known(tmp_path):
    costs = {"rollouts-1": 0.25, "rollouts-2": 0.5, "scores-1": None}
    for name, money in costs.items():
        write_json(tmp_path / f"base/timings/{name}.json", {**TIMING, "prompt_tokens": 7, "money": money})
    found = summarise([tmp_path / f"base/timings/{name}.json" for name in costs], [])
    assert [(one["step"], one["money"]) for one in found["steps"]] == [("rollouts", 0.75), ("scores", None)]
    assert (found["total"]["money"], found["total"]["prompt_tokens"]) == (0.75, 21)


def test_a_file_that_is_no_timing_is_named(tmp_path):
    write_json(tmp_path / "base/timings/train.json", {"seconds": 1})
    with pytest.raises(UserError, match=r"train.json: Timing needs"):
        summarise([tmp_path / "base/timings/train.json"], [])


def test_gpu_hours_are_counted_and_cost_what_the_settings_say(tmp_path):
    write_json(tmp_path / "r1/timings/train.json", {**TIMING, "seconds": 1800.0, "gpus": 2})
    write_json(tmp_path / "r1/timings/scores-1.json", {**TIMING, "seconds": 1800.0})
    paths = sorted(tmp_path.glob("r1/timings/*.json"))
    assert summarise(paths, ["r1"])["total"]["money"] is None
    found = summarise(paths, ["r1"], gpu_hour_price=3.0)
    assert [(one["step"], one["gpu_hours"], one["money"]) for one in found["steps"]] == [
        ("train", 1.0, 3.0),
        ("scores", 0.0, None),
    ]
    assert (found["total"]["gpu_hours"], found["total"]["money"]) == (1.0, 3.0)
