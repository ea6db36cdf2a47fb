"""A running database as files: what is taken, what is left out, what is refused; nothing is written on its server."""

import json
import re
import time

import pytest

from sqlrl.database.connect import connect
from sqlrl.database.own import load_database
from sqlrl.database.server import own_database
from sqlrl.errors import UserError
from sqlrl.live.connection import read_only
from tests.database.schemas import NAMES


def rows_of(folder, table):
    """Rows of one table in seed.sql, as tuples by the order of its columns."""
    text = (folder / "seed.sql").read_text()
    found = re.search(rf'^COPY "{table}" \((.*?)\) FROM stdin;\n(.*?)^\\\.$', text, re.MULTILINE | re.DOTALL)
    if not found:
        return []
    columns = [name.strip('"') for name in found[1].split(", ")]
    return [dict(zip(columns, line.split("\t"), strict=True)) for line in found[2].splitlines()]


def state(server, database):
    """What the running server has in a database, changes of any row included."""
    with connect(server.owner_conninfo(database)) as connection:
        query = "SELECT sum(n_tup_ins + n_tup_upd + n_tup_del), sum(n_live_tup) FROM pg_stat_user_tables"
        return connection.execute(query).fetchone(), connection.execute(
            "SELECT count(*) FROM pg_class"
        ).fetchone()


@pytest.mark.parametrize("name", NAMES)
def test_a_snapshot_loads_and_nothing_is_written_on_the_server(server, take, name):
    before = state(server, name)
    folder = take(name)
    assert state(server, name) == before
    loaded = load_database(server, [folder / "schema.sql", folder / "seed.sql"], "again")
    assert sum(table.rows for table in loaded.catalog.tables) > 100
    assert "s3cret" not in "".join(file.read_text() for file in folder.iterdir())


def test_even_a_role_with_all_rights_writes_nothing_in_the_transaction(server):
    with (
        pytest.raises(UserError, match="cannot execute DELETE in a read-only transaction"),
        read_only(server.owner_conninfo("films"), "FILMS_URL", 5) as connection,
    ):
        connection.execute("DELETE FROM loans")


def test_materialised_views_can_be_read_afterwards(server, take):
    folder = take("museum")
    loaded = load_database(server, [folder / "schema.sql", folder / "seed.sql"], "again")
    dump = folder / "main.sql"
    dump.write_text(loaded.text, encoding="utf-8", newline="\n")
    with own_database(server, "restored", dump) as connection:
        views = connection.execute("SELECT count(*), bool_and(ispopulated) FROM pg_matviews").fetchone()
    assert views[0] > 0
    assert views[1]


def test_an_extension_that_no_reply_may_use_is_left_behind(server, take):
    with connect(server.owner_conninfo("trade")) as connection:
        connection.execute("CREATE EXTENSION tablefunc")
    try:
        assert "EXTENSION" not in (take("trade") / "schema.sql").read_text()
    finally:
        with connect(server.owner_conninfo("trade")) as connection:
            connection.execute("DROP EXTENSION tablefunc")


def test_comments_views_enums_and_triggers_come_along(take):
    schema = (take("films") / "schema.sql").read_text()
    for text in (
        "Euro for one loan",
        "CREATE VIEW open_loans",
        "CREATE TYPE rating",
        "CREATE TRIGGER loans_stay",
    ):
        assert text in schema
    assert "OWNER" not in schema
    assert "CREATE TABLE films" in schema


def test_a_second_snapshot_gives_the_same_files_and_overwrites_no_hand_written_one(take):
    folder = take("films")
    before = {file.name: file.read_text() for file in folder.iterdir()}
    take("films")
    assert {file.name: file.read_text() for file in folder.iterdir()} == before
    (folder / "notes.md").write_text("- mine\n")
    take("films")
    assert (folder / "notes.md").read_text() == "- mine\n"
    assert (folder / "notes.draft.md").read_text() == before["notes.md"]
    (folder / "schema.sql").write_text("-- mine\n")
    with pytest.raises(UserError, match=r"schema\.sql: was not written by a snapshot, or was changed since"):
        take("films")


def test_a_small_sample_keeps_every_foreign_key_whole(server, take):
    folder = take("trade", rows_per_table=5)
    loaded = load_database(server, [folder / "schema.sql", folder / "seed.sql"], "again")
    rows = {table.name: table.rows for table in loaded.catalog.tables}
    assert rows["order_lines"] == 5
    assert 5 <= rows["orders"] <= 15


def test_an_excluded_column_is_in_no_file(take):
    folder = take("films", may_see="samples", exclude_columns=("castings.part", "films.sequel_of"))
    text = "".join(file.read_text() for file in folder.iterdir() if file.name != "statistics.json")
    assert "sequel_of" not in text
    assert "part" not in rows_of(folder, "castings")[0]
    assert "detective" not in text
    assert json.loads((folder / "statistics.json").read_text())["settings"]["exclude_columns"]


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("films.film_id", "films.film_id is needed by .*films_pkey"),
        ("members.name", "members.name is needed: .*view open_loans depends on column name"),
        ("members.left_on", "members.left_on is needed by members_check"),
        ("loans.returned_at", "loans.returned_at is needed by loans_check"),
        ("films.nothing", 'no column is called "films.nothing"'),
    ],
)
def test_a_column_that_is_needed_can_not_be_excluded(take, column, message):
    with pytest.raises(UserError, match=message):
        take("films", exclude_columns=(column,))


def test_masked_values_are_others_of_the_same_shape_and_equal_where_the_true_ones_were(take):
    true = rows_of(take("films", exclude_columns=("castings.part",)), "members")
    fake = rows_of(take("films", mask_columns=("members.email", "members.name")), "members")
    assert not {row["email"] for row in true} & {row["email"] for row in fake}
    assert all(re.fullmatch(r"[a-z]+\.\d+@[a-z]+\.[a-z]+", row["email"]) for row in fake)
    by_id = {row["member_id"]: row["name"] for row in fake}
    pairs = {(row["name"], by_id[row["member_id"]]) for row in true}
    assert len(pairs) == len({name for name, _ in pairs}) == len({name for _, name in pairs})


def test_a_masked_key_is_masked_where_it_is_referred_to(take):
    folder = take("films", mask_columns=("members.member_id",))
    members = {row["member_id"] for row in rows_of(folder, "members")}
    assert {row["member_id"] for row in rows_of(folder, "loans")} <= members
    assert members != {str(number) for number in range(1, 61)}


def test_a_type_without_made_up_values_is_refused(take):
    with pytest.raises(UserError, match=r"pieces\.about is of type jsonb"):
        take("museum", mask_columns=("pieces.about",))


def test_a_role_without_rights_is_told_the_tables_and_the_grant(server, take):
    with connect(server.owner_conninfo("films")) as connection:
        connection.execute("REVOKE SELECT ON members, loans FROM reader")
        try:
            with pytest.raises(UserError) as caught:
                take("films")
        finally:
            connection.execute("GRANT SELECT ON members, loans TO reader")
    message = str(caught.value)
    assert "the role reader may not read public.members, public.loans" in message
    assert 'GRANT SELECT ON "public"."members", "public"."loans" TO "reader";' in message


def test_tables_are_chosen_by_pattern_and_bring_those_they_need(server, take):
    folder = take("films", include=("cast*",))
    loaded = load_database(server, [folder / "schema.sql", folder / "seed.sql"], "again")
    assert {table.name for table in loaded.catalog.tables} == {"castings", "films", "actors", "languages"}


def test_a_table_that_another_needs_can_not_be_excluded_but_with_the_column(server, take):
    with pytest.raises(
        UserError, match=r"loans needs public\.members by its foreign key loans_member_id_fkey"
    ):
        take("films", exclude=("members",))
    folder = take("films", exclude=("members",), exclude_columns=("loans.member_id",))
    assert "members" not in (folder / "schema.sql").read_text()


def test_tables_of_several_schemas_stand_in_public_afterwards(server, take):
    with connect(server.create_database("several")) as connection:
        connection.execute(
            "CREATE SCHEMA sales; CREATE SCHEMA \"Mixed\"; CREATE TYPE sales.kind AS ENUM ('a', 'b');"
            'CREATE TABLE "Mixed"."Parent" (id serial PRIMARY KEY, k sales.kind);'
            'CREATE TABLE sales.child (id int PRIMARY KEY, p int REFERENCES "Mixed"."Parent");'
            'CREATE VIEW sales.both AS SELECT c.id, p.k FROM sales.child c JOIN "Mixed"."Parent" p ON p.id = c.p;'
            "INSERT INTO \"Mixed\".\"Parent\" (k) VALUES ('a'), ('b'); INSERT INTO sales.child VALUES (1, 2);"
            'GRANT USAGE ON SCHEMA sales, "Mixed" TO reader;'
            'GRANT SELECT ON ALL TABLES IN SCHEMA sales, "Mixed" TO reader;'
        )
    folder = take("several", schemas=("sales", "Mixed"))
    schema = (folder / "schema.sql").read_text()
    assert "sales" not in schema
    assert 'CREATE TABLE "Parent"' in schema
    server.drop_database("several")


def test_a_sample_that_is_too_large_names_the_tables(take):
    with pytest.raises(UserError, match=r"more than snapshot\.megabytes \(0\.001\); largest are public\."):
        take("trade", megabytes=0.001)


def test_a_variable_that_is_not_set_or_no_url_is_told_without_it(take, monkeypatch, tmp_path):
    from sqlrl.live.connection import read_url

    monkeypatch.delenv("NOT_SET_URL", raising=False)
    with pytest.raises(UserError, match="NOT_SET_URL is not set: export NOT_SET_URL="):
        read_url("NOT_SET_URL")
    monkeypatch.setenv("NOT_SET_URL", "mysql://app:s3cret@localhost/shop")
    with pytest.raises(UserError) as caught:
        read_url("NOT_SET_URL")
    assert "s3cret" not in str(caught.value)


def test_five_hundred_tables_are_taken_in_reasonable_time(server, take):
    with connect(server.create_database("many")) as connection:
        for number in range(500):
            parent = f"REFERENCES t{number - 1}" if number else ""
            connection.execute(f"CREATE TABLE t{number} (id int PRIMARY KEY, up int {parent}, name text)")
            connection.execute(f"INSERT INTO t{number} VALUES (1, 1, 'a'), (2, 1, 'b')")
        connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
    start = time.monotonic()
    folder = take("many")
    assert time.monotonic() - start < 240
    assert (folder / "schema.sql").read_text().count("CREATE TABLE") == 500
    server.drop_database("many")
