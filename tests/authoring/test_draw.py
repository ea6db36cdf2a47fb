import subprocess
import sys

import pytest

from sqlrl.authoring.draw import Draw, EmptyDrawError, Stream

SCRIPT = "from sqlrl.authoring.draw import Stream; s = Stream('a'); print([s.below(1000) for _ in range(8)])"


def test_a_seed_gives_the_same_choices_whatever_the_hash_seed():
    printed = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert printed == {"[945, 240, 842, 890, 314, 349, 96, 405]\n"}


def test_the_detail_seed_leaves_the_structure_alone():
    one, two = Draw("shape 1", "words 1"), Draw("shape 1", "words 2")
    assert [one.structure.below(100) for _ in range(20)] == [two.structure.below(100) for _ in range(20)]
    assert [one.detail.below(100) for _ in range(20)] != [two.detail.below(100) for _ in range(20)]


def test_a_sample_has_different_items_and_at_most_all_of_them():
    stream = Stream("sample")
    for _ in range(50):
        assert len(set(stream.sample("abcde", 3))) == 3
    assert sorted(stream.sample("abc", 5)) == ["a", "b", "c"]


def test_every_item_is_picked_sooner_or_later():
    stream = Stream("picks")
    assert {stream.pick("abcdef") for _ in range(300)} == set("abcdef")


def test_there_is_nothing_to_pick_from_an_empty_list():
    with pytest.raises(EmptyDrawError):
        Stream("none").pick([])
