"""Watching a run to its end, from the command line too."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from scripts.arguments import run_script
from scripts.watch import main, make_arguments
from sqlrl.errors import UserError
from sqlrl.watch.record import SILENCE
from sqlrl.watch.watch import Watch
from tests.watch.made import NOW

ROOT = Path(__file__).parents[2]


class Clock:
    """A clock that a test moves: at each sleep so many seconds pass, and the next thing happens."""

    def __init__(self, *happens, seconds=20.0):
        self.now, self.happens, self.seconds = NOW, list(happens), seconds

    def __call__(self):
        return self.now

    def sleep(self, _):
        self.now += self.seconds
        if self.happens:
            self.happens.pop(0)()
        elif self.now > NOW + 50 * self.seconds:
            raise KeyboardInterrupt


def watched(run, clock, terminal=False, **options) -> list[str]:
    stream = io.StringIO()
    console = Console(file=stream, width=80, force_terminal=terminal)
    Watch(run.folder, console, clock=clock, sleep=clock.sleep, **options).go()
    return stream.getvalue().splitlines()


def test_in_a_log_it_writes_a_line_a_step_and_ends_with_the_stage(run):
    run.train(18)
    clock = Clock(lambda: run.train(19), lambda: None, lambda: run.complete(20))
    lines = watched(run, clock)
    assert [line.split(",")[0] for line in lines] == [
        "made/grpo: step 18 of 20",
        "made/grpo: step 19 of 20",
        "made/grpo is complete: 20 steps",
    ]


def test_fast_steps_do_not_fill_the_log(run):
    run.train(1)
    steps = [lambda n=n: run.train(n) for n in range(2, 20)]
    lines = watched(run, Clock(*steps, lambda: run.complete(20), seconds=2.0))
    assert 3 <= len(lines) <= 5


def test_on_a_terminal_the_last_screen_stays(run):
    run.train(18)
    text = "\n".join(watched(run, Clock(lambda: run.complete(20)), terminal=True))
    assert "step 18 of 20" in text
    assert "is complete: 20 steps" in text


def test_a_band_that_is_measured_is_watched_until_its_stage_is_complete(run):
    run.log("grpo", "band", "16:40:00 replies: 128 of 384, 60 s so far\n")
    lines = watched(run, Clock(lambda: run.train(2), lambda: run.complete(20)))
    assert lines[0] == "made: no stage trains; grpo: measuring the band: 128 of 384"
    assert lines[-1].startswith("made/grpo is complete: 20 steps")


def test_with_follow_it_goes_on_with_the_next_stage(run):
    clock = Clock(
        lambda: run.train(3, stage="sft"), lambda: run.complete(20, stage="sft"), lambda: run.train(1)
    )
    stream = io.StringIO()
    watch = Watch(run.folder, Console(file=stream, width=200), follow=True, clock=clock, sleep=clock.sleep)
    with pytest.raises(KeyboardInterrupt):
        watch.go()
    found = [line.split(",")[0] for line in stream.getvalue().splitlines()]
    assert found == [
        "made: no stage trains",
        "made/sft: step 3 of 20",
        "made: no stage trains",
        "made/grpo: step 1 of 20",
    ]


def test_a_complete_stage_is_shown_again_and_that_is_all(run):
    run.complete(20)
    assert [line.split(",")[0] for line in watched(run, Clock(), stage="grpo")] == [
        "made/grpo is complete: 20 steps"
    ]


def test_a_run_that_does_not_train_says_what_its_stages_are(run):
    run.complete(110, stage="sft")
    run.touch(run.train(9), age=SILENCE + 600)
    run.touch(run.folder / "grpo" / "logs", age=SILENCE + 600)
    with pytest.raises(UserError) as caught:
        watched(run, Clock())
    text = str(caught.value)
    assert "nothing trains now" in text
    assert "sft is complete (110 steps)" in text
    assert "grpo stopped after 9 steps 40 minutes ago" in text
    assert "goes on from its last save" in text


def test_a_stage_that_falls_silent_ends_the_watch(run):
    run.train(9)
    with pytest.raises(UserError, match="grpo stopped after 9 steps"):
        watched(run, Clock(seconds=SILENCE))


def test_a_run_that_began_nothing_says_so(run):
    with pytest.raises(UserError, match=r"nothing trains now\. No stage began yet"):
        watched(run, Clock())


@pytest.mark.parametrize(
    ("folder", "message"),
    [
        ("results/other", r"no such folder\. Runs in .*results: made"),
        ("results", "no run; expected the folder of one"),
        ("results/made/grpo", r"It is a part of the run .*made\."),
    ],
)  # fmt: skip
def test_what_is_no_run_is_refused_with_a_hint(run, tmp_path, capsys, folder, message):
    run.train(3)
    assert run_script(main, make_arguments(), [str(tmp_path / folder)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"error: {tmp_path / folder}")
    assert re.search(message, said)


def test_an_unknown_stage_says_which_there_are(run):
    run.train(3)
    with pytest.raises(UserError, match=r"has no stage sft\. Stages that began: grpo"):
        Watch(run.folder, Console(), "sft")


@pytest.mark.parametrize("start", [["scripts/watch.py"], ["-m", "scripts.watch"]])
def test_it_starts_as_a_file_and_as_a_module(run, start):
    run.complete(20)
    done = subprocess.run(
        [sys.executable, *start, str(run.folder), "--stage", "grpo"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("made/grpo is complete: 20 steps")
