"""The scripts of a schema that somebody brings: same bytes everywhere, bad input in one message."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.database.schemas import scripts_of

ROOT = Path(__file__).parents[2]


def run(script: str, *words: object, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", f"scripts.{script}", *map(str, words)],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def load(folder: Path, *scripts: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    outputs = {"output": "main.sql", "catalog": "main.json", "schema": "schema.sql"}
    named = [word for name, file in outputs.items() for word in (f"--{name}", folder / file)]
    return run("load_database", "--scripts", *scripts, *named, **environment)


def test_a_twin_has_the_same_bytes_under_other_hash_seeds_and_time_zones(tmp_path):
    for name, environment in {
        "one": {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "PGTZ": "Asia/Tokyo"},
        "two": {"PYTHONHASHSEED": "2", "TZ": "UTC", "PGDATESTYLE": "German"},
    }.items():
        folder = tmp_path / name / "museum"
        assert load(folder, *scripts_of("museum"), **environment).returncode == 0
        words = ("--main", folder / "main.sql", "--instance", "twin-1", "--settings", '{"seed": 2}')
        written = ("--output", folder / "twin-1.sql", "--catalog", folder / "twin-1.json")
        done = run("resample_database", *words, *written, **environment)
        assert (done.returncode, done.stderr) == (0, "")
    for file in ("main.sql", "main.json", "schema.sql", "twin-1.sql", "twin-1.json"):
        assert (tmp_path / "one/museum" / file).read_bytes() == (tmp_path / "two/museum" / file).read_bytes()


def test_the_draft_is_written_beside_the_dump(tmp_path):
    folder = tmp_path / "films"
    assert load(folder, *scripts_of("films")).returncode == 0
    files = ("--statistics", folder / "statistics.json", "--notes", folder / "notes.md")
    done = run("draft_notes", "--main", folder / "main.sql", "--may-see", "samples", *files)
    assert (done.returncode, done.stderr) == (0, "")
    assert "- films.fee: Euro for one loan" in (folder / "notes.md").read_text()


@pytest.mark.parametrize("text", ["CREATE TABL t ();", "CREATE EXTENSION postgis; CREATE TABLE t ();"])
def test_a_file_that_does_not_load_is_one_message_and_writes_nothing(tmp_path, text):
    (tmp_path / "dump.sql").write_text(text)
    done = load(tmp_path / "own", tmp_path / "dump.sql")
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {tmp_path}/dump.sql: ")
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "own").exists()


def test_a_server_that_does_not_answer_is_one_message_without_the_password(tmp_path):
    settings = (
        '{"schemas": ["public"], "include": [], "exclude": [], "rows_per_table": 5, "megabytes": 1.0,'
        ' "exclude_columns": [], "mask_columns": [], "timeout_seconds": 5.0}'
    )
    words = ("--url-variable", "FILMS_URL", "--folder", tmp_path / "films", "--settings", settings)
    done = run("snapshot_database", *words, FILMS_URL="postgresql://app:s3cret@127.0.0.1:1/films")
    assert done.returncode == 2
    assert done.stderr.startswith("error: FILMS_URL: no connection to host=127.0.0.1 port=1 dbname=films")
    assert "s3cret" not in done.stderr + done.stdout
    assert not (tmp_path / "films").exists()
