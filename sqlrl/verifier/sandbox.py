"""Runs one text as a read-only query and gives back its rows as text, whatever the text is.

A session serves many replies and nothing of one reaches the next. Each is one exchange:

    BEGIN READ ONLY; DECLARE reply CURSOR FOR <reply>; FETCH FORWARD n | ROLLBACK | DISCARD ALL

in the extended protocol, which takes one statement a message, so that no text can end the DECLARE
and start something else. The cursor gives no more rows than are asked for. Time and temporary files
are bounded by the session's settings, rows and cells here, and the whole by a deadline on our side
of the socket, which holds even where the server is slow to notice a timeout.

libpq is driven directly (psycopg.pq): cells arrive as bytes, no loader makes Python values of them.
"""

import select
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import psycopg
from psycopg import pq

from sqlrl.verifier.compare import Table
from sqlrl.verifier.limits import GRACE_SECONDS, MAXIMUM_CELL_BYTES, MAXIMUM_RESULT_BYTES
from sqlrl.verifier.values import ColumnType, canonical

# The machine's fault, never the reply's: connection lost, shutdown, disk full, too many connections,
# I/O error, and a lock timeout, since no reply can take a lock that another would wait for.
_FAULTS = ("08", "57P", "53100", "53300", "58030", "55P03")
_LIMITS = {
    "57014": "timeout",
    "25P03": "timeout",
    "25P04": "timeout",
    "53200": "memory_limit",
    "53400": "disk_limit",
    "42501": "permission_denied",
}
_FAILED = (pq.ExecStatus.FATAL_ERROR, pq.ExecStatus.BAD_RESPONSE)
_AFTERWARDS = (b"ROLLBACK", b"DISCARD ALL")
_MEMORY_WORDS = ("out of memory", "cannot allocate memory")


class SessionLostError(Exception):
    """The connection or the server failed, through no fault of the text that ran."""


class _DeadlineError(Exception):
    pass


@dataclass(frozen=True)
class Failure:
    """A text that gave no rows: a reason code and PostgreSQL's own words."""

    reason: str
    message: str


@dataclass(frozen=True)
class Rows:
    """What a query gave, as PostgreSQL writes it.

    Attributes:
        names: column names.
        types: column types.
        columns: one tuple of cells a column, None for NULL; no tuples where there are more rows than
            were asked for.
        count: rows, one more than asked for where there are more.
    """

    names: tuple[str, ...]
    types: tuple[ColumnType, ...]
    columns: tuple[tuple[str | None, ...], ...]
    count: int

    def table(self, exact: bool = False) -> Table:
        """The cells as keys that compare; ``exact`` as in values.canonical.

        Raises:
            ValueTooDeepError: a JSON value is nested too deeply to read.
        """
        columns = []
        for column_type, cells in zip(self.types, self.columns, strict=True):
            key = canonical(column_type, exact)
            columns.append(tuple(None if cell is None else key(cell) for cell in cells))
        return Table(tuple(column.name for column in self.types), tuple(columns), self.count)


class Session:
    """One connection of one reader to one database.

    Args:
        conninfo: connection string with the reader's settings for the session.
        seconds: the statement_timeout among them.
        types: the database's types by oid, as ``load_types`` gives them.
        lifelines: file descriptors that become readable when nobody wants the answer any more.

    Raises:
        SessionLostError: the server can't be reached.
    """

    def __init__(
        self, conninfo: str, seconds: float, types: Mapping[int, ColumnType], lifelines: Sequence[int] = ()
    ) -> None:
        self.types = types
        self._seconds, self._lifelines = seconds, tuple(lifelines)
        try:
            self._connection = pq.PGconn.connect(conninfo.encode())
            if self._connection.status != pq.ConnStatus.OK:
                raise SessionLostError(self._connection.get_error_message())
            self.server_process = self._connection.backend_pid
            self._connection.nonblocking = 1
            self._connection.enter_pipeline_mode()
        except psycopg.OperationalError as error:
            raise SessionLostError(str(error)) from error
        self.is_open = True

    def close(self) -> None:
        """Close the connection, whatever its state."""
        self.is_open = False
        self._connection.finish()

    def run(self, sql: str, rows: int) -> Rows | Failure:
        """Run one query and give at most ``rows`` rows; the session is as new afterwards, or closed.

        Args:
            sql: a text that the guard let through.
            rows: how many rows are wanted.

        Raises:
            SessionLostError: the server failed; the session is closed.
        """
        declare = b"DECLARE reply NO SCROLL CURSOR FOR\n" + sql.encode()
        query = (b"BEGIN READ ONLY", declare, b"FETCH FORWARD %d FROM reply" % (rows + 1))
        try:
            results = self._exchange((query, *((step,) for step in _AFTERWARDS)))
            if tuple(result.command_status for result in results[-len(_AFTERWARDS) :]) != _AFTERWARDS:
                self.close()  # lost, or not as new: PostgreSQL 15 can fail in the ROLLBACK after a full disk
            return self._outcome(results, rows)
        except _DeadlineError:
            self.close()
            return Failure("timeout", "the server did not end the query in time")
        except MemoryError:
            self.close()
            return Failure("memory_limit", "the rows need more memory than a reply may use")
        except psycopg.OperationalError as error:
            self.close()
            if _is_about_memory(str(error)):
                return Failure("memory_limit", str(error))
            raise SessionLostError(str(error)) from error
        except SessionLostError:
            self.close()
            raise

    def _exchange(self, exchanges: Sequence[Sequence[bytes]]) -> list[pq.abc.PGresult]:
        """Send everything at once; collect the results, the marks between the exchanges left out."""
        connection = self._connection
        for statements in exchanges:
            for statement in statements:
                connection.send_query_params(statement, None)
            connection.pipeline_sync()
        deadline = time.monotonic() + self._seconds + GRACE_SECONDS
        results: list[pq.abc.PGresult] = []
        marks = 0
        while marks < len(exchanges):
            unsent = connection.flush()
            if unsent or connection.is_busy():
                self._wait(deadline, writing=bool(unsent))
                try:
                    connection.consume_input()
                except psycopg.OperationalError:
                    # The server's last words, if any, say why it closed the connection.
                    last = connection.get_result()
                    if last is None:
                        raise
                    return [*results, last]
                continue
            result = connection.get_result()
            if result is None:
                if connection.status != pq.ConnStatus.OK:
                    raise SessionLostError("the connection ended")
            elif result.status == pq.ExecStatus.PIPELINE_SYNC:
                marks += 1
            else:
                results.append(result)
                if connection.status != pq.ConnStatus.OK:
                    break
        return results

    def _wait(self, deadline: float, writing: bool) -> None:
        """Wait for the socket; end this process if nobody waits for the answer any more."""
        socket = self._connection.socket
        left = max(deadline - time.monotonic(), 0.0)
        sending = [socket] if writing else []
        readable, writable, _ = select.select([socket, *self._lifelines], sending, [], left)
        if any(lifeline in readable for lifeline in self._lifelines):
            raise SystemExit(1)
        if not readable and not writable:
            raise _DeadlineError

    def _outcome(self, results: Sequence[pq.abc.PGresult], rows: int) -> Rows | Failure:
        for result in results:
            if result.status in _FAILED:
                return _failure(result)
        fetched = next((result for result in results if result.status == pq.ExecStatus.TUPLES_OK), None)
        if fetched is None:
            raise SessionLostError("the server sent neither rows nor an error")
        width, count = fetched.nfields, fetched.ntuples
        names = tuple((fetched.fname(column) or b"").decode() for column in range(width))
        types = tuple(self._type(fetched.ftype(column)) for column in range(width))
        if count > rows:
            return Rows(names, types, (), count)
        cells = [[fetched.get_value(row, column) for row in range(count)] for column in range(width)]
        sizes = [len(cell) for column in cells for cell in column if cell is not None]
        if max(sizes, default=0) > MAXIMUM_CELL_BYTES or sum(sizes) > MAXIMUM_RESULT_BYTES:
            return Failure(
                "result_too_large",
                f"over {MAXIMUM_CELL_BYTES} bytes in a cell, or {MAXIMUM_RESULT_BYTES} in all",
            )
        text = tuple(tuple(None if cell is None else cell.decode() for cell in column) for column in cells)
        return Rows(names, types, text, count)

    def _type(self, oid: int) -> ColumnType:
        return self.types.get(oid) or ColumnType(f"oid {oid}")


def load_types(conninfo: str, seconds: float) -> dict[int, ColumnType]:
    """The types of one database by oid. Raises SessionLostError."""
    session = Session(conninfo, seconds, {})
    try:
        found = session.run(
            "SELECT t.oid, t.typname, t.typtype, CASE WHEN a.oid IS NULL THEN NULL ELSE t.typelem END"
            " FROM pg_catalog.pg_type t"
            " LEFT JOIN pg_catalog.pg_type a ON a.oid = t.typelem AND a.typarray = t.oid AND a.typdelim = ','",
            rows=1_000_000,
        )
    finally:
        session.close()
    if isinstance(found, Failure):
        raise SessionLostError(f"the types can't be read: {found.message}")
    rows = list(zip(*found.columns, strict=True))
    plain = {oid: ColumnType(str(name), str(kind)) for oid, name, kind, _ in rows}
    return {
        int(str(oid)): plain[oid]
        if element is None
        else ColumnType(plain[oid].name, plain[oid].kind, plain[element])
        for oid, _, _, element in rows
    }


def _failure(result: pq.abc.PGresult) -> Failure:
    """Tell the reply's errors, which are given back, from the machine's, which are raised."""
    state = (result.error_field(pq.DiagnosticField.SQLSTATE) or b"").decode()
    primary = result.error_field(pq.DiagnosticField.MESSAGE_PRIMARY)
    message = primary.decode(errors="replace") if primary else result.get_error_message()
    if not state and _is_about_memory(message):
        return Failure("memory_limit", message)
    if not state or state.startswith(_FAULTS):
        raise SessionLostError(f"{state} {message}".strip())
    return Failure(_LIMITS.get(state, "sql_error"), message)


def _is_about_memory(message: str) -> bool:
    return any(words in message.lower() for words in _MEMORY_WORDS)
