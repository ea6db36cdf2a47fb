"""SQL files that somebody brings: what is loaded, what is left out, what is refused and how that is said."""

import re

import pytest

from sqlrl.database.connect import connect
from sqlrl.database.drafting import describe_database
from sqlrl.database.own import load_database
from sqlrl.errors import UserError
from sqlrl.files import digest_text
from tests.database.schemas import FOLDER, NAMES, scripts_of


@pytest.fixture
def load(server, tmp_path):
    def run(*texts: str):
        names = ("schema.sql", "seed.sql")[: len(texts)]
        for name, text in zip(names, texts, strict=True):
            (tmp_path / name).write_text(text)
        return load_database(server, [tmp_path / name for name in names], "own")

    return run


@pytest.fixture
def restored(server, tmp_path):
    """Makes a database of a content file and connects to it."""
    opened = []

    def run(text: str):
        (tmp_path / "main.sql").write_text(text, encoding="utf-8", newline="\n")
        opened.append(connect(server.create_database("restored", tmp_path / "main.sql")))
        return opened[-1]

    yield run
    for connection in opened:
        connection.close()
    server.drop_database("restored")


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_and_its_rows_load_restore_and_are_described(server, restored, name):
    loaded = load_database(server, scripts_of(name), name)
    assert loaded.catalog.digest == digest_text(loaded.text)
    assert (loaded.catalog.database, loaded.catalog.instance) == (name, "main")
    connection = restored(loaded.text)
    for table in loaded.catalog.tables:
        quoted = '"' + table.name + '"'
        assert connection.execute(f"SELECT count(*) FROM {quoted}").fetchone() == (table.rows,)
    assert load_database(server, scripts_of(name), name).text == loaded.text


@pytest.mark.parametrize("name", ["films", "museum"])
def test_a_dump_of_pg_dump_15_loads_to_the_same_rows(server, name):
    def blocks(text):
        found = re.findall(r"^COPY (\S+ \(.*?\)) FROM stdin;\n(.*?)^\\\.$", text, re.MULTILINE | re.DOTALL)
        return dict(found)

    dumped = load_database(server, [FOLDER / "dumps" / f"{name}.sql"], name)
    assert blocks(dumped.text) == blocks(load_database(server, scripts_of(name), name).text)
    assert "OWNER" not in dumped.text
    assert "restrict" not in dumped.text
    assert "TABLE public." not in dumped.schema


def test_what_comes_after_the_rows_is_part_of_the_dump_and_of_the_schema(server, restored):
    loaded = load_database(server, scripts_of("films"), "films")
    rows = loaded.text.rindex("\\.\n")
    assert loaded.text.index("CREATE TRIGGER loans_stay") > rows
    assert loaded.text.index("branches_manager") > rows
    assert "-- Branches and staff refer to each other.\nALTER TABLE branches" in loaded.schema
    assert "COPY" not in loaded.schema
    connection = restored(loaded.text)
    constraint = "SELECT convalidated FROM pg_constraint WHERE conname = 'branches_manager'"
    assert connection.execute(constraint).fetchone() == (True,)


def test_generated_columns_partitions_and_views_are_there_after_a_restore(server, restored):
    connection = restored(load_database(server, scripts_of("museum"), "museum").text)
    assert connection.execute(
        "SELECT count(*) FROM pieces WHERE gross <> round(net * 1.2, 2)"
    ).fetchone() == (0,)
    assert connection.execute("SELECT count(*) > 0 FROM visits_2024").fetchone() == (True,)
    assert connection.execute("SELECT count(*) > 0 FROM rich").fetchone() == (True,)
    assert connection.execute('SELECT count("select") > 0 FROM "user"').fetchone() == (True,)


def test_rows_that_refer_to_each_other_in_a_circle_and_rows_before_their_parents_load(load):
    loaded = load(
        "CREATE TABLE a (id int PRIMARY KEY, b int); CREATE TABLE b (id int PRIMARY KEY, a int REFERENCES a);"
        "ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES b;",
        "INSERT INTO a VALUES (1, 2); INSERT INTO b VALUES (2, 1);",
    )
    assert [table.rows for table in loaded.catalog.tables] == [1, 1]


def test_rights_owners_and_settings_are_left_out(load):
    loaded = load(
        "SET search_path = nowhere; CREATE TABLE public.t (id int PRIMARY KEY, year int);\n"
        "ALTER TABLE t OWNER TO somebody; GRANT SELECT ON t TO somebody;\n"
        "ALTER TABLE t ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON t USING (false);\n"
        "COMMENT ON SCHEMA public IS 'x'; INSERT INTO t VALUES (1, 2);"
    )
    assert loaded.schema == "CREATE TABLE t (id int PRIMARY KEY, year int);\n"


def test_a_name_that_postgresql_has_itself_keeps_its_schema(load):
    loaded = load(
        "CREATE FUNCTION public.lower(text) RETURNS text LANGUAGE sql AS 'SELECT $1'; CREATE TABLE t (a int);"
    )
    assert "FUNCTION public.lower(text)" in loaded.schema


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (
            "CREATE TABL t ();",
            r"schema\.sql: PostgreSQL's grammar refuses it: syntax error .* near: CREATE TABL",
        ),
        (
            "CREATE TABLE t (a nothing);",
            r'schema\.sql: PostgreSQL refuses `CREATE TABLE t \(a nothing\)`: type "nothing"',
        ),
        ("CREATE EXTENSION postgis;", r"CREATE EXTENSION postgis.*only the extensions of PostgreSQL itself"),
        ("CREATE EXTENSION dblink;", r"extension dblink reaches beyond the database"),
        ("CREATE TABLE t (a int);\n\\i more.sql\n", r"schema\.sql:2: \\i is a command of psql"),
        (
            "CREATE SCHEMA sales; CREATE TABLE sales.t (a int);",
            r"elsewhere: sales\.t\. End the file with ALTER TABLE sales",
        ),
        ("CREATE TABLE t AS SELECT 1 AS a;", "a table made of other rows"),
        ("CREATE TABLE t (a int); COPY t FROM '/etc/passwd';", "COPY from a file of the server"),
        ("CREATE FOREIGN TABLE t (a int) SERVER s;", "a foreign table"),
        ("DO $$ BEGIN END $$;", "a DO block"),
        ("CREATE VIEW v AS SELECT 1;", "makes no table"),
        (
            "CREATE TABLE t (a int CHECK (a > 0)); INSERT INTO t VALUES (0);",
            r"refuses `INSERT INTO t .*check constraint",
        ),
        (
            "CREATE TABLE t (a int);\nCOPY t (a) FROM stdin;\n1\n",
            r"schema\.sql:2: the rows of this COPY do not end",
        ),
    ],
)
def test_what_can_not_be_loaded_is_one_message_with_the_statement(load, server, schema, message):
    before = server.admin.execute("SELECT count(*) FROM pg_database").fetchone()
    with pytest.raises(UserError, match=message):
        load(schema)
    assert server.admin.execute("SELECT count(*) FROM pg_database").fetchone() == before


def test_a_deferred_constraint_that_the_rows_break_is_told(load):
    with pytest.raises(UserError, match=r"seed\.sql: the rows break a constraint"):
        load(
            "CREATE TABLE t (a int PRIMARY KEY, b int REFERENCES t DEFERRABLE INITIALLY DEFERRED);",
            "INSERT INTO t VALUES (1, 2);",
        )


VISIBLE = (
    "CREATE TABLE t (id int PRIMARY KEY, kind text, at date); COMMENT ON COLUMN t.kind IS 'which it is';"
)
ROWS = "INSERT INTO t VALUES (1, 'secret', '2024-05-06'), (2, NULL, NULL);"


@pytest.fixture
def describe(server, load, tmp_path):
    """Statistics and draft of a schema with rows."""

    def run(may_see: str):
        (tmp_path / "main.sql").write_text(load(VISIBLE, ROWS).text, encoding="utf-8", newline="\n")
        return describe_database(server, tmp_path / "main.sql", "own", may_see)

    return run


def test_the_draft_of_notes_has_comments_and_counts_and_no_value_where_none_may_be_seen(describe):
    statistics, notes = describe("schema")
    assert "- t.kind: which it is.\n- t.kind is NULL in 50% of the rows." in notes
    assert "secret" not in notes + str(statistics)
    assert "2024" not in notes + str(statistics)


def test_values_are_in_the_draft_where_they_may_be_seen(describe):
    _, notes = describe("samples")
    assert "- t.kind: one of secret." in notes
    assert "- t.at goes from 2024-05-06 to 2024-05-06." in notes


def test_a_change_of_rows_behind_with_is_no_part_of_the_schema(load):
    loaded = load(
        "CREATE TABLE t (a int PRIMARY KEY);",
        "WITH one AS (SELECT 1 AS a) INSERT INTO t SELECT a FROM one; ALTER ROLE nobody_here RENAME TO other;",
    )
    assert loaded.catalog.tables[0].rows == 1
    assert "INSERT" not in loaded.schema
    assert "RENAME" not in loaded.text
