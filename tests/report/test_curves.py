"""The warning: a reward that rises while dev does not."""

from dataclasses import replace
from pathlib import Path

import pytest

from sqlrl.errors import UserError
from sqlrl.report.curves import read_training_log, rises, stage_curve
from sqlrl.statistics.bootstrap import BootstrapSettings
from tests.report.small import make_evidence, make_pass, make_tasks

SETTINGS = BootstrapSettings(resamples=200, confidence=0.95, seed=1)
NAMES = [f"d{number}" for number in range(30)]
RISING = {
    "signal": "reward",
    "steps": list(range(1, 13)),
    "values": [0.3 + 0.03 * step for step in range(12)],
}
FLAT = {**RISING, "values": [0.3, 0.35] * 6}


def with_dev(last: dict[str, str]):
    tasks = make_tasks(*NAMES)
    evidence = make_evidence(make_tasks("a"), {"base": [{"a": "R"}], "r1": [{"a": "R"}]}, r1="base")
    start = dict.fromkeys(NAMES, "RWWW")
    dev = {"base": start, "r1@6": start, "r1": start | last, "other": start}
    return replace(
        evidence, dev_tasks=tasks, dev={name: {1: make_pass(samples)} for name, samples in dev.items()}
    )


def test_dev_scores_stand_at_the_start_the_kept_steps_and_the_end():
    found = stage_curve("r1", RISING, with_dev({}), SETTINGS)
    assert [(one["step"], one["checkpoint"], one["value"]) for one in found["dev"]] == [
        (0, "base", 0.25),
        (6, "r1@6", 0.25),
        (12, "r1", 0.25),
    ]


def test_where_the_holdout_proves_a_gain_a_flat_dev_is_called_too_small():
    for verdict, words in (("proven better", "too few questions"), ("undecided", "may have learned")):
        assert words in stage_curve("r1", RISING, with_dev({}), SETTINGS, verdict)["warning"]


def test_a_dev_that_fell_is_never_excused_by_the_holdout():
    fell = with_dev(dict.fromkeys(NAMES[:25], "WWWW"))
    assert "may have learned" in stage_curve("r1", RISING, fell, SETTINGS, "proven better")["warning"]


def test_a_reward_that_rises_alone_is_warned_of():
    better = dict.fromkeys(NAMES[:25], "RRRW")
    assert "did not" in stage_curve("r1", RISING, with_dev({}), SETTINGS)["warning"]
    assert "was not shown to" in stage_curve("r1", RISING, with_dev({"d1": "RRWW"}), SETTINGS)["warning"]
    assert stage_curve("r1", RISING, with_dev(better), SETTINGS)["warning"] is None
    flat = stage_curve("r1", RISING, with_dev({}), SETTINGS)["warning"]
    assert "did not rise (0.0 points, 0.0 to 0.0, on 30 questions): the policy may have learned" in flat
    assert stage_curve("r1", FLAT, with_dev({}), SETTINGS)["warning"] is None
    assert stage_curve("r1", {**RISING, "signal": "loss"}, with_dev({}), SETTINGS)["warning"] is None


def test_a_rise_is_more_than_its_noise():
    assert rises([0.1, 0.12, 0.11, 0.2, 0.3, 0.4, 0.5, 0.51, 0.52])
    assert not rises([0.1, 0.9, 0.2, 0.5, 0.5, 0.5, 0.3, 0.8, 0.4])
    assert not rises([0.5, 0.4, 0.3, 0.2, 0.1, 0.0])
    assert not rises([0.1, 0.9])


def log(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "run" / "r1" / "training_log.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return path


def test_a_log_is_read_by_its_reward_or_else_its_loss(tmp_path):
    lines = '{"step": 1, "loss": 2.0, "reward": null}\n\n{"step": 2, "loss": 1.5, "reward": null}\n'
    stage, curve = read_training_log(log(tmp_path, lines))
    assert (stage, curve) == ("r1", {"signal": "loss", "steps": [1, 2], "values": [2.0, 1.5]})


@pytest.mark.parametrize("line", ["{", "[1]", '{"step": 1}', '{"reward": 1}', '{"step": "x", "loss": 1}'])
def test_a_line_that_is_no_step_is_named(tmp_path, line):
    with pytest.raises(UserError, match=r"training_log.jsonl:2: expected an object"):
        read_training_log(log(tmp_path, '{"step": 1, "loss": 1}\n' + line + "\n"))


def test_a_loss_that_is_no_number_names_the_step(tmp_path):
    with pytest.raises(UserError, match=r"training_log.jsonl:2: the loss of step 2 is nan, no number"):
        read_training_log(log(tmp_path, '{"step": 1, "loss": 1}\n{"step": 2, "loss": NaN}\n'))
