"""Who is to blame for a lost session or judging process: the reply, or the machine."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from sqlrl.database.connect import connect
from sqlrl.database.external import URL_VARIABLE
from sqlrl.verifier.pool import VerifierFaultError
from sqlrl.verifier.reward import Outcome, Submission, Verdict
from sqlrl.verifier.suspects import judge_alone, run_all
from sqlrl.verifier.verifier import Verifier
from sqlrl.verifier.worker import Fault, Finding, Job
from tests.verifier.conftest import SETTINGS, fenced

# Doors that no seeded database has, opened with its owner's rights: shut when a database is opened, see DOORS.
DUMP = """
CREATE TABLE orders (id int PRIMARY KEY, status text);
INSERT INTO orders VALUES (1, 'shipped'), (2, 'shipped'), (3, 'open');
CREATE FUNCTION end_me() RETURNS int LANGUAGE sql SECURITY DEFINER
    AS 'SELECT pg_terminate_backend(pg_backend_pid())::int';
CREATE FUNCTION crash_server() RETURNS int LANGUAGE plpgsql SECURITY DEFINER
    AS $$ BEGIN COPY (SELECT 1) TO PROGRAM 'kill -9 $PPID'; RETURN 1; END $$;
"""
DOORS = "GRANT EXECUTE ON FUNCTION end_me(), crash_server() TO PUBLIC"
COUNT = "SELECT count(*) FROM orders WHERE status = 'shipped'"
SLOW = "SELECT count(*) FROM generate_series(1, 2000000) g"
SLOW_REFERENCE = "SELECT 2000000"
TRIES_OF_A_SESSION = 4
TRIES_OF_A_WORKER = 2


@pytest.fixture
def verifier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Verifier]:
    """On a server of its own, whatever the environment says: these tests bring it down."""
    monkeypatch.delenv(URL_VARIABLE, raising=False)
    dump = tmp_path / "main.sql"
    dump.write_text(DUMP, encoding="utf-8")
    settings = replace(SETTINGS, statement_timeout_seconds=5.0)
    with Verifier({"shop": {"main": dump}}, settings) as opened:
        assert reasons(judge(opened, COUNT, "SELECT end_me()")) == ["match", "permission_denied"]
        with connect(opened.owner_conninfo("shop", "main")) as owner:
            owner.execute(DOORS)
        yield opened


def judge(verifier: Verifier, *queries: str, reference: str = COUNT) -> list[Verdict]:
    return verifier.judge([Submission("shop", fenced(sql), reference) for sql in queries])


def reasons(verdicts: Sequence[Verdict]) -> list[str]:
    return [verdict.outcomes["main"].reason for verdict in verdicts]


@pytest.mark.slow
def test_replies_that_end_their_session_each_time_are_errors_and_the_others_keep_their_verdicts(
    verifier: Verifier,
) -> None:
    others = [f"SELECT {number}" for number in range(40)]
    verdicts = judge(
        verifier, "SELECT end_me()", *others, "SELECT count(*) FROM orders WHERE end_me() = 1", COUNT
    )
    assert reasons(verdicts) == [
        "crash",
        *["rows_differ"] * 2,
        "match",
        *["rows_differ"] * 37,
        "crash",
        "match",
    ]
    assert [verdicts[0].reward, verdicts[-2].reward] == [0.0, 0.0]
    assert verdicts[0].outcomes["main"].verdict == "error"
    assert "terminating connection" in (verdicts[0].outcomes["main"].message or "")


@pytest.mark.slow
def test_a_reply_that_crashes_the_whole_server_is_the_only_one_to_pay(verifier: Verifier) -> None:
    slow = [f"SELECT count(*) + {number} FROM generate_series(1, 2000000) g" for number in range(6)]
    verdicts = judge(verifier, *slow, "SELECT crash_server()", COUNT, reference=COUNT)
    assert reasons(verdicts) == [*["rows_differ"] * 6, "crash", "match"]
    assert reasons(judge(verifier, "SELECT 4", COUNT)) == ["rows_differ", "match"]
    with pytest.raises(psycopg.OperationalError):
        verifier.server.admin.execute("SELECT 'it did crash'")


@pytest.mark.slow
def test_a_reference_that_loses_its_session_is_raised_though_the_reply_would_too(verifier: Verifier) -> None:
    with pytest.raises(VerifierFaultError, match="shop/main: a reference could not be run"):
        judge(verifier, "SELECT 1 + end_me()", reference="SELECT end_me()")


@pytest.mark.slow
def test_a_server_that_is_gone_is_raised_soon_however_many_replies_wait(verifier: Verifier) -> None:
    stop_server(verifier)
    began = time.monotonic()
    with pytest.raises(VerifierFaultError, match="shop/main"):
        judge(verifier, *(f"SELECT {number}" for number in range(500)))
    assert time.monotonic() - began < 30.0


@pytest.mark.slow
def test_a_server_that_goes_while_a_crashing_reply_is_judged_alone_blames_nobody(verifier: Verifier) -> None:
    # The tries beside others take 5 seconds, those alone 5 more.
    timer = threading.Timer(7.0, stop_server, (verifier,))
    timer.start()
    with pytest.raises(VerifierFaultError, match="shop/main"):
        judge(verifier, "SELECT end_me()", COUNT)
    timer.join()


@pytest.mark.slow
def test_sessions_ended_from_outside_at_every_try_but_the_one_alone_cost_no_verdict(
    verifier: Verifier,
) -> None:
    def end(process: int, _seat: int) -> None:
        verifier.server.admin.execute("SELECT pg_terminate_backend(%s)", (process,))

    with whenever_a_reply_runs(verifier, end, TRIES_OF_A_SESSION) as ended:
        verdicts = judge(verifier, SLOW, reference=SLOW_REFERENCE)
    assert len(ended) == TRIES_OF_A_SESSION
    assert reasons(verdicts) == ["match"]


@pytest.mark.parametrize(
    ("times", "reason"), [(TRIES_OF_A_WORKER, "match"), (2 * TRIES_OF_A_WORKER, "crash")]
)
def test_a_judging_process_killed_at_every_try_is_the_replys_only_if_it_dies_alone_too(
    verifier: Verifier, times: int, reason: str
) -> None:
    def kill(_process: int, seat: int) -> None:
        for worker in verifier._pool._workers:
            if worker.seat == seat:
                os.kill(worker.process, signal.SIGKILL)

    with whenever_a_reply_runs(verifier, kill, times) as killed:
        verdicts = judge(verifier, SLOW, reference=SLOW_REFERENCE)
    assert len(killed) == times
    assert reasons(verdicts) == [reason]


@contextmanager
def whenever_a_reply_runs(
    verifier: Verifier, act: Callable[[int, int], None], times: int
) -> Iterator[set[int]]:
    """Act, so many times, on a server process that has run a reply for a while, and its worker's seat."""
    met: set[int] = set()
    over = threading.Event()

    def watch() -> None:
        while len(met) < times and not over.wait(0.01):
            running = verifier.server.admin.execute(
                "SELECT pid, substring(usename FROM 'reply-(.*)')::int FROM pg_stat_activity"
                " WHERE query LIKE 'FETCH%' AND state = 'active' AND now() - query_start > '30ms'"
            ).fetchall()
            for process, seat in running:
                if process not in met and len(met) < times:
                    met.add(process)
                    act(process, seat)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield met
    finally:
        over.set()
        thread.join()


def stop_server(verifier: Verifier) -> None:
    row = verifier.server.admin.execute("SHOW data_directory").fetchone()
    assert row is not None
    postmaster = int((Path(row[0]) / "postmaster.pid").read_text().split()[0])
    os.kill(postmaster, signal.SIGQUIT)


JOB = Job(("shop", "main"), "SELECT the_reply", (COUNT, "SELECT 2"))
CANARY = replace(JOB, sql=COUNT)
FINE = Finding((Outcome("match", "match"), Outcome("match", "match")))
LOST = Fault("lost", "the connection ended")
DISK_FULL = Fault("machine", "53100 no space left on device")


class Script:
    """Stands for a pool: gives its answers one after the other and remembers what was asked."""

    def __init__(self, *answers: Finding | Fault) -> None:
        self.answers, self.asked = list(answers), list[Job]()

    def __call__(self, jobs: Sequence[Job], done: Callable[[int, Finding | Fault], None]) -> list[int]:
        for index, job in enumerate(jobs):
            self.asked.append(job)
            found = self.answers.pop(0)
            done(index, found)
            if isinstance(found, Fault):
                return list(range(index + 1, len(jobs)))
        return []


def test_a_reply_is_blamed_only_between_two_canaries_that_live() -> None:
    pool = Script(FINE, LOST, FINE)
    found = judge_alone(JOB, pool)
    assert found == Finding((Outcome("error", "crash", "the connection ended"),) * 2)
    assert pool.asked == [CANARY, JOB, CANARY]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([LOST], LOST),
        ([FINE, FINE], FINE),
        ([FINE, LOST, LOST], LOST),
        ([FINE, DISK_FULL], DISK_FULL),
        ([FINE, Fault("machine", "a reference could not be run")], Fault("machine", "a reference could not be run")),
        ([FINE, Fault("reference", "unfit")], Fault("reference", "unfit")),
    ],
    ids=["canary before", "innocent", "canary after", "disk full", "reference lost", "reference unfit"],
)  # fmt: skip
def test_nobody_is_blamed_for_what_the_machine_or_the_reference_did(
    answers: list[Finding | Fault], expected: Finding | Fault
) -> None:
    pool = Script(*answers)
    assert judge_alone(JOB, pool) == expected
    assert not pool.answers


def test_jobs_left_out_after_a_fault_are_run_once_it_is_settled() -> None:
    jobs = [replace(JOB, sql=f"SELECT {number}") for number in range(4)]
    crash = Finding((Outcome("error", "crash", "the connection ended"),) * 2)
    found: list[tuple[Job, Finding | Fault]] = []
    run_all(jobs, Script(FINE, LOST, FINE, LOST, FINE, FINE, FINE), lambda job, one: found.append((job, one)))
    assert found == list(zip(jobs, [FINE, crash, FINE, FINE], strict=True))
