"""Arguments by hand: what --run fills in, and what stays as it was given."""

import json
import sys

import pytest

from scripts import by_run
from sqlrl.errors import UserError


@pytest.fixture
def script(monkeypatch):
    """Pretend that a script was started by hand."""

    def start(name: str, *words: str) -> list[str]:
        monkeypatch.setattr(sys, "argv", [f"scripts/{name}.py"])
        return by_run.expand(words)

    return start


def values(words: list[str], option: str) -> list[str]:
    place = len(words) - 1 - words[::-1].index(option)
    return words[place + 1 :]


def test_a_rollout_by_hand_takes_its_arguments_from_the_run(script):
    words = script("rollout", "--run", "laptop", "--checkpoint", "base", "--split", "holdout", "--k", "2")
    assert values(words, "--tasks")[0] == "results/laptop/tasks/shop-holdout.jsonl"
    assert values(words, "--adapter")[0] == "--server"
    assert values(words, "--server")[0] == "none"
    assert json.loads(values(words, "--settings")[0])["k"] == 2


def test_what_is_written_by_hand_stays_apart_from_the_workflows_own_files(script):
    words = script("rollout", "--run", "laptop", "--checkpoint", "sft")
    assert values(words, "--output")[0] == "results/by-hand/laptop/sft/rollouts/shop-holdout-1.jsonl"
    assert values(words, "--work")[0] == "results/by-hand/laptop/sft/work"
    assert values(words, "--adapter")[0] == "results/laptop/sft/adapter/adapter.json"


def test_what_is_given_explicitly_wins(script):
    words = script("score", "--run", "laptop", "--output", "mine.jsonl")
    assert values(words, "--output") == ["mine.jsonl"]


def test_an_unknown_checkpoint_says_what_there_is(script):
    with pytest.raises(UserError, match=r"no stage \"sfft\".*Did you mean \"sft\""):
        script("rollout", "--run", "laptop", "--checkpoint", "sfft")


def test_a_script_that_takes_nothing_from_a_run_says_so(script):
    with pytest.raises(UserError, match="takes nothing from a run"):
        script("seed_database", "--run", "laptop")
