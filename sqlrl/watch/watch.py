"""Follows a run until its stage is complete: a screen that renews itself, or a line now and then."""

import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console, RenderableType
from rich.live import Live

from sqlrl.errors import UserError
from sqlrl.report.words import count, listed
from sqlrl.watch.record import SILENCE, RunRecord, read_run, read_stage, stages
from sqlrl.watch.view import progress_line, render_run

SECONDS_BETWEEN_LOOKS = 1.0
SECONDS_BETWEEN_LINES = 15.0


class Watch:
    """Watches one run; ``go`` returns when there is nothing more to see."""

    def __init__(
        self,
        folder: Path,
        console: Console,
        stage: str | None = None,
        follow: bool = False,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """
        Args:
            folder: ``results/<run>``.
            console: to write to; a screen where it is a terminal, else lines.
            stage: to watch; None watches the one that trains.
            follow: go on with the next stage, and wait for one.
            clock: seconds since 1970.
            sleep: waits so many seconds.

        Raises:
            UserError: the folder is no run, or the run has no such stage.
        """
        _check_run(folder, stage)
        self._folder, self._console, self._follow = folder, console, follow
        self._clock, self._sleep = clock, sleep
        self._stage = stage
        self._last_line, self._last_key = float("-inf"), ""

    def go(self) -> None:
        """Show the run until it ends.

        Raises:
            UserError: nothing trains, or what did has shown no sign of life for long.
        """
        record = self._look()
        if not self._follow and self._is_idle(record):
            raise UserError(_nothing_trains(self._folder, self._clock()))
        if self._console.is_terminal:
            with Live(console=self._console, auto_refresh=False, vertical_overflow="crop") as screen:
                self._loop(record, lambda one: screen.update(self._render(one), refresh=True))
        else:
            self._loop(record, self._write_line)

    def _loop(self, record: RunRecord, show: Callable[[RunRecord], None]) -> None:
        show(record)
        while self._follow or not self._is_over(record):
            self._sleep(SECONDS_BETWEEN_LOOKS)
            record = self._look()
            show(record)
            if not self._follow and self._is_idle(record):
                raise UserError(_nothing_trains(self._folder, self._clock()))

    def _look(self) -> RunRecord:
        record = read_run(self._folder, self._stage, self._clock())
        if record.training and not self._follow:
            # Once seen, it is watched to its end, however the next one begins.
            self._stage = record.training.stage
        return record

    def _is_over(self, record: RunRecord) -> bool:
        return record.training is not None and record.training.complete

    def _is_idle(self, record: RunRecord) -> bool:
        """Whether nothing of the run is at work."""
        training = record.training
        trains = training is not None and (training.complete or self._clock() - training.news < SILENCE)
        return not trains and not record.jobs

    def _render(self, record: RunRecord) -> RenderableType:
        return render_run(record, self._clock(), self._console.width)

    def _write_line(self, record: RunRecord) -> None:
        """A line where something moved since the last one, some seconds ago; the end is always said."""
        now, training = self._clock(), record.training
        key = repr((training and (training.stage, len(training.steps), training.complete), record.jobs))
        due = now - self._last_line >= SECONDS_BETWEEN_LINES or self._is_over(record)
        if due and key != self._last_key:
            self._last_line, self._last_key = now, key
            self._console.print(progress_line(record, now), markup=False, highlight=False, soft_wrap=True)


def _check_run(folder: Path, stage: str | None) -> None:
    if not folder.is_dir():
        known = sorted(one.name for one in folder.parent.glob("*") if _is_run(one))
        there = f" Runs in {folder.parent}: {listed(known)}." if known else ""
        raise UserError(f"{folder}: no such folder.{there}")
    if not _is_run(folder):
        run = folder.absolute().parent
        hint = f" It is a part of the run {run}." if _is_run(run) else ""
        raise UserError(f"{folder}: no run; expected the folder of one, such as results/laptop.{hint}")
    if stage is not None and not (folder / stage / "logs").is_dir():
        known = stages(folder)
        there = f" Stages that began: {listed(known)}." if known else " No stage began yet."
        raise UserError(f"{folder} has no stage {stage}.{there}")


def _is_run(folder: Path) -> bool:
    """A run's folder has the tasks that it selected."""
    return any(folder.glob("tasks/*-*.jsonl")) or any(folder.glob("tasks/logs/select-*.log"))


def _nothing_trains(folder: Path, now: float) -> str:
    found = []
    for stage in map(read_stage, (folder / name for name in stages(folder))):
        steps = count(len(stage.steps), "step")
        if stage.complete:
            found.append(f"{stage.stage} is complete ({steps})")
        else:
            minutes = (now - stage.news) / 60
            found.append(f"{stage.stage} stopped after {steps} {minutes:.0f} minutes ago")
    stopped = any("stopped" in one for one in found)
    advice = " The command that built it goes on from its last save." if stopped else ""
    what = f" {'; '.join(found)}." if found else " No stage began yet."
    return (
        f"{folder}: nothing trains now.{what}{advice} --stage NAME shows a complete stage again, "
        "--follow waits for the next one."
    )
