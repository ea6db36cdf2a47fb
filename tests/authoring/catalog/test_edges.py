import pytest

from sqlrl.authoring.catalog.edges import Edge, bridges, read_edges
from sqlrl.authoring.catalog.facts import read_facts
from sqlrl.authoring.catalog.roles import TableMeaning, give_meaning
from sqlrl.authoring.catalog.structure import Field, ForeignKey, Relation, read_structure


@pytest.fixture
def tables(ask_of):
    def of(schema: str) -> dict[str, TableMeaning]:
        ask = ask_of(schema)
        relations = read_structure(ask).relations
        return {name: give_meaning(one, read_facts(ask, one)) for name, one in relations.items()}

    return of


def edge(column: str, parent: str, child: str = "deals") -> Edge:
    """The foreign key of one column between two tables."""
    field = Field(column, column, "int4", "number", True, None)
    relation = Relation(child, child, None, (field,), (), (), (ForeignKey((column,), parent, ("id",)),))
    key = Field("id", "id", "int4", "number", True, None)
    other = Relation(parent, parent, None, (key,), ("id",), (("id",),), ())
    made = {name: give_meaning(one, {}) for name, one in ((child, relation), (parent, other))}
    return read_edges(made)[child][0]


@pytest.mark.parametrize(
    ("column", "parent", "role"),
    [
        ("customer_id", "customers", "customer"),
        ("CustomerId", "customer", "customer"),
        ("sales_rep_id", "employees", "sales rep"),
        ("billing_address_id", "addresses", "billing address"),
        ("parent_id", "categories", "parent category"),
        ("manager", "employees", "manager"),
        ("created_by", "users", "user (created_by)"),
        ("reports_to", "employees", "employee (reports_to)"),
        ("requires", "courses", "course (requires)"),
        ("address_id", "addresses", "address"),
        ("id", "people", "person"),
    ],
)
def test_what_a_foreign_key_leads_to_is_called_by_its_column(column, parent, role):
    assert edge(column, parent).role == role


def test_a_plain_role_is_what_the_parent_is_called_anyway():
    assert edge("customer_id", "customers").plain
    assert not edge("sales_rep_id", "employees").plain


def test_two_ways_to_one_table_have_two_names(tables):
    roles = {one.names: one.role for one in read_edges(tables("rentals"))["film"]}
    assert roles == {("language_id",): "language", ("original_language_id",): "original language"}


def test_keys_of_several_columns_join_on_all_of_them(tables):
    found = {one.parent: one for one in read_edges(tables("campus"))["enrolment"]}
    assert found["section"].on("e", "s") == "e.course_code = s.course_code AND e.section_no = s.section_no"
    assert not found["section"].single


def test_a_table_of_nothing_but_links_leads_from_one_table_to_another(tables):
    found = tables("rentals")
    linked = bridges(found, read_edges(found))
    assert [one.far.parent for one in linked["actor"]] == ["film"]
    assert sorted(one.far.parent for one in linked["film"]) == ["actor", "category"]
    trade = tables("trade")
    assert [one.far.parent for one in bridges(trade, read_edges(trade))["orders"]] == []
