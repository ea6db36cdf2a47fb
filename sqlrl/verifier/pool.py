"""The parent's side of the judging processes: starts them, hands out jobs, outlives what they don't."""

import contextlib
import os
import re
import signal
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
from sqlrl.verifier.worker import PROCESS_BYTES, Fault, Finding, Job, WorkerOrder

# When no job has ended for so long though some wait, all workers are held up: one more is started.
SECONDS_UNTIL_SPARE = 0.1

# A worker bounds every step of a job itself. One that is silent for longer has stopped working.
SECONDS_OF_SILENCE = 120.0

TRIES = 2
SECONDS_TO_DIE = 5.0


class VerifierFaultError(RuntimeError):
    """The machine failed, not a reply: nothing was scored."""


@dataclass
class _Worker:
    process: int
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
        self._always = workers
        self._nursery = _Nursery()

    def instruct(self, orders: Sequence[WorkerOrder]) -> None:
        """Say what each seat works on, and start; there are as many orders as workers and spares."""
        self._orders = orders
        for _ in range(self._always):
            self._add_worker()

    def close(self) -> None:
        """End all workers; none is left when this returns."""
        for worker in self._workers:
            _end(worker)
        self._workers = []
        self._nursery.close()

    def run(self, jobs: Sequence[Job], done: Callable[[int, Finding | Fault], None]) -> list[int]:
        """Run jobs; ``done`` is called with each job's index and what came out, as they end.

        Once a Fault has come out no more are begun: where the server is down each would wait for it.

        Returns:
            The indices of the jobs that were left out.

        Raises:
            VerifierFaultError: no more workers can be started.
        """
        waiting = deque(range(len(jobs)))
        left: list[int] = []
        tries = [0] * len(jobs)
        try:
            while waiting or any(worker.job is not None for worker in self._workers):
                self._hand_out(jobs, waiting)
                for worker in self._heard():
                    index = worker.job
                    assert index is not None
                    worker.job = None
                    found = _receive(worker)
                    if found is None:
                        self._bury(worker)
                        tries[index] += 1
                        if tries[index] < TRIES:
                            waiting.appendleft(index)
                            continue
                        found = Fault("lost", "its judging process died twice over")
                    if isinstance(found, Fault):
                        left += waiting
                        waiting.clear()
                    done(index, found)
        finally:
            # Only after an exception: what is under way would answer into the next batch.
            for worker in [worker for worker in self._workers if worker.job is not None]:
                self._bury(worker)
        return left

    def peak_memory_megabytes(self) -> float:
        """The largest resident memory that any of the present workers has had; 0 where unknown."""
        peaks = [0.0]
        for worker in self._workers:
            status = Path(f"/proc/{worker.process}/status")
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
                _give(self._add_worker(), jobs, waiting.popleft())

    def _heard(self) -> list[_Worker]:
        """Busy workers that have something to say, or have died, or have been silent for too long."""
        busy = {worker.channel: worker for worker in self._workers if worker.job is not None}
        ready = wait(list(busy), timeout=SECONDS_UNTIL_SPARE)
        now = time.monotonic()
        silent = [worker for worker in busy.values() if now - worker.since > SECONDS_OF_SILENCE]
        for worker in silent:
            _kill(worker)
        return [worker for channel, worker in busy.items() if channel in ready] or silent

    def _add_worker(self) -> _Worker:
        seat = min(set(range(self._most)) - {worker.seat for worker in self._workers})
        worker = self._nursery.fork(seat)
        worker.channel.send(self._orders[seat])
        self._workers.append(worker)
        return worker

    def _bury(self, worker: _Worker) -> None:
        _end(worker)
        self._workers.remove(worker)


class _Nursery:
    """The process that forks workers; it imports while the parent restores its databases."""

    def __init__(self) -> None:
        self._control, theirs = socket.socketpair()
        root = str(Path(sqlrl.__path__[0]).parent)
        # PG* variables would reach into the sessions of the workers.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [root, environment.get("PYTHONPATH")]))
        # Not -m: what workers send would be pickled as classes of a module called __main__.
        program = "from sqlrl.verifier.worker import main; main()"
        self._process = subprocess.Popen(
            [sys.executable, "-c", program, str(theirs.fileno()), str(os.getpid())],
            pass_fds=[theirs.fileno()],
            env=environment,
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # an interrupt from the keyboard is for the parent to handle
        )
        theirs.close()

    def fork(self, seat: int) -> _Worker:
        """A new worker. Raises VerifierFaultError if the nursery is dead."""
        ours, theirs = socket.socketpair()
        try:
            socket.send_fds(self._control, [b"+"], [theirs.fileno()])
            process = self._control.recv(PROCESS_BYTES, socket.MSG_WAITALL)
        except OSError as error:
            raise VerifierFaultError(f"no more judging processes can be started: {error}") from error
        finally:
            theirs.close()
        if len(process) < PROCESS_BYTES:
            raise VerifierFaultError("no more judging processes can be started: their parent died")
        return _Worker(int.from_bytes(process), Connection(ours.detach()), seat)

    def close(self) -> None:
        """End it; its workers are ended by themselves."""
        self._control.close()
        self._process.kill()
        self._process.wait()


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
    """Kill a worker and wait until it is gone: then its end of the channel closes."""
    _kill(worker)
    with contextlib.suppress(EOFError, OSError):
        while worker.channel.poll(SECONDS_TO_DIE):
            worker.channel.recv()
    worker.channel.close()


def _kill(worker: _Worker) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(worker.process, signal.SIGKILL)
