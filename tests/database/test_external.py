import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest

from sqlrl.database import external
from sqlrl.database.connect import connect
from sqlrl.database.server import open_server
from sqlrl.errors import UserError

ROOT = Path(__file__).parents[2]
DATABASES = "SELECT datname FROM pg_database WHERE NOT datistemplate ORDER BY datname"
SECRET = "s3cret/@:#%"


@pytest.fixture(scope="module")
def role(server):
    """An ordinary role that may make databases, and a database that belongs to somebody else."""
    server.admin.execute("CREATE ROLE app LOGIN CREATEDB")
    server.admin.execute("CREATE DATABASE precious OWNER app")
    return "app"


@pytest.fixture
def url(server, role, monkeypatch):
    """T2S_DATABASE_URL set to the module's server, reached as an ordinary role."""
    url = f"postgresql://{role}@/postgres?host={quote(server.admin.info.host, safe='')}"
    monkeypatch.setenv(external.URL_VARIABLE, url)
    return url


def databases(server):
    return [row[0] for row in server.admin.execute(DATABASES).fetchall()]


def test_a_job_works_in_databases_of_its_own_and_leaves_the_server_as_it_was(server, url):
    before = databases(server)
    with open_server() as used, connect(used.create_database("main")) as connection:
        assert used.kind == "url"
        assert connection.info.dbname == used.full_name("main") != "main"
        assert connection.execute("SHOW timezone").fetchone() == ("UTC",)
        encoding = "SELECT pg_encoding_to_char(encoding), datcollate FROM pg_database WHERE datname = %s"
        assert connection.execute(encoding, (connection.info.dbname,)).fetchone() == ("UTF8", "C")
        assert set(databases(server)) == {*before, used.full_name("main")}
    assert databases(server) == before


def test_two_jobs_at_once_do_not_touch_each_other(server, url):
    with open_server() as first:
        first.create_database("main")
        with open_server() as second:
            second.create_database("main")
        assert first.full_name("main") in databases(server)
        assert second.full_name("main") not in databases(server)


@contextmanager
def killed_job():
    """A job that was killed with kill -9 after it made a database and a copy of it."""
    program = (
        "import os\n"
        "from sqlrl.database.server import open_server\n"
        "with open_server() as server:\n"
        "    server.create_database('main')\n"
        "    server.create_database('copy', template='main')\n"
        "    print(server.prefix, flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=dict(os.environ), stdout=subprocess.PIPE, check=False
    )
    assert done.returncode == -9
    yield done.stdout.decode().strip()


def test_the_next_job_drops_what_a_killed_one_left_and_nothing_else(server, url):
    server.admin.execute("CREATE DATABASE sqlrl_0123456789abcde_somebody OWNER postgres")
    server.admin.execute("CREATE DATABASE sqlrl_of_mine OWNER app")
    with killed_job() as prefix:
        assert [name for name in databases(server) if name.startswith(prefix)] == [
            f"{prefix}copy",
            f"{prefix}main",
        ]
        with open_server():
            left = databases(server)
    assert left == ["postgres", "precious", "sqlrl_0123456789abcde_somebody", "sqlrl_of_mine"]


def test_roles_that_a_killed_job_left_are_dropped_too(server, url, monkeypatch):
    monkeypatch.setenv(external.URL_VARIABLE, url.replace("app@", "postgres@"))
    server.admin.execute("CREATE ROLE sqlrl_00000000000000a_reader")
    with open_server() as used:
        server.admin.execute(f"CREATE ROLE {used.full_name('reader')}")
        roles = server.admin.execute("SELECT rolname FROM pg_roles WHERE rolname LIKE 'sqlrl%'").fetchall()
        assert roles == [(used.full_name("reader"),)]
    assert server.admin.execute("SELECT rolname FROM pg_roles WHERE rolname LIKE 'sqlrl%'").fetchall() == []


def refusal(monkeypatch, url: str) -> str:
    monkeypatch.setenv(external.URL_VARIABLE, url)
    with pytest.raises(UserError) as caught, open_server():
        pass
    assert "s3cret" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://app:{SECRET}@localhost/shop",
        "postgresql://app:s3cret@inner@localhost/shop",
        "postgresql://app:s3cret/inner@localhost/shop",
        "postgresql://app:%zs3cret@localhost/shop",
        "postgresql://app:x@localhost:s3cret/shop",
        "postgresql://app:x@localhost/shop?nonsense=s3cret",
        "mysql://app:s3cret@localhost/shop",
    ],
)
def test_a_malformed_url_is_refused_without_a_word_of_the_password(monkeypatch, url):
    assert "is not a PostgreSQL URL" in refusal(monkeypatch, url)


def test_a_server_that_does_not_answer_is_named_without_the_password(monkeypatch):
    message = refusal(monkeypatch, f"postgresql://app:{quote(SECRET, safe='')}@127.0.0.1:1/shop")
    assert "no connection to host=127.0.0.1 port=1 dbname=shop user=app" in message
    assert "refused" in message


def test_a_server_that_is_too_old_is_refused(url, monkeypatch):
    monkeypatch.setattr(external, "OLDEST_MAJOR", 99)
    assert "is PostgreSQL 18; 99 or newer is needed" in refusal(monkeypatch, url)


def test_a_role_that_may_not_make_databases_is_told_how_it_could(server, url, monkeypatch):
    server.admin.execute("CREATE ROLE poor LOGIN PASSWORD 's3cret'")
    message = refusal(monkeypatch, url.replace("app@", "poor:s3cret@"))
    assert 'ALTER ROLE "poor" CREATEDB' in message


def test_the_password_is_in_no_text_of_a_server(url, monkeypatch):
    monkeypatch.setenv(external.URL_VARIABLE, url.replace("app@", "app:s3cret@"))
    with open_server() as used:
        assert "s3cret" in used.owner_conninfo("main")
        assert "s3cret" not in repr(used)
