"""Keys of cells: equal exactly where PostgreSQL, or the rule, says so."""

import pytest

from sqlrl.verifier.values import ColumnType, ValueTooDeepError, canonical

ENUM = ColumnType("parcel_state", "e")
RANGE = ColumnType("numrange", "r")


def array(name: str) -> ColumnType:
    return ColumnType(f"_{name}", "b", ColumnType(name))


def key(column: str | ColumnType, text: str, exact: bool = False) -> object:
    return canonical(column if isinstance(column, ColumnType) else ColumnType(column), exact)(text)


EQUAL = [
    ("numeric", "6.90", "float8", "6.9"),
    ("int4", "3", "numeric", "3.00"),
    ("numeric", "0.13", "float8", "0.125"),
    ("numeric", "-58.75", "numeric", "-58.745"),
    ("numeric", "1.01", "float8", "1.005"),
    ("float8", "0.035", "float8", "0.034999999999999996"),
    ("float8", "1000000000000000.6", "float8", "1000000000000000.5"),
    ("int4", "1000", "float8", "1e+03"),
    ("int8", "0", "float8", "-0"),
    ("numeric", "0", "numeric", "-0.001"),
    ("numeric", "NaN", "float8", "NaN"),
    ("numeric", "Infinity", "float8", "Infinity"),
    ("numeric", "123456789012345678901234567890.12", "numeric", "123456789012345678901234567890.124"),
    ("int4", "1" + "0" * 40, "float8", "1e+40"),
    ("numeric", "1" + "0" * 6_000, "numeric", "1" + "0" * 6_000 + ".001"),
    ("float4", "0.1", "numeric", "0.1"),
    ("text", "ab", "bpchar", "ab   "),
    ("text", "ab", "varchar", "ab"),
    (ENUM, "packed", "text", "packed"),
    ("date", "2024-03-01", "timestamp", "2024-03-01 00:00:00"),
    ("timestamp", "2024-03-01 10:00:00.5", "timestamptz", "2024-03-01 10:00:00.5+00"),
    ("date", "0044-03-15 BC", "timestamptz", "0044-03-15 00:00:00+00 BC"),
    ("date", "infinity", "timestamp", "infinity"),
    ("interval", "1 day", "interval", "24:00:00"),
    ("interval", "1 mon", "interval", "30 days"),
    ("interval", "41 days -990:00:00", "interval", "-06:00:00"),
    ("interval", "1 year 2 mons", "interval", "420 days"),
    ("inet", "10.0.0.1", "cidr", "10.0.0.1/32"),
    ("macaddr", "08:00:2b:01:02:03", "macaddr8", "08:00:2b:ff:fe:01:02:03"),
    ("json", '{"a":1, "b":[1.001]}', "jsonb", '{"b": [1], "a": 1.0}'),
    ("jsonb", "1E+400", "jsonb", "1" + "0" * 400),
    (array("int4"), "{1,2,NULL}", array("numeric"), "{1.001,2,NULL}"),
    (array("text"), '{a,"b c"}', array("varchar"), '{a,"b c"}'),
    (RANGE, "[1.0,2.50)", RANGE, "[1,2.5)"),
]

DIFFERENT = [
    ("numeric", "12.5", "text", "12.5"),
    ("numeric", "10.01", "numeric", "10.02"),
    ("numeric", "12.50", "money", "$12.50"),
    ("numeric", "1", "bool", "t"),
    ("bool", "t", "text", "t"),
    ("numeric", "123456789012345678901234567890.12", "numeric", "123456789012345678901234567890.13"),
    ("text", "ab", "text", "ab "),
    ("text", "Gent", "text", "gent"),
    ("text", "3.0", "text", "3"),
    ("date", "2024-03-01", "text", "2024-03-01"),
    ("date", "infinity", "date", "-infinity"),
    ("date", "10000-06-23", "date", "9999-06-23"),
    ("date", "0044-03-15 BC", "date", "0044-03-15"),
    ("timestamp", "2024-03-01 10:00:00", "timestamp", "2024-03-01 10:00:00.001"),
    ("time", "24:00:00", "time", "00:00:00"),
    ("timetz", "10:00:00+02", "timetz", "08:00:00+00"),
    ("interval", "1 year", "interval", "365 days"),
    ("interval", "infinity", "interval", "00:00:00"),
    ("interval", "8 days", "int4", "8"),
    ("interval", "-00:00:01", "interval", "00:00:01"),
    ("uuid", "8f1a9623-7f61-428f-9948-b2c33ff41282", "text", "8f1a9623-7f61-428f-9948-b2c33ff41282"),
    ("jsonb", '"oak"', "text", "oak"),
    ("jsonb", "null", "jsonb", '"null"'),
    ("jsonb", "1", "jsonb", '"1"'),
    ("jsonb", "1", "jsonb", "true"),
    ("jsonb", "[1,2]", "jsonb", "[2,1]"),
    ("jsonb", "[]", "jsonb", "{}"),
    ("jsonb", "12345678901234567890", "jsonb", "12345678901234567890.5"),
    ("bytea", "\\x00ff", "text", "\\x00ff"),
    (array("text"), "{a,b}", "text", "{a,b}"),
    (array("text"), "{NULL}", array("text"), '{"NULL"}'),
    (array("text"), '{"a,b"}', array("text"), "{a,b}"),
    (array("text"), '{"a\\"b"}', array("text"), '{"a\\\\b"}'),
    (array("int4"), "{{1,2},{3,4}}", array("int4"), "{1,2,3,4}"),
    (array("int4"), "[0:1]={1,2}", array("int4"), "{1,2}"),
    (array("int4"), "{1}", array("text"), "{1}"),
    (ColumnType("int4range", "r"), "[1,5)", ColumnType("int8range", "r"), "[1,5)"),
]


@pytest.mark.parametrize(("left_type", "left", "right_type", "right"), EQUAL)
def test_values_that_are_equal_have_equal_keys(left_type, left, right_type, right) -> None:
    assert key(left_type, left) == key(right_type, right)
    assert hash(key(left_type, left)) == hash(key(right_type, right))


@pytest.mark.parametrize(("left_type", "left", "right_type", "right"), DIFFERENT)
def test_values_that_differ_have_different_keys(left_type, left, right_type, right) -> None:
    assert key(left_type, left) != key(right_type, right)


def test_exact_keys_keep_what_rounding_takes_away_and_nothing_else() -> None:
    assert key("numeric", "10.001", exact=True) != key("numeric", "10.004", exact=True)
    assert key("numeric", "10.10", exact=True) == key("numeric", "10.1", exact=True)
    assert key("float8", "-0", exact=True) == key("float8", "0", exact=True)


def test_json_that_is_nested_too_deeply_is_refused_and_not_a_crash() -> None:
    with pytest.raises(ValueTooDeepError):
        key("jsonb", "[" * 5_000 + "]" * 5_000)


def test_a_json_number_beyond_every_type_keeps_its_text() -> None:
    assert key("json", "1e99999999999999999999") == key("json", "1e99999999999999999999")
