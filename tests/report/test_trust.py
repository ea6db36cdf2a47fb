"""What the report says of its own intervals."""

import numpy as np
import pytest

from sqlrl.report.trust import coverage_warnings, describe_coverage
from sqlrl.statistics.bootstrap import BootstrapSettings
from sqlrl.statistics.coverage import difference_coverage, mean_coverage
from tests.report.small import make_evidence, make_tasks

SETTINGS = BootstrapSettings(resamples=200, confidence=0.95, seed=1)


def drawn(rng, alpha: float, beta: float, tasks: int) -> list[dict[str, str]]:
    rates = rng.beta(alpha, beta, tasks)
    return [
        {
            f"t{number:03}": "".join(np.where(rng.random(4) < rate, "R", "W"))
            for number, rate in enumerate(rates)
        }
        for _ in range(2)
    ]


@pytest.fixture
def evidence():
    rng = np.random.default_rng(3)
    tasks = make_tasks(*(f"t{number:03}" for number in range(20)))
    return make_evidence(tasks, {"base": drawn(rng, 0.1, 2.0, 20), "r1": drawn(rng, 1, 1, 20)}, r1="base")


def test_coverage_is_that_of_the_counts_over_all_passes(evidence):
    found = describe_coverage(evidence, ("r1", "base"), SETTINGS)["figures"]
    counts = {
        name: sum(one.right.sum(axis=1) for one in evidence.passes[name].values()) for name in ("base", "r1")
    }
    templates = [evidence.tasks[task].template for task in sorted(evidence.tasks)]
    assert [one["of"] for one in found] == [
        "the base's pass@1", "r1's pass@1", "the difference of r1 and base in one scoring pass",
    ]  # fmt: skip
    assert found[0]["coverage"] == mean_coverage(counts["base"], 8, templates, 0.95, 1).share
    assert (
        found[2]["coverage"]
        == difference_coverage(counts["base"], counts["r1"], 8, 4, templates, 0.95, 1).share
    )


def test_a_short_interval_is_warned_of_with_its_figure(evidence):
    found = describe_coverage(evidence, ("r1", "base"), SETTINGS)
    assert [one["short"] for one in found["figures"]] == [one["coverage"] < 0.94 for one in found["figures"]]
    assert found["figures"][0]["short"]
    told = coverage_warnings(found, 0.95)
    assert told[0].startswith(
        "The interval of the base's pass@1 is short: made for 95%, it covers the truth in "
    )
    assert len(told) == sum(one["short"] for one in found["figures"])


def test_all_wrong_has_nothing_to_simulate():
    evidence = make_evidence(make_tasks("a", "b"), {"base": [{"a": "WW", "b": "WW"}]})
    assert describe_coverage(evidence, ("base", "base"), SETTINGS)["figures"] == []
