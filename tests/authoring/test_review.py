"""What replies say of a task, in classes; and which questions are alike."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlrl.authoring.duplicates import content_words, similarity
from sqlrl.authoring.review import (
    AGREEMENTS,
    CLASSES,
    CONFLICT,
    EMPTY,
    Finding,
    ReviewSettings,
    Tally,
    TaskReview,
    keep_reviewed,
)
from sqlrl.authoring.review_replies import largest_group
from sqlrl.authoring.similar import similar_pairs
from sqlrl.errors import UserError
from tests.authoring.small import task


@pytest.mark.parametrize(
    ("tally", "agreement"),
    [
        (Tally(4, 4, 3, 1), "agrees"),
        (Tally(4, 4, 1, 3), "other_answer"),
        (Tally(4, 1, 1, 0), "does_not_run"),
        (Tally(4, 4, 2, 2), "scattered"),
        (Tally(4, 4, 1, 1), "scattered"),
        (Tally(4, 2, 1, 1), "scattered"),
        (Tally(5, 3, 0, 3), "other_answer"),
        (Tally(2, 2, 1, 1), "scattered"),
    ],
)
def test_more_than_half_of_all_replies_decide(tally, agreement):
    assert tally.agreement == agreement


@st.composite
def tallies(draw) -> Tally:
    replies = draw(st.integers(1, 12))
    ran = draw(st.integers(0, replies))
    matching = draw(st.integers(0, ran))
    return Tally(replies, ran, matching, draw(st.integers(0, ran - matching)))


@given(tallies())
def test_every_tally_has_one_class_and_at_most_one_has_a_majority(tally):
    assert tally.agreement in AGREEMENTS
    numbers = (tally.matching, tally.common, tally.replies - tally.ran)
    assert sum(2 * number > tally.replies for number in numbers) == (tally.agreement != "scattered")


@given(tallies())
def test_one_more_reply_that_matches_never_speaks_against_the_reference(tally):
    more = Tally(tally.replies + 1, tally.ran + 1, tally.matching + 1, tally.common)
    if tally.agreement == "agrees":
        assert more.agreement == "agrees"
    if more.agreement == "other_answer":
        assert tally.agreement == "other_answer"


@given(st.dictionaries(st.integers(0, 30).map(str), st.integers(1, 5), max_size=8))
def test_the_largest_group_has_most_of_what_is_equal(counts):
    def equal(one: str, other: str) -> bool:
        return int(one) % 3 == int(other) % 3

    sizes = [sum(n for sql, n in counts.items() if int(sql) % 3 == rest) for rest in range(3)]
    group = largest_group(counts, equal)
    assert sum(counts[sql] for sql in group) == max(sizes)
    assert all(equal(group[0], sql) for sql in group)


def test_a_task_goes_on_unless_one_of_its_classes_is_dropped():
    reviews = [TaskReview("a", None, ()), TaskReview("b", None, (), dropped=EMPTY)]
    first, second = task("How many toys?"), task("How many books?")
    assert keep_reviewed([first, second], reviews) == [first]


def test_what_refutes_a_reference_is_another_answer_or_a_conflict_and_no_weakness():
    assert TaskReview("a", None, (Finding(CONFLICT, "b"),)).is_refuted
    assert TaskReview("a", None, (), Tally(4, 4, 0, 4), "other_answer").is_refuted
    assert not TaskReview("a", None, (Finding(EMPTY, "on twin-1"),)).is_refuted
    assert not TaskReview("a", None, (), Tally(4, 4, 1, 1), "scattered").is_refuted


def test_an_unknown_class_is_named_with_those_there_are():
    with pytest.raises(UserError, match=r"review.drop has 'wrong'. There are: agrees, other_answer"):
        ReviewSettings(("wrong",), 0.9, 3.0).check()
    ReviewSettings(CLASSES, 0.9, 3.0).check()


WORDS = ("toy", "book", "dear", "cheap", "stock", "price", "name")
questions = st.lists(st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join), max_size=12)


@given(questions, st.sampled_from([0.2, 0.5, 0.9, 1.0]))
def test_pairs_are_all_that_are_so_similar_the_most_similar_first(asked, least):
    found = {(pair.one, pair.other): pair.similarity for pair in similar_pairs(asked, least)}
    words = [content_words(question) for question in asked]
    shares = {
        (one, other): similarity(words[one], words[other]) if words[one] | words[other] else 0.0
        for one in range(len(asked))
        for other in range(one + 1, len(asked))
    }
    assert found.keys() == {pair for pair, share in shares.items() if share >= least}
    assert all(abs(share - shares[pair]) < 1e-4 for pair, share in found.items())
    assert all(one >= other for one, other in pairwise(found.values()))
