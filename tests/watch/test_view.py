"""The screen and the line that say how a run does."""

import io

import pytest
from rich.console import Console

from sqlrl.watch.record import read_run
from sqlrl.watch.view import progress_line, render_run, sparkline
from tests.watch.made import NOW, QUESTION


def screen(run, width, stage=None, now=NOW + 4):
    console = Console(record=True, width=width, file=io.StringIO(), force_terminal=True)
    console.print(render_run(read_run(run.folder, stage, now), now, width))
    return console.export_text().splitlines()


@pytest.mark.parametrize("width", [60, 120])
def test_the_screen_has_all_that_one_wants_to_know_and_fits(run, width):
    run.train(13, kl=0.0123)
    run.log("base", "rollouts-shop-holdout-1")
    run.replies("base", 8, k=4)
    lines = screen(run, width)
    assert max(map(len, lines)) <= width
    text = " ".join(" ".join(lines).split())
    for expected in (
        "made/grpo: step 13 of 20", "8.0 s a step, 2.0 samples/s, about 52 s left, wrote last 4 s ago",
        "steps 1 to 13", "mean of 10", "no variance", "50%", "reply tokens", "KL", "0.0123", "loss",
        "Replies of step 4", "match Which customers from Spain", "SELECT name FROM customers",
        "error (no_sql)", "base: sampling shop-holdout-1: 8 of 12",
    ):  # fmt: skip
        assert expected in text
    reward = next(line for line in lines if line.startswith("reward"))
    assert reward.split() == ["reward", sparkline([n / 10 for n in range(1, 14)], 13), "1.300", "0.850"]


def test_a_wide_terminal_shows_more_of_a_question(run):
    run.train(3)
    assert any(QUESTION in line for line in screen(run, 120))
    assert any(line.startswith("match  Which customers") and line.endswith("…") for line in screen(run, 60))


def test_a_reply_cannot_move_the_cursor_or_colour_the_screen(run):
    run.train(3)
    lines = screen(run, 120)
    assert "  [2J ]0;mine I [red]can't[/red]." in lines
    assert not any(letter in "\x1b\x07" for line in lines for letter in line)


def test_figures_that_a_kind_of_stage_does_not_have_are_left_out(run):
    run.train(3, zero_variance=None, completion_length=None, truncated=None, entropy=None)
    text = "\n".join(screen(run, 80))
    assert "loss" in text
    assert not any(name in text for name in ("no variance", "reply tokens", "KL", "entropy"))


def test_before_the_first_step_it_says_that_one_is_under_way(run):
    run.train(0)
    text = "\n".join(screen(run, 80))
    assert "step 0 of 20" in text
    assert "The first step is under way." in text


def test_a_complete_stage_says_so(run):
    run.complete(20)
    text = "\n".join(screen(run, 80, "grpo"))
    assert "made/grpo is complete: 20 steps" in text
    assert "160 s in all" not in text  # a person says minutes
    assert "3 min in all" in text
    assert "wrote last" not in text


def test_a_run_without_a_stage_that_trains_shows_its_jobs(run):
    run.log("grpo", "band", "16:40:00 replies: 128 of 384, 60 s so far, about 120 s left\n")
    assert screen(run, 80) == [
        "made: no stage trains at the moment",
        "grpo: measuring the band: 128 of 384",
    ]


def test_the_line_for_a_log_has_the_same(run):
    run.train(13)
    run.log("base", "scores-shop-holdout-2")
    assert progress_line(read_run(run.folder, None, NOW), NOW) == (
        "made/grpo: step 13 of 20, reward 1.300, no variance 50%, reply tokens 40, loss 0.02, 8.0 s a step, "
        "2.0 samples/s, about 56 s left; base: judging shop-holdout-2"
    )


@pytest.mark.parametrize(
    ("values", "width", "bars"),
    [
        ([], 5, ""), ([1.0], 5, "▅"), ([3, 3, 3], 5, "▅▅▅"), ([0, 1], 5, "▁█"),
        ([0, 1, 2, 3, 4, 5, 6, 7], 8, "▁▂▃▄▅▆▇█"), ([0, 0, 7, 7], 2, "▁█"), ([7, 0], 9, "█▁"),
    ],
)  # fmt: skip
def test_a_sparkline_goes_from_the_lowest_to_the_highest(values, width, bars):
    assert sparkline(values, width) == bars


def test_a_sparkline_of_many_steps_is_as_wide_as_there_is_room():
    line = sparkline(list(range(1000)), 24)
    assert len(line) == 24
    assert list(line) == sorted(line)
