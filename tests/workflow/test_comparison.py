"""compare_runs in the workflow: two runs on one holdout, the second without training."""

import json

import pytest

from tests.workflow.conftest import Workspace

pytestmark = pytest.mark.slow


def add_untrained(config: dict) -> None:
    """A second run of the same questions whose model is asked with another prompt."""
    run = config["runs"]["micro"]
    config["runs"]["untrained"] = {key: value for key, value in run.items() if key != "stages"}
    config["runs"]["untrained"]["prompt"] = {"schema": "compact", "system_prefix": "Think."}
    config["compare"] = ["untrained", "micro"]


def test_two_runs_are_built_and_compared_and_stay_fresh(copy: Workspace):
    copy.configure(add_untrained)
    copy.snakemake("compare_runs")
    document = json.loads((copy.folder / "results/comparison/comparison.json").read_text())
    assert [run["run"] for run in document["runs"]] == ["untrained", "micro"]
    assert [one["checkpoint"] for one in document["runs"][1]["checkpoints"]] == ["base", "sft", "grpo"]
    assert [one["kind"] for one in document["comparisons"]] == ["bases", "ends"]
    assert "untrained and micro start from the same weights" in document["warnings"][0]
    assert 'prompt.system_prefix is Think. for untrained and "" for micro' in document["warnings"][1]
    page = (copy.folder / "results/comparison/comparison.html").read_text()
    assert document["headline"]["sentence"].split(" (")[0] in page
    assert copy.stale("compare_runs") == {}
    copy.configure(lambda config: config["compare"].reverse())
    assert copy.stale("compare_runs") == {"write_comparison": 1}
