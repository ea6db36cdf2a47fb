"""Ends an engine's processes when the job that started them is gone, however it ended: vLLM's own live on.

A process of its own, which waits for the end of its input: a job that is killed closes that as well.
"""

import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psutil

POLL_SECONDS = 0.2
BEGIN, END = b"begin\n", b"end\n"


class Warden:
    """Watches over the processes that are started within ``watching``, and over those that they start."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "sqlrl.sampling.warden", str(os.getpid())]
        self._warden = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        self.processes: list[psutil.Process] = []

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch over the processes that are started in here."""
        before = _children(os.getpid())
        self._say(BEGIN)
        try:
            yield
        finally:
            self._say(END)
            self.processes = list(_children(os.getpid()) - before)

    def end(self) -> None:
        """End them now."""
        if self._warden.stdin:
            self._warden.stdin.close()
        self._warden.wait()

    def _say(self, word: bytes) -> None:
        """Send a word and wait until it is heard."""
        assert self._warden.stdin
        assert self._warden.stdout
        self._warden.stdin.write(word)
        self._warden.stdin.flush()
        self._warden.stdout.readline()


def _children(pid: int) -> set[psutil.Process]:
    try:
        return set(psutil.Process(pid).children(recursive=True))
    except psutil.NoSuchProcess:
        return set()


def watch(job: int) -> set[psutil.Process]:
    """Follow a job until it is gone.

    Returns:
        The processes that it started between the words begin and end.
    """
    found: set[psutil.Process] = set()
    before: set[psutil.Process] | None = None
    while True:
        ready, _, _ = select.select([0], [], [], None if before is None else POLL_SECONDS)
        if before is not None:
            found |= _children(job) - before
        if not ready:
            continue
        word = os.read(0, len(BEGIN))
        if not word:
            return found
        before = _children(job) if word == BEGIN else None
        os.write(1, b"heard\n")


def end(processes: set[psutil.Process]) -> None:
    """Kill processes and what they started."""
    for process in processes | {child for one in processes for child in _children(one.pid)}:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue


if __name__ == "__main__":
    end(watch(int(sys.argv[1])))
