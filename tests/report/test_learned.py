"""Where replies went between two checkpoints, and which questions became reliable."""

import pytest

from sqlrl.report.learned import describe_learned
from tests.report.small import make_evidence, make_tasks

BEFORE = {"a": "WXNN", "b": "RRWW", "c": "WWWW", "d": "RRRR", "e": "RWWW"}
AFTER = {"a": "RRWW", "b": "RRRR", "c": "RRRR", "d": "RRRW", "e": "WWWW"}


def learned(before, after):
    return describe_learned(
        make_evidence(make_tasks(*"abcde"), {"base": before, "r1": after}, r1="base"), ("r1", "base")
    )


def test_movement_pairs_every_reply_with_every_reply_to_the_same_question():
    """Against a count over all pairs of one question."""
    found = learned([{"a": "WXNN"}], [{"a": "RRWW"}])["movement"]
    kinds = {"R": "right", "W": "wrong rows", "X": "does not run", "N": "no SQL"}
    for start in "RWXN":
        for end in "RWXN":
            pairs = sum(one == start and other == end for one in "WXNN" for other in "RRWW")
            assert found[kinds[start]][kinds[end]] == pytest.approx(pairs / 16)


def test_rows_and_columns_of_the_movement_are_the_shares_before_and_after():
    found = learned([BEFORE, BEFORE], [AFTER, AFTER])
    rights = found["movement"]["right"]
    assert sum(rights.values()) == pytest.approx((2 + 4 + 1) / 20)
    assert sum(one["right"] for one in found["movement"].values()) == pytest.approx((2 + 4 + 4 + 3) / 20)
    assert sum(sum(one.values()) for one in found["movement"].values()) == pytest.approx(1)


def test_a_question_is_reliable_only_where_every_sample_of_every_pass_is_right():
    found = learned([BEFORE, BEFORE], [AFTER, {**AFTER, "c": "RRRW"}])
    assert found["states"]["base"] == {"never": 2, "sometimes": 2, "always": 1}
    assert found["states"]["r1"] == {"never": 1, "sometimes": 3, "always": 1}
    assert found["became_reliable"] == ["b"]
    assert found["became_able"] == ["a", "c"]
    assert found["lost_reliability"] == ["d"]
    assert found["lost_ability"] == ["e"]
    assert learned([BEFORE], [AFTER])["reliable_from_never"] == ["c"]


def test_state_movement_adds_up_to_the_questions_of_both_sides():
    found = learned([BEFORE], [{key: AFTER[key] for key in "abc"}])
    assert found["tasks"] == 3
    assert sum(sum(one.values()) for one in found["state_movement"].values()) == 3


def test_the_base_alone_has_learned_nothing():
    evidence = make_evidence(make_tasks("a"), {"base": [{"a": "R"}]})
    assert describe_learned(evidence, ("base", "base")) is None
