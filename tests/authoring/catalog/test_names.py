import pytest

from sqlrl.authoring.catalog.names import (
    be,
    beside,
    column_words,
    date_label,
    flag_label,
    identifier,
    plural,
    plural_words,
    singular,
    split_words,
    table_noun,
)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("order_items", "order items"),
        ("OrderItems", "order items"),
        ("orderItemID", "order item id"),
        ("Order Items", "order items"),
        ("HTTPCode", "http code"),
        ("line2text", "line2text"),
        ("straße", "straße"),
        ("a", "a"),
    ],
)
def test_names_are_split_where_a_reader_would(name, words):
    assert " ".join(split_words(name)) == words


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("order", "orders"),
        ("category", "categories"),
        ("day", "days"),
        ("address", "addresses"),
        ("status", "statuses"),
        ("box", "boxes"),
        ("branch", "branches"),
        ("diagnosis", "diagnoses"),
        ("movie", "movies"),
        ("person", "people"),
        ("child", "children"),
        ("bus", "buses"),
        ("series", "series"),
        ("staff", "staff"),
        ("case", "cases"),
        ("house", "houses"),
        ("purchase", "purchases"),
        ("warehouse", "warehouses"),
        ("license", "licenses"),
        ("database", "databases"),
        ("course", "courses"),
        ("expense", "expenses"),
        ("price", "prices"),
        ("tax", "taxes"),
        ("analysis", "analyses"),
    ],
)
def test_singular_and_plural_are_each_others_inverse(one, many):
    assert plural(one) == many
    assert singular(many) == one
    assert singular(one) == one


@pytest.mark.parametrize(
    ("name", "comment", "noun"),
    [
        ("film", None, ("film", "films")),
        ("order_items", None, ("order item", "order items")),
        ("tbl_person", None, ("person", "people")),
        ("order", "Bookshop order", ("bookshop order", "bookshop orders")),
        ("order", "One row for each order that came in, whoever placed it", ("order", "orders")),
        ("PEOPLE", None, ("person", "people")),
    ],
)
def test_a_table_is_called_by_its_name_or_by_a_comment_that_is_one(name, comment, noun):
    assert table_noun(name, comment) == noun


def test_labels_say_what_a_column_is():
    assert column_words("unitPrice") == "unit price"
    assert column_words("qty") == "quantity"
    assert column_words("x1", "price group") == "price group"
    assert column_words("note", "see the manual, chapter 2") == "note"


@pytest.mark.parametrize(
    ("words", "label"),
    [
        ("order date", "order date"),
        ("created at", "created date"),
        ("hired on", "hired date"),
        ("last update", "last update date"),
        ("from", '"from" date'),
    ],
)
def test_dates_are_called_dates(words, label):
    assert date_label(words) == label


def test_what_is_true_or_false_is_called_a_flag():
    assert flag_label("is active") == "active flag"
    assert flag_label("gift flag") == "gift flag"


def test_no_word_stands_twice_where_a_noun_meets_a_label():
    assert beside("customer", "name") == "customer name"
    assert beside("customer", "customer id") == "customer id"
    assert beside("product group", "group name") == "product group name"


def test_brackets_stay_behind_a_plural():
    assert plural_words("customer (referred_by)") == "customers (referred_by)"


def test_verbs_agree_with_labels():
    assert [be(label) for label in ("price", "seats", "status", "units in stock", "address")] == [
        "is",
        "are",
        "is",
        "is",
        "is",
    ]


@pytest.mark.parametrize(
    ("parts", "name"), [(("order", "userName"), "order_user_name"), (("größe",), "gre"), (("2nd",), "c_2nd")]
)
def test_identifiers_need_no_quotes(parts, name):
    assert identifier(*parts) == name
