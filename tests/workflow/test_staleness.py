"""A change reruns what was made from it, and nothing else."""

from pathlib import Path

import pytest

from tests.workflow.changes import CHANGES
from tests.workflow.what_reruns import render_page

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def test_nothing_is_stale_after_a_build(built):
    assert built.stale() == {}


@pytest.mark.parametrize("change", CHANGES, ids=[one.name for one in CHANGES])
def test_a_change_reruns_what_was_made_from_it_and_nothing_else(copy, change):
    change.make(copy)
    assert set(copy.stale()) == change.rules


def test_the_page_lists_what_was_asserted():
    page = (ROOT / "docs/what-reruns.md").read_text(encoding="utf-8")
    assert page == render_page(ROOT), "python -m tests.workflow.what_reruns > docs/what-reruns.md"


def test_a_changed_grpo_setting_leaves_the_base_and_its_parent_alone(copy):
    copy.configure(lambda c: c["runs"]["micro"]["stages"]["grpo"].update(learning_rate=1.0e-4))
    # One checkpoint on the way and the end: each is sampled on dev once, the end on the holdout thrice.
    assert copy.stale() == {
        "train_grpo": 1,
        "extract_checkpoint": 1,
        "check_parity": 2,
        "sample_rollouts": 5,
        "score_rollouts": 5,
        "write_delta_report": 1,
        "describe_run": 1,
    }


def test_another_schema_to_evaluate_on_trains_nothing_and_samples_no_old_question_again(copy):
    def add(config):
        config["databases"]["clinic"] = {"twin_seeds": [2], "witness_seeds": []}
        config["runs"]["micro"]["evaluate_on"] = ["shop", "clinic"]

    copy.configure(add)
    # Three checkpoints in three passes.
    assert copy.stale() == {
        **dict.fromkeys(("author_tasks", "screen_tasks", "probe_tasks", "review_tasks", "split_tasks"), 1),
        **dict.fromkeys(("select_tasks", "write_tasks_report"), 1),
        "seed_database": 2,
        "sample_rollouts": 9,
        "score_rollouts": 9,
        "write_delta_report": 1,
        "describe_run": 1,
    }


def test_deleted_rollouts_are_sampled_again_although_their_scores_are_there(copy):
    (copy.folder / "results/micro/base/rollouts/shop-dev-1.jsonl").unlink()
    assert copy.stale() == {
        "sample_rollouts": 1,
        "score_rollouts": 1,
        "write_delta_report": 1,
        "describe_run": 1,
    }
