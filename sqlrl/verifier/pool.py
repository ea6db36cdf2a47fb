"""The parent's side of the judging processes: starts them, hands out jobs, outlives what they don't."""

import contextlib
import os
import re
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path

import sqlrl
from sqlrl.verifier.worker import Fault, Finding, Job, WorkerOrder

# When no job has ended for so long though some wait, all workers are held up: one more is started.
SECONDS_UNTIL_SPARE = 0.1

# A worker bounds every step of a job itself. One that is silent for longer has stopped working.
SECONDS_OF_SILENCE = 120.0

TRIES = 2


class VerifierFaultError(RuntimeError):
    """The machine failed, not a reply: nothing was scored."""


@dataclass
class _Worker:
    process: "subprocess.Popen[bytes]"
    channel: "Connection[object, object]"
    seat: int
    job: int | None = None
    since: float = 0.0


class WorkerPool:
    """Worker processes, each with a seat: the number that says which roles it logs in as.

    Args:
        workers: how many run all the time.
        spares: how many more may run while queries are slow.
    """

    def __init__(self, workers: int, spares: int) -> None:
        self._most = workers + spares
        self._orders: Sequence[WorkerOrder] = ()
        self._workers: list[_Worker] = []
        # Started before anything else: while they import, the parent restores its databases.
        self._early = [_start(seat) for seat in range(workers)]

    def instruct(self, orders: Sequence[WorkerOrder]) -> None:
        """Say what each seat works on; there are as many orders as workers and spares."""
        self._orders = orders
        for worker in self._early:
            worker.channel.send(orders[worker.seat])
        self._workers, self._early = self._early, []

    def close(self) -> None:
        """End all workers; none is left when this returns."""
        for worker in [*self._workers, *self._early]:
            _end(worker)
        self._workers, self._early = [], []

    def run(self, jobs: Sequence[Job], done: Callable[[int, Finding | Fault], None]) -> None:
        """Run all jobs; ``done`` is called with each job's index and what came out, as they end.

        Raises:
            VerifierFaultError: a job ended its worker twice.
        """
        waiting = deque(range(len(jobs)))
        tries = [0] * len(jobs)
        try:
            while waiting or any(worker.job is not None for worker in self._workers):
                self._hand_out(jobs, waiting)
                for worker in self._heard():
                    index = worker.job
                    assert index is not None
                    worker.job = None
                    found = _receive(worker)
                    if found is not None:
                        done(index, found)
                        continue
                    self._bury(worker)
                    tries[index] += 1
                    if tries[index] == TRIES:
                        raise VerifierFaultError(
                            f"a judging process died twice over: {jobs[index].sql[:500]}"
                        )
                    waiting.appendleft(index)
        finally:
            # Only after an exception: what is under way would answer into the next batch.
            for worker in [worker for worker in self._workers if worker.job is not None]:
                self._bury(worker)

    def peak_memory_megabytes(self) -> float:
        """The largest resident memory that any of the present workers has had; 0 where unknown."""
        peaks = [0.0]
        for worker in self._workers:
            status = Path(f"/proc/{worker.process.pid}/status")
            if status.exists() and (peak := re.search(r"VmHWM:\s*(\d+) kB", status.read_text())):
                peaks.append(int(peak[1]) / 1024)
        return max(peaks)

    def _hand_out(self, jobs: Sequence[Job], waiting: "deque[int]") -> None:
        for worker in self._workers:
            if waiting and worker.job is None:
                _give(worker, jobs, waiting.popleft())
        if not waiting:
            return
        now = time.monotonic()
        held_up = all(now - worker.since > SECONDS_UNTIL_SPARE for worker in self._workers)
        # As many again each time: eight slow queries are under way after half a second.
        for _ in range(max(len(self._workers), 1) if held_up else 0):
            if waiting and len(self._workers) < self._most:
                worker = _start(self._free_seat())
                worker.channel.send(self._orders[worker.seat])
                _give(worker, jobs, waiting.popleft())
                self._workers.append(worker)

    def _heard(self) -> list[_Worker]:
        """Busy workers that have something to say, or have died, or have been silent for too long."""
        busy = {worker.channel: worker for worker in self._workers if worker.job is not None}
        ready = wait(list(busy), timeout=SECONDS_UNTIL_SPARE)
        now = time.monotonic()
        silent = [worker for worker in busy.values() if now - worker.since > SECONDS_OF_SILENCE]
        for worker in silent:
            worker.process.kill()
        return [worker for channel, worker in busy.items() if channel in ready] or silent

    def _free_seat(self) -> int:
        return min(set(range(self._most)) - {worker.seat for worker in self._workers})

    def _bury(self, worker: _Worker) -> None:
        _end(worker)
        self._workers.remove(worker)


def _start(seat: int) -> _Worker:
    ours, theirs = socket.socketpair()
    root = str(Path(sqlrl.__path__[0]).parent)
    # PG* variables would reach into the sessions of the workers.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [root, environment.get("PYTHONPATH")]))
    # Not -m: its answers would be pickled as classes of a module called __main__.
    program = "from sqlrl.verifier.worker import main; main()"
    command = [sys.executable, "-c", program, str(theirs.fileno()), str(os.getpid())]
    process = subprocess.Popen(
        command,
        pass_fds=[theirs.fileno()],
        env=environment,
        stdin=subprocess.DEVNULL,
        start_new_session=True,  # an interrupt from the keyboard is for the parent to handle
    )
    theirs.close()
    return _Worker(process, Connection(ours.detach()), seat)


def _give(worker: _Worker, jobs: Sequence[Job], index: int) -> None:
    worker.job, worker.since = index, time.monotonic()
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # dead: its silence will be heard
        worker.channel.send(jobs[index])


def _receive(worker: _Worker) -> Finding | Fault | None:
    """A worker's answer; None if it died."""
    try:
        answer = worker.channel.recv()
    except (EOFError, OSError):
        return None
    assert isinstance(answer, (Finding, Fault))
    return answer


def _end(worker: _Worker) -> None:
    worker.channel.close()
    worker.process.kill()
    worker.process.wait()
