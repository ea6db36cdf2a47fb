import psycopg
import pytest

from sqlrl.database.catalog import read_tables
from sqlrl.database.connect import connect
from sqlrl.database.snapshot import restore, snapshot
from sqlrl.errors import UserError

SCHEMA = """
CREATE TABLE "Order" (
    id integer PRIMARY KEY,
    "select" text,
    moment timestamptz,
    ratio double precision,
    bytes bytea,
    span interval,
    parent integer REFERENCES "Order" (id)
);
CREATE TABLE pairs (b text, a text, PRIMARY KEY (a, b));
COMMENT ON COLUMN pairs.a IS 'first; it''s said';
"""
ROWS = [
    (2, "tab\there, line\nbreak, back\\slash", "2025-03-01 12:00+02", 0.1, b"\x00\xff", "1 day 02:03", None),
    (1, "\\.", None, float("nan"), b"", "-3 months", 2),
    (3, "", "infinity", 1e300, None, None, 1),
    (4, "\\N żółć 日本", "2025-01-01 00:00:00.123456 BC", -0.0, None, None, None),
]


@pytest.fixture(scope="module")
def written(server):
    with connect(server.create_database("source")) as connection:
        connection.execute(SCHEMA)
        insert = 'INSERT INTO "Order" VALUES (%s, %s, %s, %s, %s, %s, %s)'
        for row in sorted(ROWS, key=lambda row: row[6] is not None):
            connection.execute(insert, (*row[:6], None))
        for row in ROWS:
            connection.execute('UPDATE "Order" SET parent = %s WHERE id = %s', (row[6], row[0]))
        connection.execute("INSERT INTO pairs VALUES ('b', 'x'), ('a', 'y'), ('a', 'x'), ('Z', 'x')")
        return snapshot(connection, SCHEMA, read_tables(connection))


def test_a_restored_snapshot_writes_the_same_snapshot(server, written, tmp_path):
    dump = tmp_path / "copy.sql"
    dump.write_text(written, encoding="utf-8", newline="\n")
    with connect(server.create_database("copy", dump)) as connection:
        assert snapshot(connection, SCHEMA, read_tables(connection)) == written
        texts = connection.execute('SELECT id, "select" FROM "Order" ORDER BY id').fetchall()
    assert dict(texts) == {row[0]: row[1] for row in ROWS}


def test_rows_are_ordered_by_primary_key_and_names_quoted_where_they_must_be(written):
    assert 'COPY "Order" (id, "select", moment, ratio, bytes, span, parent) FROM stdin;\n1\t' in written
    assert written.endswith("COPY pairs (b, a) FROM stdin;\nZ\tx\na\tx\na\ty\nb\tx\n\\.\n")


def test_the_order_in_which_rows_were_stored_does_not_change_a_snapshot(server, written):
    with connect(server.owner_conninfo("source")) as connection:
        connection.execute("UPDATE pairs SET a = a WHERE b = 'Z'")
        assert snapshot(connection, SCHEMA, read_tables(connection)) == written


def test_a_cut_off_dump_is_refused_and_leaves_an_empty_database(server, written, tmp_path):
    dump = tmp_path / "cut.sql"
    dump.write_text(written[: written.index("b\tx")], encoding="utf-8", newline="\n")
    conninfo = server.create_database("cut")
    with pytest.raises(UserError, match=r"cut\.sql.*cut off"):
        restore(dump, conninfo)
    with connect(conninfo) as connection:
        assert read_tables(connection) == ()


def test_rows_that_break_a_constraint_are_refused(server, tmp_path):
    dump = tmp_path / "broken.sql"
    dump.write_text("CREATE TABLE t (n integer CHECK (n > 0));\nCOPY t (n) FROM stdin;\n0\n\\.\n")
    with pytest.raises(psycopg.errors.CheckViolation):
        server.create_database("broken", dump)


def test_a_restored_database_has_statistics(server, written, tmp_path):
    dump = tmp_path / "analysed.sql"
    dump.write_text(written, encoding="utf-8", newline="\n")
    with connect(server.create_database("analysed", dump)) as connection:
        assert connection.execute("SELECT reltuples FROM pg_class WHERE relname = 'pairs'").fetchone() == (4,)


def test_the_catalog_tells_types_keys_references_and_comments(server, written):
    with connect(server.owner_conninfo("source")) as connection:
        order, pairs = read_tables(connection)
    assert (order.name, order.rows, pairs.rows) == ("Order", 4, 4)
    parent = order.columns[-1]
    assert (parent.type, parent.nullable, parent.key, parent.references) == (
        "integer",
        True,
        False,
        "Order.id",
    )
    assert [(column.name, column.key, column.comment) for column in pairs.columns] == [
        ("b", True, None),
        ("a", True, "first; it's said"),
    ]
