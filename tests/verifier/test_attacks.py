"""What replies earn that do not answer, against real tasks of the shop."""

import pytest

from benchmarks.attacks import ATTACKS, SETTINGS, attack, make_databases, read_replies, read_targets
from sqlrl.verifier.extract import extract_sql
from sqlrl.verifier.verifier import Verifier


def test_the_strategies_are_many_and_distinct() -> None:
    replies = read_replies()
    assert len(set(replies.values())) == len(replies) > 100
    assert sum(extract_sql(reply).sql is not None for reply in replies.values()) > 100
    assert len(read_targets(ATTACKS / "tasks.jsonl")) == 50


@pytest.mark.slow
def test_no_constant_strategy_earns_more_than_a_running_query_and_mutants_are_refused(tmp_path) -> None:
    targets = read_targets(ATTACKS / "tasks.jsonl")
    with Verifier({"shop": make_databases(tmp_path)}, SETTINGS) as verifier:
        figures = attack(verifier, targets, targets)
    assert figures["tasks"] == 50
    name, (_, with_twins) = next(iter(figures["strategies"].items()))
    assert with_twins < 0.11, name
    assert figures["others"]["another task's reference"]["score_on_twins"] > 0.999
    assert figures["mutants"]["all"]["changed"] > 200
    assert figures["mutants"]["all"]["score_on_twins"] > figures["mutants"]["all"]["score_on_main"] > 0.85
    assert figures["mutants"]["all"]["score_on_twins"] > 0.97
