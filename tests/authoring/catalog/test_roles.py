import pytest

from sqlrl.authoring.catalog.facts import Facts, is_sayable, read_acyclic, read_facts
from sqlrl.authoring.catalog.roles import TableMeaning, give_meaning
from sqlrl.authoring.catalog.structure import read_structure


@pytest.fixture
def table(ask_of):
    def of(schema: str, name: str) -> TableMeaning:
        ask = ask_of(schema)
        relation = read_structure(ask).relations[name]
        return give_meaning(relation, read_facts(ask, relation))

    return of


def roles(table: TableMeaning) -> dict[str, str]:
    return {one.name: one.role for one in table.meanings}


def test_columns_are_what_their_data_make_them(table):
    assert roles(table("rentals", "film")) == {
        "film_id": "key",
        "title": "shown",
        "release_year": "ordinal",
        "language_id": "key",
        "original_language_id": "key",
        "rental_rate": "measure",
        "replacement_cost": "measure",
        "length": "measure",
        "rating": "category",
    }


def test_what_no_question_can_be_about_is_left_out(table):
    assert set(roles(table("campus", '"Student"'))) == {
        "studentId",
        "fullName",
        "homeCity",
        "enrolledOn",
        "mentor",
    }
    assert set(roles(table("campus", '"Department"'))) == {"departmentCode", "departmentName"}


def test_a_row_is_named_by_what_no_other_row_has(table):
    names = {
        name: found.identity.name if found.identity else None
        for schema, name in (
            ("rentals", "film"),
            ("rentals", "actor"),
            ("rentals", "film_actor"),
            ("trade", "customers"),
            ("trade", "orders"),
            ("campus", "section"),
        )
        if (found := table(schema, name))
    }
    assert names == {
        "film": "title",
        "actor": "actor_id",
        "film_actor": None,
        "customers": "company_name",
        "orders": "order_id",
        "section": None,
    }


def test_rates_are_not_added_up_and_amounts_are(table):
    added = {one.name: one.added for one in table("rentals", "film").of("measure")}
    assert not added["rental_rate"]
    assert {one.name: one.added for one in table("rentals", "payment").of("measure")}["amount"]


def test_a_comment_that_is_a_name_is_used_and_another_is_not(table):
    labels = {one.name: one.label for one in table("campus", '"order"').meanings}
    assert (labels["group"], labels["user"], labels["from"]) == ("price group", "user", '"from" date')


def test_a_table_without_rows_means_nothing(table):
    assert table("campus", "empty_one").rows == 0
    assert set(roles(table("campus", "empty_one")).values()) <= {"key"}


@pytest.mark.parametrize("text", ["Spain", "PG-13", "Old Town", "A/B", "3.5", "-1", "Größe", "C++"])
def test_plain_values_can_be_said(text):
    assert is_sayable(text)


@pytest.mark.parametrize("text", ["", " x", "x ", "it's", "a\nb", "{x}", "a  b", '"', "~"])
def test_values_that_a_question_would_garble_are_not_asked_for(text):
    assert not is_sayable(text)


def test_facts_tell_full_from_unique():
    assert Facts(rows=3, filled=3, distinct=3).unique
    assert not Facts(rows=3, filled=3, distinct=2).unique
    assert not Facts(rows=3, filled=2, distinct=2).full
    assert not Facts(rows=0, filled=0, distinct=0).full


def test_rows_in_a_ring_are_no_tree(ask_of):
    assert read_acyclic(ask_of("rentals"), "staff", "staff_id", "reports_to")
    assert not read_acyclic(lambda query: [(1, 3)], "staff", "staff_id", "reports_to")
