from sqlrl.authoring.catalog.structure import DATE, ENUM, NUMBER, OTHER, ForeignKey, read_structure


def test_partitions_and_views_are_left_out_and_their_parent_is_read(ask_of):
    names = set(read_structure(ask_of("campus")).relations)
    assert "reading" in names
    assert not {"reading_2023", "reading_2024", "passed_enrolment"} & names


def test_names_are_quoted_where_sql_needs_it(ask_of):
    relations = read_structure(ask_of("campus")).relations
    assert {'"Department"', '"Student"', '"order"', "course"} <= set(relations)
    assert relations['"order"'].field("Student Id").sql == '"Student Id"'
    assert relations['"order"'].field("from").sql == '"from"'
    assert relations["course"].field("code").sql == "code"


def test_keys_of_several_columns_stay_in_pairs(ask_of):
    enrolment = read_structure(ask_of("campus")).relations["enrolment"]
    assert enrolment.primary == ("course_code", "section_no", "student_id")
    assert enrolment.foreign_keys == (
        ForeignKey(("course_code", "section_no"), "section", ("course_code", "section_no")),
        ForeignKey(("student_id",), '"Student"', ("studentId",)),
    )


def test_types_are_read_through_domains_and_the_unusual_are_other(ask_of):
    relations = read_structure(ask_of("campus")).relations
    kinds = {
        field.name: field.kind
        for name in ("course", "section", '"Department"')
        for field in relations[name].fields
    }
    assert (kinds["credits"], kinds["term"], kinds["income"]) == (NUMBER, ENUM, NUMBER)
    assert {kinds[name] for name in ("tags", "floors", "settings")} == {OTHER}
    assert relations['"Student"'].field("photo").kind == OTHER
    assert relations['"Student"'].field("enrolledOn").kind == DATE


def test_a_unique_column_is_known(ask_of):
    assert ("name",) in read_structure(ask_of("rentals")).relations["category"].unique


def test_a_schema_in_another_namespace_is_named_with_it(ask_of):
    tables = [(1, "deals", "sales", "deals", "sales.", None)]
    answers = iter([tables, [], [], [], []])
    assert list(read_structure(lambda query: next(answers)).relations) == ["sales.deals"]
