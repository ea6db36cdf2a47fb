"""Calls that may never come back: made in a thread that can be left behind."""

import queue
import threading
import time
from collections.abc import Callable
from typing import Any

LOOK_SECONDS = 1.0


class StalledError(Exception):
    """A call did not come back in time, or what it waits for has died."""


class Patient:
    """Makes calls one at a time in a daemon thread, so that one that hangs keeps no process alive."""

    def __init__(self) -> None:
        self._asked: queue.SimpleQueue[Callable[[], Any] | None] = queue.SimpleQueue()
        self._answered: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        threading.Thread(target=self._work, daemon=True).start()

    def call(self, call: Callable[[], Any], seconds: float, is_alive: Callable[[], bool]) -> Any:
        """Make a call and wait for its result.

        Args:
            call: without arguments.
            seconds: to wait at most.
            is_alive: whether what the call waits for still lives; asked now and then.

        Raises:
            StalledError: the time is over, or ``is_alive`` says no. No further call may follow.
        """
        self._asked.put(call)
        end = time.monotonic() + seconds
        while True:
            try:
                result, error = self._answered.get(timeout=min(LOOK_SECONDS, seconds))
            except queue.Empty:
                if not is_alive():
                    raise StalledError("died") from None
                if time.monotonic() >= end:
                    raise StalledError(f"gave no sign of life for {seconds:g} s") from None
                continue
            if error is not None:
                raise error
            return result

    def close(self) -> None:
        """Let the thread end, where it still can."""
        self._asked.put(None)

    def _work(self) -> None:
        while (call := self._asked.get()) is not None:
            try:
                self._answered.put((call(), None))
            except Exception as error:  # noqa: BLE001 - it is raised where the call was asked for
                self._answered.put((None, error))
