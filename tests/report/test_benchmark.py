"""The forecast from the base alone."""

from itertools import combinations

import numpy as np
import pytest

from sqlrl.records import from_dict
from sqlrl.report.benchmark import build_benchmark
from sqlrl.report.forecast import mixed_groups, provable_range
from sqlrl.report.settings import ReportSettings
from sqlrl.statistics.bootstrap import BootstrapSettings
from tests.report.small import make_evidence, make_pass, make_tasks

SETTINGS = from_dict(
    ReportSettings,
    {
        "run": "r",
        "headline_databases": "main",
        "resamples": 200,
        "confidence": 0.95,
        "seed": 1,
        "equivalence_margin": 0.05,
        "failures": 0,
        "gpu_hour_price": None,
    },
    "settings",
)


def test_mixed_groups_are_counted_over_the_samples_of_all_passes():
    passes = {1: make_pass({"a": "RWWW", "b": "RRRR"}), 2: make_pass({"a": "WWXW", "b": "RRRR"})}
    groups = list(combinations([True] + [False] * 7, 4))
    expected = np.mean([any(one) and not all(one) for one in groups]) / 2
    assert mixed_groups(passes) == pytest.approx({"4": expected, "8": 0.5})


def test_the_provable_gain_lies_between_noise_alone_and_all_or_nothing():
    names = [f"t{number}" for number in range(60)]
    rng = np.random.default_rng(2)
    draws = [{name: "".join(rng.choice(list("RW"), 4)) for name in names} for _ in range(3)]
    evidence = make_evidence(make_tasks(*names), {"base": draws})
    found = provable_range(evidence, BootstrapSettings(200, 0.95, 1))
    assert found["lowest"]["sd"] == pytest.approx(np.sqrt(2) * 0.25, abs=0.05)
    assert 0.1 < found["lowest"]["gain"] < found["highest"]["gain"] < 0.25


def test_one_pass_shows_no_noise():
    evidence = make_evidence(make_tasks("a", "b"), {"base": [{"a": "RWWW", "b": "WWWW"}]})
    assert provable_range(evidence, BootstrapSettings(200, 0.95, 1))["lowest"] is None


@pytest.mark.parametrize(("samples", "little"), [("WWWW", True), ("RRRR", True), ("RWWW", False)])
def test_little_headroom_is_said_to_leave_little_to_amplify(samples, little):
    names = [f"t{number}" for number in range(10)]
    evidence = make_evidence(make_tasks(*names), {"base": [dict.fromkeys(names, samples)] * 2})
    found = build_benchmark(evidence, SETTINGS)
    assert found["forecast"]["little_to_amplify"] is little
    assert found["statistics"]["headline_databases"] == "main"
    assert ("little for reinforcement" in found["headline"]) is little
