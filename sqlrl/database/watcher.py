"""Keeps one throwaway PostgreSQL server for one job, and ends both server and folder with the job.

Run as a program of its own, with nothing but the standard library, so that it starts in some
milliseconds: ``python -I -S watcher.py ORDER`` where ORDER is an Order as JSON. Its standard input is
the lifeline: when the job closes it, or dies in whatever way, the server ends and its folder goes.
Its standard output is one JSON line, an Answer, once the server takes connections or has failed to.
"""

import contextlib
import ctypes
import dataclasses
import fcntl
import json
import os
import pwd
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

FOLDER_PREFIX = "sqlrl-postgres-"
SUPERUSER = "postgres"
SECONDS_TO_START = 60.0
SECONDS_TO_STOP = 5.0
# A socket address holds 104 bytes on some systems; ours needs 46 below this folder.
LONGEST_PARENT = 56
PR_SET_PDEATHSIG = 1


@dataclasses.dataclass(frozen=True)
class Order:
    """What the job asks for.

    Attributes:
        installation: the folder that has PostgreSQL's ``bin``, ``lib`` and ``share``.
        libraries: a folder that must keep its place beside the installation's parent, or None.
        system_user: who runs the server where the job is root, which PostgreSQL refuses to be.
        parent: the folder in which the server's own folder is made.
        settings: server settings, name to value.
        memory_limit: bytes of address space of each server process, or None for no limit.
        job: process id of the job.
    """

    installation: str
    libraries: str | None
    system_user: str | None
    parent: str
    settings: dict[str, str]
    memory_limit: int | None
    job: int


@dataclasses.dataclass(frozen=True)
class Answer:
    """The folder of the server's socket, or the reason why there is no server."""

    socket_folder: str | None = None
    error: str | None = None


class StartError(Exception):
    """The server did not start; the message is for the user."""


def main() -> None:
    """Serve one order until the lifeline closes."""
    order = Order(**json.loads(sys.argv[1]))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with _own_folder(Path(order.parent)) as folder:
        try:
            server = _start(order, folder)
        except StartError as error:
            _answer(Answer(error=str(error)))
            return
        try:
            _answer(Answer(socket_folder=str(folder / "socket")))
            _wait_for_the_end(order.job, server)
        finally:
            _stop(server)


def _answer(answer: Answer) -> None:
    line = json.dumps(dataclasses.asdict(answer)) + "\n"
    with contextlib.suppress(BrokenPipeError):  # the job is gone already
        os.write(sys.stdout.fileno(), line.encode())


@contextlib.contextmanager
def _own_folder(parent: Path) -> Iterator[Path]:
    """Make a folder that goes at the end; folders of watchers that were killed go first."""
    _remove_leftovers(parent)
    folder = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX, dir=parent))
    try:
        # Locked before it has its name, so that nobody takes a folder in the making for a leftover.
        lock = os.open(folder / "lock.new", os.O_CREAT | os.O_RDWR, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
        (folder / "lock.new").rename(folder / "lock")
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_leftovers(parent: Path) -> None:
    for folder in parent.glob(f"{FOLDER_PREFIX}*"):
        try:
            if folder.lstat().st_uid != os.geteuid():
                continue
            with (folder / "lock").open("r+") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue  # alive, in the making, or already gone


def _start(order: Order, folder: Path) -> "subprocess.Popen[bytes]":
    user = pwd.getpwnam(order.system_user) if order.system_user else None
    for name in ("data", "socket"):
        (folder / name).mkdir(mode=0o700)
        if user:
            os.chown(folder / name, user.pw_uid, user.pw_gid)
    if user:
        folder.chmod(0o711)
    try:
        binaries = _reachable_installation(order, folder, user) / "bin"
        _initialise(binaries, folder, user)
        return _launch(binaries, order, folder, user)
    except (OSError, subprocess.SubprocessError) as error:
        who = f" as user {order.system_user!r}" if user else ""
        raise StartError(f"PostgreSQL could not be run{who} in {folder.parent}: {error}.") from error


def _reachable_installation(order: Order, folder: Path, user: "pwd.struct_passwd | None") -> Path:
    """The installation, or a copy of it where the server's user may not read it (below /root, say)."""
    installation = Path(order.installation)
    probe = [str(installation / "bin" / "postgres"), "--version"]
    try:
        if _run(probe, user).returncode == 0:
            return installation
    except PermissionError:
        pass
    copy = folder / "copy"
    unneeded = shutil.ignore_patterns("include", "pkgconfig", "*.a")
    shutil.copytree(installation, copy / "package" / "installation", symlinks=True, ignore=unneeded)
    if order.libraries and Path(order.libraries).is_dir():
        shutil.copytree(order.libraries, copy / Path(order.libraries).name, symlinks=True)
    for path in (copy, *copy.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | (0o055 if path.is_dir() else 0o044 | _execute_bits(path)))
    return copy / "package" / "installation"


def _execute_bits(path: Path) -> int:
    return 0o011 if path.stat().st_mode & 0o100 else 0


def _run(command: list[str], user: "pwd.struct_passwd | None") -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        command,
        user=user.pw_uid if user else None,
        group=user.pw_gid if user else None,
        extra_groups=[] if user else None,
        cwd="/",
        env=_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )


def _environment() -> dict[str, str]:
    """Nothing of the caller's locale, time zone or PG* variables reaches the server."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LD_LIBRARY_PATH")}
    return kept | {"LC_ALL": "C", "TZ": "UTC"}


def _initialise(binaries: Path, folder: Path, user: "pwd.struct_passwd | None") -> None:
    where = ["-D", str(folder / "data"), "-U", SUPERUSER]
    rights = ["--auth-local=trust", "--auth-host=scram-sha-256"]  # the socket's folder is closed to others
    text = ["--encoding=UTF8", "--locale=C"]
    # Small segments of the write-ahead log: a throwaway server writes little and its folder stays small.
    haste = ["--no-sync", "--no-instructions", "--wal-segsize=1", "-c", "fsync=off"]
    done = _run([str(binaries / "initdb"), *where, *rights, *text, *haste], user)
    if done.returncode:
        raise StartError(f"PostgreSQL's initdb failed: {_last_words(done.stdout)}.")


def _launch(
    binaries: Path, order: Order, folder: Path, user: "pwd.struct_passwd | None"
) -> "subprocess.Popen[bytes]":
    settings = order.settings | {"unix_socket_directories": str(folder / "socket")}
    command = [str(binaries / "postgres"), "-D", str(folder / "data")]
    command += [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    log = folder / "log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            command,
            user=user.pw_uid if user else None,
            group=user.pw_gid if user else None,
            extra_groups=[] if user else None,
            cwd="/",
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_bind_to_watcher(order.memory_limit),
        )
    deadline = time.monotonic() + SECONDS_TO_START
    while not _is_ready(folder / "data" / "postmaster.pid"):
        if server.poll() is not None or time.monotonic() > deadline:
            _stop(server)
            raise StartError(f"PostgreSQL did not start: {_last_words(log.read_bytes())}.")
        time.sleep(0.005)
    return server


def _bind_to_watcher(memory_limit: int | None) -> Callable[[], None]:
    """What the server process does before it becomes PostgreSQL: end with its watcher, bound memory."""
    prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None

    def bind() -> None:
        if prctl:
            prctl(PR_SET_PDEATHSIG, int(signal.SIGQUIT), 0, 0, 0)
        if memory_limit is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory_limit, memory_limit))

    return bind


def _is_ready(pid_file: Path) -> bool:
    try:
        return pid_file.read_text().split("\n")[7].strip() == "ready"
    except (OSError, IndexError):
        return False


def _wait_for_the_end(job: int, server: "subprocess.Popen[bytes]") -> None:
    """Return when the lifeline closes, the job's process ends, or the server itself is gone.

    The job's process is watched too: children that it forked hold a copy of the lifeline.
    """
    watched: list[int] = [sys.stdin.fileno()]
    with contextlib.suppress(OSError, AttributeError):
        watched.append(os.pidfd_open(job))
    if os.getppid() != job:
        return
    while server.poll() is None:
        readable, _, _ = select.select(watched, [], [], 1.0)
        if readable:
            return


def _stop(server: "subprocess.Popen[bytes]") -> None:
    """End the server at once: nothing in it is worth a checkpoint."""
    if server.poll() is None:
        server.send_signal(signal.SIGQUIT)
    try:
        server.wait(SECONDS_TO_STOP)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def _last_words(output: bytes) -> str:
    lines = [line.strip() for line in output.decode(errors="replace").splitlines() if line.strip()]
    faults = [
        line for line in lines if any(word in line for word in ("error:", "ERROR:", "FATAL:", "PANIC:"))
    ]
    return " | ".join((faults or lines)[-3:]) or "it said nothing"


if __name__ == "__main__":
    main()
