import pytest

from sqlrl.report.words import (
    count,
    dollars,
    duration,
    headline_sentence,
    percent,
    points,
    span,
    verdict_words,
)

COMPARISON = {
    "verdict": "proven better", "verdict_sentence": "proven better", "after_value": 0.61, "before_value": 0.38,
    "holdout_tasks": 140, "difference": 0.23, "interval": [0.15, 0.32],
}  # fmt: skip


@pytest.mark.parametrize(
    ("verdict", "sentence", "expected"),
    [
        (
            "proven better",
            "proven better",
            "right, up from 38% before (+23.0 points, +15.0 to +32.0): proven better.",
        ),
        ("proven worse", "proven worse", "right, down from 38% before"),
        (
            "undecided",
            "undecided (needs about 440 tasks)",
            "against 38% before (+23.0 points, +15.0 to +32.0): undecided",
        ),
        (
            "no difference larger than 0.05",
            "no difference larger than 0.05",
            "no difference larger than 5 points.",
        ),
    ],
)
def test_the_headline_says_before_after_difference_and_verdict(verdict, sentence, expected):
    found = headline_sentence(
        {**COMPARISON, "verdict": verdict, "verdict_sentence": sentence}, "sft and grpo"
    )
    assert found.startswith("After sft and grpo the model answers 61% of 140 held-out questions ")
    assert expected in found


def test_numbers_read_as_a_person_writes_them():
    assert [percent(0.605, 1), percent(None), points(-0.012), points(0.0), points(-0.0001), points(None)] == [
        "60.5%", "–", "−1.2", "0.0", "0.0", "–",
    ]  # fmt: skip
    assert span([-0.02, 0.3]) == "−2.0 to +30.0"
    assert [count(1, "task"), count(1200, "task"), count(2, "scoring pass"), count(3, "reply")] == [
        "1 task",
        "1,200 tasks",
        "2 scoring passes",
        "3 replies",
    ]
    assert [duration(3), duration(600), duration(9000)] == ["3 s", "10 min", "2.5 h"]


def test_a_margin_is_told_in_points():
    assert (
        verdict_words({"verdict_sentence": "no difference larger than 0.025"})
        == "no difference larger than 2.5 points"
    )


def test_money_is_told_in_cents_and_finer_where_cents_would_hide_it():
    assert [dollars(one) for one in (None, 0.0, 0.0042, 0.5, 1234.5)] == [
        "–",
        "0.00 USD",
        "0.0042 USD",
        "0.50 USD",
        "1,234.50 USD",
    ]
