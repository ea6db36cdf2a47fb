"""How grammars join tables, describe rows and choose measures, on tables that belong to no schema."""

from dataclasses import replace

import pytest

from sqlrl.authoring.grammar.filters import Filter
from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.measures import count_of, fitting, of_column, some
from sqlrl.authoring.grammar.scope import Scope
from sqlrl.authoring.grammar.tables import Link, Tables

TABLES = Tables(
    aliases={"towns": "t", "houses": "h", "rooms": "r"},
    nouns={"towns": ("town", "towns"), "houses": ("house", "houses"), "rooms": ("room", "rooms")},
    links=(
        Link("houses", "towns", "town_code", "in", "that stand in", key="code"),
        Link("rooms", "houses", "house_id", "of", "that belong to"),
    ),
    plurals={},
    roles={"towns": "place"},
)
BIG = Filter("rooms", "r.size > 9", "~ above 9", "{of}size > 9", "{at}size > 9", "size")
OLD = Filter("houses", "h.age > 99", "old ~", "{of}old", "{at}age > 99", "age")
QUIET = Filter("towns", "t.quiet", "~ that are quiet", "{of}quiet", "{at}quiet is true", "quiet")


def test_joins_lead_through_the_tables_between_by_each_link_s_own_key():
    assert Scope(TABLES, "rooms", (QUIET,)).source() == (
        "rooms r JOIN houses h ON r.house_id = h.id JOIN towns t ON h.town_code = t.code"
    )


def test_there_is_no_way_against_a_foreign_key():
    with pytest.raises(ValueError, match="no foreign keys lead from towns to rooms"):
        TABLES.path_to("towns", "rooms")


def test_rows_are_described_with_the_conditions_of_each_table_at_its_noun():
    rows = Scope(TABLES, "rooms", (BIG, OLD, QUIET))
    assert rows.rows("casual") == "rooms above 9 that belong to old houses in towns that are quiet"
    assert rows.rows("terse") == "rooms, size > 9, house old, place quiet"
    assert rows.rows("analyst") == "rooms where size > 9, houses.age > 99 and towns.quiet is true"


def test_absorbed_conditions_are_said_like_the_row_s_own():
    tables = replace(TABLES, absorbed={"houses": ("towns",)})
    assert Scope(tables, "houses", (OLD, QUIET)).rows("formal") == "old houses that are quiet"


def test_a_measure_within_a_family_needs_a_condition_or_a_key_of_it():
    value = replace(of_column("rooms", "AVG", "r.value", "v", "value", "value"), within="size")
    key = Key("size", "rooms", "r.size", "size", "sizes", "size", "rooms.size")
    assert fitting([value], Scope(TABLES, "rooms")) == []
    assert fitting([value], Scope(TABLES, "rooms", (BIG,))) == [value]
    assert fitting([value], Scope(TABLES, "rooms"), key) == [value]


def test_what_may_be_missing_is_no_measure_of_groups():
    key = Key("size", "rooms", "r.size", "size", "sizes", "size", "rooms.size")
    count, value = count_of("rooms"), some(of_column("rooms", "AVG", "r.value", "v", "value", "value"))
    assert fitting([count, value], Scope(TABLES, "rooms"), key) == [count]
    assert fitting([count, value], Scope(TABLES, "rooms")) == [count, value]
