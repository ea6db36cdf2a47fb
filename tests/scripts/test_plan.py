"""The table and the sum of a plan in a terminal."""

import pytest
from rich.console import Console

from scripts.plan import table_of, total_of
from sqlrl.config.plan import PlanLine

LINES = [
    PlanLine("grpo", "train_grpo", 1, "targets: [b] → [/b]", 7200.0, 0, 2.0),
    PlanLine("grpo", "sample_rollouts", 3, "after grpo/parity.json", None, 3, 0.0),
]


def test_values_in_brackets_are_shown_as_they_are_and_unknown_times_too(capsys: pytest.CaptureFixture[str]):
    Console(width=120).print(table_of(LINES))
    printed = capsys.readouterr().out
    assert "targets: [b] → [/b]" in printed
    assert [line.split()[:3] for line in printed.splitlines() if "_" in line] == [
        ["train_grpo", "1", "2.0"],
        ["sample_rollouts", "3", "?"],
    ]


def test_the_sum_says_what_is_not_known():
    assert (
        total_of(LINES)
        == "4 jobs; 2.0 h by the last run's times, 2.00 GPU-hours, without the 3 that never ran here."
    )
    assert total_of(LINES[:1]) == "1 job; 2.0 h by the last run's times, 2.00 GPU-hours."
