"""What holds for the generators of all built-in schemas."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.databases.seeded import INSTANCES, SEEDS, generated, rows_digest

SCHEMAS = ("shop", "clinic")
# Written out in the vocabulary for main; the rows of any seed are the same there.
FIXED = {"shop": {"categories"}, "clinic": {"specialities", "diagnoses", "drugs"}}


@pytest.mark.parametrize("schema", SCHEMAS)
def test_every_table_has_another_number_of_rows_on_each_twin_than_on_main(schema):
    counts = {
        name: {table: len(rows) for table, rows in generated(schema, name, SEEDS[name]).items()}
        for name in INSTANCES
    }
    for twin in INSTANCES[1:]:
        assert [table for table in counts["main"] if counts["main"][table] == counts[twin][table]] == []


@pytest.mark.parametrize("schema", SCHEMAS)
def test_another_seed_gives_other_rows_for_main_and_twins(schema):
    for name in INSTANCES:
        one, other = (generated(schema, name, number) for number in (1, 2))
        assert {table for table in one if one[table] == other[table]} <= FIXED[schema]


@pytest.mark.parametrize("schema", SCHEMAS)
def test_ids_of_a_twin_are_not_those_of_main(schema):
    main, twin = (generated(schema, name, SEEDS[name]) for name in ("main", "twin-1"))
    for table in main:
        if "name" in main[table][0] and "id" in main[table][0]:
            one, other = ({row["name"]: row["id"] for row in rows[table]} for rows in (main, twin))
            common = [name for name in one if name in other]
            assert common
            assert sum(one[name] == other[name] for name in common) < max(3, len(common) // 6), table


@pytest.mark.parametrize("schema", SCHEMAS)
def test_rows_do_not_depend_on_hash_seed_locale_or_time_zone(schema):
    plain = rows_digest(sys.executable, schema, PYTHONHASHSEED="1", PYTHONUTF8="1")
    other = rows_digest(
        sys.executable, schema, PYTHONHASHSEED="2", PYTHONUTF8="1", LC_ALL="C", TZ="Asia/Tokyo"
    )
    assert plain == other


@pytest.mark.parametrize("schema", SCHEMAS)
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_rows_are_the_same_in_every_python(schema, version):
    installed = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
    found = str(installed[-1]) if installed else shutil.which(f"python{version}")
    if found is None or Path(found).resolve() == Path(os.path.realpath(sys.executable)):
        pytest.skip(f"no other Python {version} here")
    assert rows_digest(found, schema, PYTHONUTF8="1") == rows_digest(sys.executable, schema, PYTHONUTF8="1")
