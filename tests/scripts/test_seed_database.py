import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.seed_database import main, make_arguments
from sqlrl.database.catalog import Catalog
from sqlrl.files import digest_file
from sqlrl.records import read_json

ROOT = Path(__file__).parents[2]
SHOP = ROOT / "databases" / "shop"


def words(folder: Path, **changes: str) -> list[str]:
    given = {
        "schema": str(SHOP / "schema.sql"),
        "generator": str(SHOP / "generate.py"),
        "instance": "main",
        "settings": '{"seed": 1}',
        "output": str(folder / "shop" / "main.sql"),
        "catalog": str(folder / "shop" / "main.json"),
    } | changes
    return [word for name, value in given.items() for word in (f"--{name}", value)]


def run(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "scripts.seed_database", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_two_runs_under_other_hash_seeds_locales_and_time_zones_give_the_same_bytes(tmp_path):
    for name, environment in {
        "one": {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "PGTZ": "Asia/Tokyo", "LC_ALL": "tr_TR.UTF-8"},
        "two": {"PYTHONHASHSEED": "2", "TZ": "UTC", "PGDATESTYLE": "German"},
    }.items():
        done = run(*words(tmp_path / name), **environment)
        assert (done.returncode, done.stderr) == (0, "")
    for file in ("main.sql", "main.json"):
        assert (tmp_path / "one/shop" / file).read_bytes() == (tmp_path / "two/shop" / file).read_bytes()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("seeded")
    main(make_arguments().parse_args(words(folder)))
    return folder / "shop"


def test_the_catalog_describes_the_dump(folder):
    catalog = read_json(folder / "main.json", Catalog)
    assert catalog.digest == digest_file(folder / "main.sql")
    assert (catalog.database, catalog.instance) == ("shop", "main")
    orders = next(table for table in catalog.tables if table.name == "orders")
    described = {column.name: (column.type, column.nullable, column.references) for column in orders.columns}
    assert orders.rows == 300
    assert described["sales_rep_id"] == ("integer", True, "employees.id")
    assert described["shipping_fee"] == ("numeric(10,2)", False, None)


def test_the_catalog_names_nothing_of_the_machine(folder):
    assert str(folder) not in (folder / "main.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"settings": '{"sed": 1}'}, "--settings: unknown key 'sed'"),
        ({"settings": '{"seed": "one"}'}, "--settings: seed is 'one'; expected int"),
        ({"schema": "nowhere.sql"}, "nowhere.sql: no such file"),
        ({"generator": "nowhere.py"}, "nowhere.py: no such file"),
    ],
)
def test_bad_input_is_one_message_and_writes_nothing(tmp_path, changes, message):
    done = run(*words(tmp_path, **changes))
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.rglob("*.sql"))


def test_a_url_that_does_not_answer_is_one_message_without_the_password(tmp_path):
    done = run(*words(tmp_path), T2S_DATABASE_URL="postgresql://app:s3cret@127.0.0.1:1/shop")
    assert done.returncode == 2
    assert done.stderr.startswith("error: T2S_DATABASE_URL: no connection to host=127.0.0.1 port=1")
    assert "s3cret" not in done.stderr + done.stdout
