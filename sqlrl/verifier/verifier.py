"""Judges replies: the one entry for training and for scoring."""

import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from psycopg import OperationalError

from sqlrl.database.connect import connect
from sqlrl.database.reader import (
    Login,
    create_group,
    create_login,
    drop_roles,
    harden_template,
    open_to_readers,
)
from sqlrl.database.server import Server, open_server
from sqlrl.errors import UserError
from sqlrl.verifier.extract import Extraction, extract_sql
from sqlrl.verifier.limits import (
    MEGABYTE,
    MEMORY_MEGABYTES,
    REFERENCE_SECONDS,
    SERVER_BASE_MEGABYTES,
    SESSIONS_KEPT,
    SESSIONS_KEPT_BY_SPARE,
    SPARE_WORKERS,
    TEMPORARY_MEGABYTES,
    TRANSACTION_GRACE_SECONDS,
)
from sqlrl.verifier.pool import VerifierFaultError, WorkerPool
from sqlrl.verifier.reward import (
    Outcome,
    Submission,
    Verdict,
    VerifierSettings,
    error_outcome,
    give_verdict,
)
from sqlrl.verifier.sandbox import load_types
from sqlrl.verifier.suspects import run_all
from sqlrl.verifier.values import ColumnType
from sqlrl.verifier.worker import Fault, Finding, Job, Place, WorkerOrder

TEMPLATE = "verifier-template"

# What every session of a reader starts with and RESET comes back to.
_SESSION = {
    "search_path": "public",
    "default_transaction_read_only": "on",
    "timezone": "UTC",
    "datestyle": "ISO",
    "intervalstyle": "postgres",
    "bytea_output": "hex",
    "extra_float_digits": "1",
    "client_min_messages": "error",
    "standard_conforming_strings": "on",
    # Plans, and so the last digits of a float sum, don't depend on how many workers are free.
    "max_parallel_workers_per_gather": "0",
    "jit": "off",
    # A cursor is planned as a whole query, not for its first rows.
    "cursor_tuple_fraction": "1.0",
    "idle_in_transaction_session_timeout": "60s",
}


class Verifier:
    """Runs and judges replies on seeded databases; use as a context manager.

    Entering starts the worker processes and the server, so enter before torch is imported. On an
    embedded server everything ends with the job. On the server of T2S_DATABASE_URL the databases
    and roles of this job are dropped at the end.

    Args:
        databases: the dumps by database and instance: ``{"shop": {"main": path, "twin-1": path}}``.
        settings: see VerifierSettings.
        server: a server to use instead of one of its own.
    """

    def __init__(
        self,
        databases: Mapping[str, Mapping[str, Path]],
        settings: VerifierSettings,
        server: Server | None = None,
    ) -> None:
        self._databases, self._settings, self._given = databases, settings, server
        self._stack = ExitStack()
        self._lock = threading.Lock()
        self._owners: dict[tuple[str, str], str] = {}

    def __enter__(self) -> "Verifier":
        settings = self._settings
        with ExitStack() as stack:
            self._pool = WorkerPool(settings.workers, SPARE_WORKERS)
            stack.callback(self._pool.close)
            limit = (MEMORY_MEGABYTES + SERVER_BASE_MEGABYTES) * MEGABYTE
            self.server = self._given or stack.enter_context(open_server(memory_limit=limit))
            self._pool.instruct(self._prepare_databases(stack))
            stack.callback(self._pool.close)  # first of all, so that nobody is in the databases
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def owner_conninfo(self, database: str, instance: str) -> str:
        """Connection string of an instance's owner: for looking at it from outside, never for a reply."""
        return self._owners[database, instance]

    def instances(self, database: str) -> list[str]:
        """The names of a database's instances, main first."""
        return list(self._databases[database])

    def peak_memory_megabytes(self) -> float:
        """The largest resident memory that any of the present workers has had."""
        return self._pool.peak_memory_megabytes()

    def judge(self, submissions: Sequence[Submission]) -> list[Verdict]:
        """Judge replies; the same query on the same database runs once, whoever sent it.

        Returns:
            One verdict a submission, in the same order.

        Raises:
            UserError: a submission's database is unknown, or its reference can't be judged against.
            VerifierFaultError: the machine failed; nothing was scored.
        """
        return [
            give_verdict(sql, outcomes, self._settings) for sql, outcomes in self.find_outcomes(submissions)
        ]

    def find_outcomes(
        self, submissions: Sequence[Submission], instances: Collection[str] | None = None
    ) -> list[tuple[str | None, dict[str, Outcome]]]:
        """What replies give, before it becomes a verdict.

        Args:
            submissions: the replies.
            instances: names of the instances to run on; all where None.

        Returns:
            Each reply's query, None where it has none, and its outcome on each instance.

        Raises:
            UserError, VerifierFaultError: as ``judge``.
        """
        for submission in submissions:
            if submission.database not in self._databases:
                known = ", ".join(self._databases)
                raise UserError(f"a reply is for database {submission.database!r}; there are: {known}.")
        asked = {
            database: [name for name in known if instances is None or name in instances]
            for database, known in self._databases.items()
        }
        found = [extract_sql(submission.reply) for submission in submissions]
        with self._lock:
            outcomes = self._run(_jobs(submissions, found, asked))
        return [
            (extraction.sql, _outcomes_of(submission, extraction, asked[submission.database], outcomes))
            for submission, extraction in zip(submissions, found, strict=True)
        ]

    def _run(self, jobs: Sequence[Job]) -> dict[tuple[tuple[str, str], str, str], Outcome]:
        outcomes: dict[tuple[tuple[str, str], str, str], Outcome] = {}

        def keep(job: Job, found: Finding | Fault) -> None:
            if isinstance(found, Fault):
                raise _error(found, job)
            for reference, outcome in zip(job.references, found.outcomes, strict=True):
                outcomes[job.place, job.sql, reference] = outcome

        run_all(jobs, self._run_in_pool, keep)
        return outcomes

    def _run_in_pool(self, jobs: Sequence[Job], done: Callable[[int, Finding | Fault], None]) -> list[int]:
        def clean(index: int, found: Finding | Fault) -> None:
            if isinstance(found, Finding) and found.abandoned:
                self._end_server_processes(found.abandoned)
            done(index, found)

        return self._pool.run(jobs, clean)

    def _end_server_processes(self, processes: Iterable[int]) -> None:
        # A new connection, since a server that has crashed ended those it had; if it is down, so are they.
        with suppress(OperationalError), connect(self.server.conninfo) as connection:
            for process in processes:
                connection.execute("SELECT pg_catalog.pg_terminate_backend(%s)", (process,))

    def _prepare_databases(self, stack: ExitStack) -> list[WorkerOrder]:
        """Restore every dump into a hardened database; make the roles; say who goes where."""
        server, settings = self.server, self._settings
        if self._given is None and server.kind == "embedded":
            stack = ExitStack()  # what is on it goes with the server
        places = [(name, instance) for name, instances in self._databases.items() for instance in instances]
        group = create_group(server, "readers")
        roles = [group]
        stack.callback(lambda: drop_roles(server, reversed(roles)))
        server.create_database(TEMPLATE)
        stack.callback(server.drop_database, TEMPLATE)
        harden_template(server, TEMPLATE)
        for index, (database, instance) in enumerate(places):
            name = f"judged-{index}"
            stack.callback(server.drop_database, name)
            dump = self._databases[database][instance]
            self._owners[database, instance] = server.create_database(name, dump, template=TEMPLATE)
            open_to_readers(server, name, group)
        # Once here: a spare worker that had to ask for them would start late just when all are held up.
        types = {place: load_types(owner, REFERENCE_SECONDS) for place, owner in self._owners.items()}
        orders = []
        for seat in range(settings.workers + SPARE_WORKERS):
            reply = create_login(server, f"reply-{seat}", group, TEMPORARY_MEGABYTES)
            reference = create_login(server, f"reference-{seat}", group, TEMPORARY_MEGABYTES)
            roles += [reply.role, reference.role]
            orders.append(self._order(reply, reference, types, self._sessions_of(seat)))
        return orders

    def _sessions_of(self, seat: int) -> int:
        """How many sessions a worker keeps: the reply's and the reference's for each instance, while there is room."""
        if seat >= self._settings.workers:
            return SESSIONS_KEPT_BY_SPARE
        share = (SESSIONS_KEPT - SPARE_WORKERS * SESSIONS_KEPT_BY_SPARE) // self._settings.workers
        return max(SESSIONS_KEPT_BY_SPARE, min(2 * len(self._owners), share))

    def _order(
        self,
        reply: Login,
        reference: Login,
        types: Mapping[tuple[str, str], Mapping[int, ColumnType]],
        sessions: int,
    ) -> WorkerOrder:
        seconds = self._settings.statement_timeout_seconds
        places = {
            place: Place(
                reply.conninfo(owner, _session_settings(seconds, self.server.major)),
                reference.conninfo(owner, _session_settings(REFERENCE_SECONDS, self.server.major)),
                types[place],
            )
            for place, owner in self._owners.items()
        }
        return WorkerOrder(places, seconds, sessions)


def _session_settings(seconds: float, major: int) -> dict[str, str]:
    lock, statement, transaction = (
        f"{round(1000 * limit)}ms" for limit in (seconds / 2, seconds, seconds + TRANSACTION_GRACE_SECONDS)
    )
    settings = _SESSION | {"statement_timeout": statement, "lock_timeout": lock}
    return settings | ({"transaction_timeout": transaction} if major >= 17 else {})


def _outcomes_of(
    submission: Submission,
    found: Extraction,
    instances: Sequence[str],
    outcomes: Mapping[tuple[tuple[str, str], str, str], Outcome],
) -> dict[str, Outcome]:
    if found.sql is None:
        return dict.fromkeys(instances, error_outcome(found.reason))
    return {
        instance: outcomes[(submission.database, instance), found.sql, submission.reference_sql]
        for instance in instances
    }


def _jobs(
    submissions: Sequence[Submission],
    found: Sequence[Extraction],
    instances: Mapping[str, Sequence[str]],
) -> list[Job]:
    """One job for each distinct query on each instance, with all references that ask for it."""
    references: dict[tuple[str, str], dict[str, None]] = {}
    for submission, extraction in zip(submissions, found, strict=True):
        if extraction.sql is not None:
            asked = references.setdefault((submission.database, extraction.sql), {})
            asked[submission.reference_sql] = None
    return [
        Job((database, instance), sql, tuple(asked))
        for (database, sql), asked in references.items()
        for instance in instances[database]
    ]


def _error(fault: Fault, job: Job) -> Exception:
    where = f"{job.place[0]}/{job.place[1]}"
    if fault.kind != "reference":
        return VerifierFaultError(f"{where}: {fault.message}. While judging: {job.sql[:500]}")
    return UserError(f"{where}: a reference SQL can't be judged against: {fault.message}. {job.references}")
