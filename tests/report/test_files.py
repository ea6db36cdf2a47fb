from pathlib import Path

import pytest

from sqlrl.errors import UserError
from sqlrl.report.files import parse_result, parse_results, stage_of


def test_a_path_says_checkpoint_database_part_and_pass():
    found = parse_result(Path("results/laptop/r1@25/scores/my-shop-holdout-3.jsonl"), "scores")
    assert (found.checkpoint, found.database, found.part, found.scoring) == ("r1@25", "my-shop", "holdout", 3)
    assert found.label == "r1@25/scores/my-shop-holdout-3.jsonl"


@pytest.mark.parametrize(
    "path",
    [
        "results/laptop/base/rollouts/shop-holdout-1.jsonl",
        "results/laptop/base/scores/shop-test-1.jsonl",
        "results/laptop/base/scores/shop-holdout.jsonl",
        "results/laptop/base/scores/shop-holdout-1.json",
        "/shop-holdout-1.jsonl",
    ],
)
def test_another_form_is_refused_with_an_example(path):
    with pytest.raises(UserError, match=r"base/scores/shop-holdout-1\.jsonl"):
        parse_result(Path(path), "scores")


def test_two_files_of_the_same_pass_are_refused():
    paths = [Path(f"results/{run}/base/scores/shop-holdout-1.jsonl") for run in ("one", "two")]
    with pytest.raises(UserError, match="are both base/scores"):
        parse_results(paths, "scores")


def test_a_checkpoint_is_a_stage_or_a_step_of_one():
    assert [stage_of(name) for name in ("base", "r1", "r1@25")] == [("base", None), ("r1", None), ("r1", 25)]
