"""A judging process: takes jobs from its parent, one at a time, and answers each.

It imports no torch, stays under a memory limit of its own, and ends when its parent does, in the middle of a
query too. Run by pool.py: one process, the nursery, which forks the others.
"""

import contextlib
import gc
import os
import resource
import signal
import socket
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Literal, TypeVar

from sqlrl.verifier.compare import Answer
from sqlrl.verifier.guard import check_query
from sqlrl.verifier.limits import MEGABYTE, MEMORY_MEGABYTES, REFERENCE_SECONDS
from sqlrl.verifier.reference import UnfitReferenceError, prepare_reference
from sqlrl.verifier.reward import Outcome, error_outcome, judge_rows
from sqlrl.verifier.sandbox import Failure, Rows, Session, SessionLostError
from sqlrl.verifier.values import ColumnType

PROCESS_BYTES = 8

SECONDS_BETWEEN_TRIES = (0.1, 1.0, 4.0)
# Cells of prepared references that are kept, at some 500 bytes each.
CELLS_KEPT = 200_000

# Disk full, too many connections, I/O error, lock timeout, as a SessionLostError's message begins: the
# machine's fault even where only one query meets it. What else a lost session says leaves that open.
_THE_MACHINES = ("53100", "53300", "58030", "55P03")

Given = TypeVar("Given")


@dataclass(frozen=True)
class Place:
    """One instance of a database as a worker reaches it: as the reply's reader, and as the reference's.

    ``types`` are the database's types by oid.
    """

    reply_conninfo: str
    reference_conninfo: str
    types: Mapping[int, ColumnType]


@dataclass(frozen=True)
class WorkerOrder:
    """What a worker needs to know once.

    Attributes:
        places: how to reach each (database, instance).
        seconds: the statement_timeout of replies.
        sessions: connections to keep open.
    """

    places: Mapping[tuple[str, str], Place]
    seconds: float
    sessions: int


@dataclass(frozen=True)
class Job:
    """One query to run on one instance, and the references that its rows are compared with."""

    place: tuple[str, str]
    sql: str
    references: tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    """The outcomes of a job, one a reference, and server processes that may still be running."""

    outcomes: tuple[Outcome, ...]
    abandoned: tuple[int, ...] = ()


@dataclass(frozen=True)
class Fault:
    """Why a job has no outcome.

    Attributes:
        kind: ``reference``, it is unfit; ``machine``, that failed; ``lost``, the session or the judging
            process ended under the reply, whoever is to blame (suspects.py).
        message: in the server's words where it had any.
    """

    kind: Literal["reference", "machine", "lost"]
    message: str


class Judge:
    """Judges jobs with sessions and prepared references that it keeps.

    Args:
        order: the databases and limits.
        lifelines: file descriptors that become readable when nobody waits for an answer any more.
    """

    def __init__(self, order: WorkerOrder, lifelines: tuple[int, ...] = ()) -> None:
        self._order, self._lifelines = order, lifelines
        self._answers: OrderedDict[tuple[tuple[str, str], str], Answer] = OrderedDict()
        self._cells = 0
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._refusal = lru_cache(maxsize=1_000)(check_query)

    def judge(self, job: Job) -> Finding | Fault:
        """Prepare the references, run the query, compare. Faults of the machine are tried again."""
        try:
            answers = [self._patiently(self._answer, job.place, sql) for sql in job.references]
        except UnfitReferenceError as error:
            return Fault("reference", str(error))
        except SessionLostError as error:
            return Fault("machine", f"a reference could not be run: {error}")
        if refusal := self._refusal(job.sql):
            outcome = error_outcome(refusal.reason, refusal.message)
            return Finding(tuple(outcome for _ in answers))
        try:
            rows = max(answer.rows for answer in answers)
            found, abandoned = self._patiently(self._run, job.place, job.sql, rows)
        except SessionLostError as error:
            kind: Literal["machine", "lost"] = "machine" if str(error).startswith(_THE_MACHINES) else "lost"
            return Fault(kind, f"a reply could not be run: {error}")
        return Finding(tuple(judge_rows(answer, found) for answer in answers), abandoned)

    def _patiently(self, attempt: Callable[..., Given], *arguments: object) -> Given:
        """Try again after a lost session: the server may be restarting. The last loss is raised."""
        for seconds in SECONDS_BETWEEN_TRIES:
            try:
                return attempt(*arguments)
            except SessionLostError:
                time.sleep(seconds)
        return attempt(*arguments)

    def _answer(self, place: tuple[str, str], sql: str) -> Answer:
        answer = self._answers.get((place, sql))
        if answer is None:
            answer = prepare_reference(self._reference_session(place), sql)
            self._answers[place, sql] = answer
            self._cells += _size(answer)
            while self._cells > CELLS_KEPT and len(self._answers) > 1:
                self._cells -= _size(self._answers.popitem(last=False)[1])
        self._answers.move_to_end((place, sql))
        return answer

    def _run(self, place: tuple[str, str], sql: str, rows: int) -> tuple[Rows | Failure, tuple[int, ...]]:
        session = self._session(self._order.places[place].reply_conninfo, self._order.seconds, place)
        found = session.run(sql, rows)
        return found, () if session.is_open else (session.server_process,)

    def _reference_session(self, place: tuple[str, str]) -> Session:
        return self._session(self._order.places[place].reference_conninfo, REFERENCE_SECONDS, place)

    def _session(self, conninfo: str, seconds: float, place: tuple[str, str]) -> Session:
        """The open session of one role in one database, or a new one."""
        session = self._sessions.pop(conninfo, None)
        if session is None or not session.is_open:
            session = Session(conninfo, seconds, self._order.places[place].types, self._lifelines)
        self._sessions[conninfo] = session
        if len(self._sessions) > self._order.sessions:
            self._sessions.popitem(last=False)[1].close()
        return session


def _size(answer: Answer) -> int:
    return (len(answer.table.columns) + 1) * answer.table.rows + 20


def limit_memory(more_bytes: int) -> None:
    """Bound this process's address space to what it has now and so much more, where the system can."""
    status = Path("/proc/self/statm")
    if status.exists():
        pages = int(status.read_text().split()[0])
        limit = pages * resource.getpagesize() + more_bytes
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def serve(channel: "Connection[object, object]", parent: int) -> None:
    """Judge what comes through the channel until it closes or the parent is gone."""
    lifelines = _lifelines(channel.fileno(), parent)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        order = channel.recv()
        assert isinstance(order, WorkerOrder)
        limit_memory(MEMORY_MEGABYTES * MEGABYTE)
        judge = Judge(order, lifelines)
        while channel.fileno() in wait(lifelines):
            job = channel.recv()
            assert isinstance(job, Job)
            channel.send(judge.judge(job))


def main() -> None:
    """The nursery: for each descriptor that comes through the control socket, fork a worker to serve it.

    A fork takes milliseconds and shares the memory of what is imported; a fresh Python takes a third of a second.
    """
    control, parent = socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2])
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the dead need no one to wait for them
    lifelines = _lifelines(control.fileno(), parent)
    gc.freeze()
    while control.fileno() in wait(lifelines):
        message, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not message:
            return
        process = os.fork()
        if process == 0:
            control.close()
            serve(Connection(descriptors[0]), parent)
            return
        os.close(descriptors[0])
        control.sendall(process.to_bytes(PROCESS_BYTES))


def _lifelines(descriptor: int, parent: int) -> tuple[int, ...]:
    """What becomes readable when the parent closes its end, and where the system can say so, when it dies."""
    try:
        return descriptor, os.pidfd_open(parent)
    except (OSError, AttributeError):
        return (descriptor,)
