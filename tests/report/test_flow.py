"""The flow picture: what it draws, and that it says it in words."""

import re
from itertools import pairwise

import pytest

from sqlrl.report.figures import KIND_VARIABLES
from sqlrl.report.flow import LINE, _apart, flow_alternative, flow_pictures
from sqlrl.report.passes import KINDS

NOTHING = dict.fromkeys(KINDS, 0.0)
LEARNED = {
    "before": "base",
    "after": "r1",
    "movement": {
        "right": {**NOTHING, "right": 0.1},
        "wrong rows": {**NOTHING, "right": 0.2, "wrong rows": 0.1},
        "does not run": {**NOTHING, "right": 0.05, "does not run": 0.5},
        "no SQL": {**NOTHING, "no SQL": 0.05},
    },
}


def test_it_has_one_band_a_movement_in_the_colour_of_where_it_ends():
    for svg in flow_pictures(LEARNED).values():
        bands = re.findall(r"fill: var\((--k\d)\); opacity: ([0-9.]+)", svg)
        assert sorted(bands) == [
            ("--k1", "0.22"), ("--k1", "0.5"), ("--k1", "0.5"), ("--k2", "0.22"), ("--k3", "0.22"), ("--k4", "0.22"),
        ]  # fmt: skip
        assert set(KIND_VARIABLES.values()) <= set(re.findall(r"--k\d", svg))
        assert not re.search(r"#[0-9a-fA-F]{6}\b", svg)


def test_it_is_the_same_bytes_every_time_and_wide_and_narrow_share_no_id():
    assert flow_pictures(LEARNED) == flow_pictures(LEARNED)
    wide, narrow = (set(re.findall(r'\bid="([^"]+)"', svg)) for svg in flow_pictures(LEARNED).values())
    assert wide
    assert not wide & narrow


def test_the_words_name_both_sides_and_the_largest_movements_first():
    assert flow_alternative(LEARNED) == (
        "base: 10% right, 30% wrong rows, 55% does not run and 5% no SQL. r1: 35% right, 10% wrong rows, 50% does "
        "not run and 5% no SQL. The largest movements: 20% from wrong rows to right and 5% from does not run to right."
    )
    still = {**LEARNED, "movement": {kind: {**NOTHING, kind: 0.25} for kind in KINDS}}
    assert flow_alternative(still).endswith("Nothing moved.")


@pytest.mark.parametrize("middles", [[0.9, 0.5, 0.1], [0.9, 0.02, 0.01, 0.0], [0.99, 0.98, 0.97, 0.96]])
def test_labels_never_lie_on_each_other_or_below_the_picture(middles):
    found = _apart(middles)
    assert all(high - low >= LINE - 1e-9 for high, low in pairwise(found))
    assert min(found) >= 0
