"""Rates against counting by hand."""

from itertools import combinations

import pytest

from sqlrl.report.rates import error_kinds, luck, mean_values, rate_figures, task_values
from sqlrl.statistics.bootstrap import BootstrapSettings
from tests.report.small import make_pass, make_tasks

SETTINGS = BootstrapSettings(resamples=200, confidence=0.95, seed=1)
SAMPLES = {"a": "RRRR", "b": "RLWN", "c": "XXXN", "d": "WWWR"}


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        ("pass@1", {"a": 1, "b": 0.5, "c": 0, "d": 0.25}),
        ("pass@1_main", {"a": 1, "b": 0.5, "c": 0, "d": 0.25}),
        ("pass@1_everywhere", {"a": 1, "b": 0.25, "c": 0, "d": 0.25}),
        ("pass@k", {"a": 1, "b": 1, "c": 0, "d": 1}),
        ("pass^k", {"a": 1, "b": 0, "c": 0, "d": 0}),
        ("executes", {"a": 1, "b": 0.75, "c": 0, "d": 1}),
        ("no_query", {"a": 0, "b": 0.25, "c": 0.25, "d": 0}),
        ("truncated", {"a": 0, "b": 0.25, "c": 0.25, "d": 0}),
    ],
)
def test_a_rate_is_a_share_of_each_tasks_samples(rate, expected):
    assert task_values(make_pass(SAMPLES, truncated="N"), rate) == pytest.approx(expected)


def test_a_rate_over_passes_is_the_mean_with_the_spread_beside_it():
    passes = {1: make_pass({"a": "RR", "b": "WW"}), 2: make_pass({"a": "RW", "b": "WW"})}
    found = rate_figures(passes, "pass@1", make_tasks("a", "b"), SETTINGS)
    assert found is not None
    assert (found["value"], found["passes"], found["spread"]) == (0.375, [0.5, 0.25], 0.25)
    assert (found["tasks"], found["templates"], found["zero_width"]) == (2, 2, False)


def test_a_task_that_one_pass_lacks_counts_by_the_passes_that_have_it():
    passes = {1: make_pass({"a": "RR", "b": "WW"}), 2: make_pass({"a": "RW"})}
    assert mean_values(passes, "pass@1", make_tasks("a", "b")) == {"a": 0.75, "b": 0.0}


def test_only_chosen_tasks_count_and_none_chosen_is_no_figure():
    passes = {1: make_pass(SAMPLES)}
    found = rate_figures(passes, "pass@1", make_tasks("a", "zzz"), SETTINGS)
    assert found is not None
    assert (found["value"], found["tasks"], found["zero_width"]) == (1.0, 1, True)
    assert rate_figures(passes, "pass@1", make_tasks("zzz"), SETTINGS) is None


def test_error_kinds_are_shares_of_all_samples_with_the_verifiers_reasons():
    found = error_kinds({1: make_pass(SAMPLES), 2: make_pass({"a": "RRRR"})})
    assert found["samples"] == 20
    assert found["shares"] == {"right": 0.55, "wrong rows": 0.2, "does not run": 0.15, "no SQL": 0.1}
    assert found["reasons"] == {"match": 11, "rows_differ": 4, "sql_error": 3, "no_sql": 2}
    assert list(found["reasons"]) == ["match", "rows_differ", "sql_error", "no_sql"]


def test_luck_is_the_share_of_matches_that_a_twin_refutes():
    assert luck({1: make_pass(SAMPLES)}) == {"right_on_main": 7, "refuted_by_a_twin": 1, "share": 1 / 7}
    assert luck({1: make_pass({"a": "WX"})})["share"] is None


def test_pass_at_k_of_a_pass_is_the_share_of_tasks_with_any_right_sample():
    draws = list(combinations("RLWN", 4))
    assert task_values(make_pass(SAMPLES), "pass@k")["b"] == sum("R" in one or "L" in one for one in draws)
