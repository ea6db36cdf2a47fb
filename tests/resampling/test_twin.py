"""Twins of an own schema: PostgreSQL takes their rows, and they are other rows."""

import re

import pytest

from sqlrl.database.connect import connect
from sqlrl.database.own import load_database
from sqlrl.errors import UserError
from sqlrl.resampling.twin import resample_database
from tests.database.schemas import NAMES


def blocks(text: str) -> dict[str, list[str]]:
    """Lines of rows by table."""
    found = re.findall(r"^COPY (\S+) \(.*?\) FROM stdin;\n(.*?)^\\\.$", text, re.MULTILINE | re.DOTALL)
    return {table: rows.splitlines() for table, rows in found}


@pytest.fixture
def resample(server, tmp_path):
    """Loads a schema with rows and resamples it."""

    def run(schema: str, rows: str, seed: int = 2) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        (tmp_path / "schema.sql").write_text(schema)
        (tmp_path / "seed.sql").write_text(rows)
        loaded = load_database(server, [tmp_path / "schema.sql", tmp_path / "seed.sql"], "own")
        (tmp_path / "main.sql").write_text(loaded.text, encoding="utf-8", newline="\n")
        text, _ = resample_database(server, tmp_path / "main.sql", "own", f"twin-{seed}", seed)
        return blocks(loaded.text), blocks(text)

    return run


@pytest.mark.parametrize("name", NAMES)
def test_a_twin_restores_under_all_constraints_of_the_schema(server, twins, name, tmp_path):
    for text in twins[name].values():
        (tmp_path / "twin.sql").write_text(text, encoding="utf-8", newline="\n")
        with connect(server.create_database("restored", tmp_path / "twin.sql")) as connection:
            loose = "SELECT count(*) FROM pg_constraint WHERE NOT convalidated"
            assert connection.execute(loose).fetchone() == (0,)
        server.drop_database("restored")


@pytest.mark.parametrize("name", NAMES)
def test_a_twin_has_about_as_many_rows_as_main_and_others(mains, twins, name):
    main = blocks(mains[name].read_text())
    first, second = (blocks(text) for text in twins[name].values())
    assert main.keys() == first.keys()
    for table, rows in main.items():
        assert 0.5 * len(rows) <= len(first[table]) <= 1.5 * len(rows)
        if len(rows) > 10:
            assert set(first[table]) != set(rows) != set(second[table]) != set(first[table])
    assert [len(rows) for rows in main.values()] != [len(rows) for rows in first.values()]


def test_the_schema_of_a_twin_is_that_of_main(mains, twins):
    def statements(text):
        return re.sub(r"^(COPY .*?;\n).*?^\\\.$", r"\1", text, flags=re.MULTILINE | re.DOTALL)

    for name, main in mains.items():
        assert {statements(text) for text in twins[name].values()} == {statements(main.read_text())}


def test_one_seed_gives_one_text(server, mains, twins):
    again, catalog = resample_database(server, mains["trade"], "trade", "twin-2", 2)
    assert again == twins["trade"][2]
    assert catalog.instance == "twin-2"


def test_the_share_of_parents_without_children_stays_near(mains, twins):
    def childless(text):
        rows = blocks(text)
        lent = {row.split("\t")[1] for row in rows["loans"]}
        copies = {row.split("\t")[0] for row in rows["copies"]}
        return len(copies - lent) / len(copies)

    main = childless(mains["films"].read_text())
    for text in twins["films"].values():
        assert abs(childless(text) - main) < 0.15


def test_a_tree_keeps_its_levels_and_has_no_circle(resample):
    rows = ", ".join(f"({i}, {'NULL' if i < 4 else i // 3}, 'n{i}')" for i in range(1, 31))
    main, twin = resample(
        "CREATE TABLE t (id int PRIMARY KEY, up int REFERENCES t CHECK (up <> id), name text);",
        f"INSERT INTO t VALUES {rows};",
    )

    def depths(lines):
        above = {row.split("\t")[0]: row.split("\t")[1] for row in lines}

        def depth(one):
            return 0 if above[one] == "\\N" else 1 + depth(above[one])

        return {depth(one) for one in above}

    assert depths(twin["t"]) <= depths(main["t"])
    assert 1 in depths(twin["t"])


def test_numbers_and_dates_stay_in_their_range_and_in_their_steps(resample):
    rows = ", ".join(f"({i}, {i * 5 % 95}.50, date '2024-01-01' + {i * 7})" for i in range(1, 61))
    main, twin = resample(
        "CREATE TABLE t (id int PRIMARY KEY, price numeric(8, 2), day date);", f"INSERT INTO t VALUES {rows};"
    )
    prices = [float(row.split("\t")[1]) for row in twin["t"]]
    assert all(0.5 <= price <= 90.5 and (price - 0.5) % 5 == 0 for price in prices)
    days = {row.split("\t")[2] for row in twin["t"]}
    assert days <= {row.split("\t")[2] for row in main["t"]}


def test_dates_that_follow_each_other_still_do_without_a_check(resample):
    rows = ", ".join(
        f"({i}, date '2024-01-01' + {i * 37 % 300}, date '2024-01-03' + {i * 37 % 300})" for i in range(1, 61)
    )
    _, twin = resample(
        "CREATE TABLE t (id int PRIMARY KEY, starts date, ends date);", f"INSERT INTO t VALUES {rows};"
    )
    assert all(row.split("\t")[1] <= row.split("\t")[2] for row in twin["t"])


def test_keys_that_point_to_each_other_in_a_circle_are_resampled(resample):
    _, twin = resample(
        "CREATE TABLE a (id int PRIMARY KEY, b int); CREATE TABLE b (id int PRIMARY KEY, a int NOT NULL REFERENCES a);"
        "ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES b;",
        "INSERT INTO a SELECT i, i FROM generate_series(1, 20) i;"
        "INSERT INTO b SELECT i, 21 - i FROM generate_series(1, 20) i;",
    )
    known = {row.split("\t")[0] for row in twin["b"]}
    assert all(row.split("\t")[1] in known | {"\\N"} for row in twin["a"])


def test_an_exclusion_holds(resample):
    _, twin = resample(
        "CREATE TABLE t (id int PRIMARY KEY, during int4range, who text, EXCLUDE USING gist (during WITH &&));",
        "INSERT INTO t SELECT i, int4range(i * 10, i * 10 + 8), 'w' || i % 7 FROM generate_series(1, 40) i;",
    )
    assert len(twin["t"]) >= 30


def test_a_generated_column_stays_unique(resample):
    _, twin = resample(
        "CREATE TABLE t (id int PRIMARY KEY, mail text NOT NULL,"
        " small text GENERATED ALWAYS AS (lower(mail)) STORED UNIQUE);",
        "INSERT INTO t (id, mail) SELECT n, 'A' || n || '@example.com' FROM generate_series(1, 40) n;",
    )
    mails = [row.split("\t")[1] for row in twin["t"]]
    assert 20 <= len(mails) == len(set(mails))


def test_a_circle_of_keys_that_are_unique_is_refused_with_the_tables(resample):
    with pytest.raises(
        UserError, match="the foreign keys of a, b form a circle, and each is part of what must be"
    ):
        resample(
            "CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (id int PRIMARY KEY REFERENCES a);"
            "ALTER TABLE a ADD FOREIGN KEY (id) REFERENCES b;",
            "INSERT INTO a VALUES (1); INSERT INTO b VALUES (1);",
        )


def test_a_database_whose_rows_can_not_differ_is_refused(resample):
    with pytest.raises(UserError, match="would have the same rows as main"):
        resample("CREATE TABLE t (a text);", "INSERT INTO t VALUES ('only');")
