"""The verifier as training and scoring use it, against a real server."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from sqlrl.errors import UserError
from sqlrl.verifier.cases import ANY_SQL, Case
from sqlrl.verifier.reward import Submission
from sqlrl.verifier.verifier import Verifier
from tests.verifier.conftest import SETTINGS, fenced, setups

ROOT = Path(__file__).parents[2]
COUNT = "SELECT count(*) FROM orders WHERE status = 'shipped'"


def test_all_cases_of_rows_references_texts_and_extraction_agree(
    verifier: Verifier, cases: list[Case]
) -> None:
    names = setups([case for case in cases if not case.invariants_sql and case.alt_setup_sql is None])
    checked = 0
    for case in cases:
        if case.kind.startswith(("safety", "hack", "harness")):
            continue
        checked += 1
        submission = Submission(names[case.setup_sql], case.full_reply, case.reference_sql)
        if case.kind == "reference" and case.expected.verdict == "error":
            with pytest.raises(UserError, match="reference SQL"):
                verifier.judge([submission])
            continue
        began = time.monotonic()
        verdict = verifier.judge([submission])[0]
        assert verdict.outcomes["main"].verdict == case.expected.verdict, (case, verdict)
        assert verdict.reward == case.expected.score, case
        assert case.expected.extracted_sql in (ANY_SQL, verdict.sql), case
        assert case.limits is None or time.monotonic() - began < case.limits.seconds, case
    assert checked == 155


def test_a_verdict_holds_main_and_every_twin_and_a_lucky_constant_shows(judge) -> None:
    verdict = judge("SELECT 2")
    assert {name: outcome.verdict for name, outcome in verdict.outcomes.items()} == {
        "main": "match",
        "twin-1": "wrong",
    }
    assert verdict.reward == 1.0
    assert judge(COUNT).outcomes["twin-1"].verdict == "match"


def test_verdicts_come_in_the_order_of_the_submissions(verifier: Verifier) -> None:
    replies = [fenced(f"SELECT {number % 5}") for number in range(200)]
    verdicts = verifier.judge([Submission("shop", reply, COUNT) for reply in replies])
    assert [verdict.sql for verdict in verdicts] == [f"SELECT {number % 5}" for number in range(200)]
    assert [verdict.reward for verdict in verdicts] == [[0.1, 0.1, 1.0, 0.1, 0.1][n % 5] for n in range(200)]
    assert verifier.judge([]) == []


def test_one_query_is_compared_with_every_reference_that_asks_for_it(verifier: Verifier) -> None:
    references = [COUNT, "SELECT 7", "SELECT status FROM orders", "SELECT id, amount FROM orders"]
    verdicts = verifier.judge([Submission("shop", fenced("SELECT 2"), one) for one in references])
    reasons = [verdict.outcomes["main"].reason for verdict in verdicts]
    assert reasons == ["match", "rows_differ", "row_count", "column_count"]


@pytest.mark.parametrize(
    ("sql", "verdict", "reason"),
    [
        ("SELECT id FROM orders", "wrong", "too_many_rows"),
        ("SELECT 1 WHERE false", "wrong", "row_count"),
        ("SELECT 1/0", "error", "sql_error"),
        ("SELECT nothing", "error", "sql_error"),
        ("SELECT pg_sleep(10)", "error", "permission_denied"),
        ("DELETE FROM orders", "error", "not_a_query"),
        ("SELECT 1 FROM (SELECT generate_series(1, 1000000000) g) s WHERE g < 0", "error", "timeout"),
        ("SELECT repeat('x', 2000000)", "error", "result_too_large"),
        ("SELECT repeat('x', 500000000)", "error", "memory_limit"),
        ("SELECT (repeat('[', 5000) || repeat(']', 5000))::json", "error", "value_too_deep"),
        ("SELECT $1", "error", "parameter"),
    ],
)  # fmt: skip
def test_each_outcome_has_its_reason(judge, sql: str, verdict: str, reason: str) -> None:
    outcome = judge(sql).outcomes["main"]
    assert (outcome.verdict, outcome.reason) == (verdict, reason)


def test_a_query_that_fills_the_disk_is_stopped(judge) -> None:
    sql = "SELECT count(*) FROM (SELECT DISTINCT g, repeat('x', 500) FROM generate_series(1, 300000) g OFFSET 0) s"
    assert judge(sql).outcomes["main"].reason in ("disk_limit", "timeout")


def test_rows_are_shown_shortened_and_errors_in_postgres_words(judge) -> None:
    assert judge("SELECT repeat('x', 100), NULL").outcomes["main"].rows == (("x" * 80, None),)
    assert judge("SELECT nothing").outcomes["main"].message == 'column "nothing" does not exist'


def test_a_reference_that_does_not_run_is_raised_with_its_words(verifier: Verifier) -> None:
    for reference in ("SELECT nothing", "DELETE FROM orders", "SELECT 1; SELECT 2", "SELECT 1/0"):
        with pytest.raises(UserError, match=r"shop/(main|twin-1): a reference SQL"):
            verifier.judge([Submission("shop", fenced("SELECT 1"), reference)])
    assert verifier.judge([Submission("shop", fenced(COUNT), COUNT)])[0].reward == 1.0


def test_an_unknown_database_is_refused(verifier: Verifier) -> None:
    with pytest.raises(UserError, match="'nowhere'"):
        verifier.judge([Submission("nowhere", fenced("SELECT 1"), "SELECT 1")])


def test_nothing_of_one_reply_reaches_the_next(judge) -> None:
    for sql in (
        "SELECT set_config('search_path', 'pg_catalog', false)",
        "SELECT setseed(0.5)",
        "SELECT pg_advisory_lock(1)",
        "SELECT 1/0",
        "SELECT lo_create(7)",
        "SELECT nextval('pg_catalog.nothing')",
    ):
        assert judge(sql).outcomes["main"].verdict == "error"
        assert judge(COUNT).reward == 1.0
    assert judge("SELECT count(*) FROM pg_prepared_statements").outcomes["main"].verdict == "error"
    assert judge("SELECT query FROM pg_stat_activity").outcomes["main"].verdict == "error"
    assert judge("SELECT * FROM pg_locks").outcomes["main"].verdict == "error"


def test_a_slow_reply_delays_no_other(verifier: Verifier) -> None:
    slow = [f"SELECT {n} FROM (SELECT generate_series(1, 1000000000) g) s WHERE g < 0" for n in range(4)]
    quick = [f"SELECT {number}" for number in range(100)]
    began = time.monotonic()
    verdicts = verifier.judge([Submission("shop", fenced(sql), COUNT) for sql in [*slow, *quick]])
    # 4 queries on 2 databases run into 1 s: one after the other they would take 8 s.
    assert time.monotonic() - began < 5.0
    assert [verdict.outcomes["main"].reason for verdict in verdicts[:4]] == ["timeout"] * 4
    assert verdicts[4 + 2].reward == 1.0


@pytest.fixture
def own_verifier(databases):
    with Verifier({"shop": databases["shop"]}, SETTINGS) as verifier:
        verifier.judge([Submission("shop", fenced(COUNT), COUNT)])
        yield verifier


def test_a_backend_killed_under_a_reply_is_not_the_replys_fault(own_verifier: Verifier) -> None:
    slow = "SELECT count(*) FROM generate_series(1, 1000000) g"
    killed = []

    def kill() -> None:
        for _ in range(200):
            time.sleep(0.01)
            rows = own_verifier.server.admin.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'FETCH%' AND state = 'active'"
            ).fetchall()
            if rows:
                killed.extend(rows)
                return

    thread = threading.Thread(target=kill)
    thread.start()
    verdict = own_verifier.judge([Submission("shop", fenced(slow), "SELECT 1000000")])[0]
    thread.join()
    assert killed
    assert {outcome.reason for outcome in verdict.outcomes.values()} == {"match"}


def test_a_killed_worker_is_replaced(own_verifier: Verifier) -> None:
    for worker in own_verifier._pool._workers:
        os.kill(worker.process, signal.SIGKILL)
    submissions = [Submission("shop", fenced(f"SELECT {n}"), COUNT) for n in range(20)]
    assert [verdict.reward for verdict in own_verifier.judge(submissions)].count(1.0) == 1


def processes_of(group: set[int]) -> set[int]:
    return {pid for pid in group if Path(f"/proc/{pid}").exists() and "Z" not in state_of(pid)}


def state_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "Z"


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("when", ["idle", "busy"])
def test_after_kill_9_of_the_parent_no_worker_and_no_server_is_left(databases, when: str) -> None:
    program = textwrap.dedent(
        f"""
        import sys
        from pathlib import Path
        from sqlrl.verifier.reward import Submission
        from sqlrl.verifier.verifier import Verifier
        from tests.verifier.conftest import SETTINGS, fenced
        with Verifier({{"shop": {{"main": Path({str(databases["shop"]["main"])!r})}}}}, SETTINGS) as verifier:
            verifier.judge([Submission("shop", fenced("SELECT 1"), "SELECT 1")])
            pids = [worker.process for worker in verifier._pool._workers]
            pids.append(verifier._pool._nursery._process.pid)
            pids += [row[0] for row in verifier.server.admin.execute("SELECT pid FROM pg_stat_activity")]
            print(*pids, flush=True)
            if {when == "busy"}:
                slow = "SELECT 1 FROM (SELECT generate_series(1, 1000000000) g) s WHERE g < 0"
                verifier.judge([Submission("shop", fenced(slow), "SELECT 1")])
            sys.stdin.read()
        """
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    pids = {int(word) for word in process.stdout.readline().split()}
    assert len(pids) > 3
    time.sleep(0.3)
    process.kill()
    process.wait()
    deadline = time.monotonic() + 10
    while processes_of(pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not processes_of(pids)
