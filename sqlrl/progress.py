"""Progress that is never silent: a bar on a terminal, a line now and then in a log."""

import logging
import sys
import time
from collections.abc import Callable

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

logger = logging.getLogger(__name__)

SECONDS_BETWEEN_LINES = 15.0


class ProgressReport:
    """Counts finished work and says so: a bar where stderr is a terminal, else a line every 15 s.

    Use as a context manager; call ``advance(count, note)`` as work lands.
    """

    def __init__(self, total: int, what: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._total, self._what, self._clock = total, what, clock
        self._done = 0
        self._start = self._last_line = clock()
        self._bar = _bar() if sys.stderr.isatty() else None
        self._task = self._bar.add_task(what, total=total, note="") if self._bar else None

    def __enter__(self) -> "ProgressReport":
        if self._bar:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()
        elif self._done < self._total or self._clock() - self._start >= SECONDS_BETWEEN_LINES:
            self._write_line("")

    def advance(self, count: int = 1, note: str = "") -> None:
        """Say that ``count`` more units are finished; ``note`` is a short text such as a reward."""
        self._done += count
        if self._bar and self._task is not None:
            self._bar.update(self._task, completed=self._done, note=note)
        elif self._clock() - self._last_line >= SECONDS_BETWEEN_LINES:
            self._write_line(note)

    def _write_line(self, note: str) -> None:
        self._last_line = now = self._clock()
        left = (now - self._start) / max(self._done, 1) * (self._total - self._done)
        logger.info(
            "%s: %d of %d%s, %.0f s so far, about %.0f s left",
            self._what,
            self._done,
            self._total,
            f", {note}" if note else "",
            now - self._start,
            left,
        )


def _bar() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, TextColumn("{task.fields[note]}"), console=Console(stderr=True))
