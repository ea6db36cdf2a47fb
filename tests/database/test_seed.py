from textwrap import dedent

import pytest

from sqlrl.database.connect import connect
from sqlrl.database.dice import SeedSettings
from sqlrl.database.seed import load_generator, seed_database
from sqlrl.database.snapshot import restore
from sqlrl.errors import UserError
from sqlrl.files import digest_text

SCHEMA = "CREATE TABLE t (id integer PRIMARY KEY, n integer NOT NULL CHECK (n < 1000));"
GENERATOR = """
def generate(instance, dice):
    return {"t": [{"n": dice.below(1000), "id": number} for number in (3, 1, 2)]}
"""


@pytest.fixture
def seed(server, tmp_path):
    def run(schema=SCHEMA, generator=GENERATOR, instance="main", seed=1):
        (tmp_path / "schema.sql").write_text(schema)
        (tmp_path / "generate.py").write_text(dedent(generator))
        paths = (tmp_path / "schema.sql", tmp_path / "generate.py")
        return seed_database(server, *paths, "toy", instance, SeedSettings(seed))

    return run


def test_a_seed_gives_one_text_and_another_seed_or_instance_another(seed):
    text, _ = seed()
    assert seed()[0] == text
    assert len({text, seed(seed=2)[0], seed(instance="twin-1")[0]}) == 3


def test_the_catalog_describes_the_text(seed, server, tmp_path):
    text, catalog = seed()
    assert (catalog.database, catalog.instance, catalog.digest) == ("toy", "main", digest_text(text))
    assert [(table.name, table.rows) for table in catalog.tables] == [("t", 3)]
    (tmp_path / "main.sql").write_text(text)
    conninfo = server.create_database("restored")
    restore(tmp_path / "main.sql", conninfo)
    with connect(conninfo) as connection:
        assert connection.execute("SELECT id FROM t").fetchall() == [(1,), (2,), (3,)]
    server.drop_database("restored")


@pytest.mark.parametrize(
    ("schema", "generator", "message"),
    [
        ("CREATE TABL t ()", GENERATOR, r"schema\.sql: PostgreSQL refuses it: syntax error"),
        (
            SCHEMA.replace("1000", "0"),
            GENERATOR,
            r"generate\.py: rows of t break the schema: .*check constraint",
        ),
        (SCHEMA, GENERATOR.replace('"t"', '"u"'), r'rows of u break the schema: relation "u" does not exist'),
        (SCHEMA, GENERATOR.replace('"n"', '"m"'), r'column "m" of relation "t" does not exist'),
        (SCHEMA, "x = 1", r"generate\.py: has no function generate"),
    ],
)
def test_a_fault_of_schema_or_generator_is_one_message_and_leaves_no_database(
    seed, server, schema, generator, message
):
    before = server.admin.execute("SELECT count(*) FROM pg_database").fetchone()
    with pytest.raises(UserError, match=message):
        seed(schema=schema, generator=generator)
    assert server.admin.execute("SELECT count(*) FROM pg_database").fetchone() == before


def test_a_missing_generator_is_named(tmp_path):
    with pytest.raises(UserError, match=r"nowhere\.py: no such file"):
        load_generator(tmp_path / "nowhere.py")
