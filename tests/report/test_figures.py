import re

from sqlrl.report.figures import VARIABLES, curve_alternative, curve_pictures

CURVE = {
    "stage": "r1.5",
    "training": {"signal": "reward", "steps": [1, 2, 3], "values": [0.2, 0.4, 0.5]},
    "dev": [
        {"step": 0, "checkpoint": "base", "value": 0.25, "interval": [0.2, 0.35]},
        {"step": 3, "checkpoint": "r1.5", "value": 0.5, "interval": [0.4, 0.55]},
    ],
}


def test_pictures_are_the_same_bytes_every_time():
    assert curve_pictures(CURVE) == curve_pictures(CURVE)


def test_pictures_take_colours_and_letters_from_the_page():
    for svg in curve_pictures(CURVE).values():
        assert not re.search(r"#[0-9a-fA-F]{6}\b", svg)
        assert {f"var({name})" for name in VARIABLES.values()} <= set(re.findall(r"var\(--[a-z]+\)", svg))
        assert "DejaVu" not in svg
        assert "<text" in svg


def test_pictures_of_one_page_share_no_id_and_refer_to_their_own():
    ids = [re.findall(r'\bid="([^"]+)"', svg) for svg in curve_pictures(CURVE).values()]
    assert not set(ids[0]) & set(ids[1])
    for found, svg in zip(ids, curve_pictures(CURVE).values(), strict=True):
        assert len(found) == len(set(found))
        assert set(re.findall(r'(?:href="|url\()#([^")]+)', svg)) <= set(found)


def test_a_stage_without_dev_scores_or_steps_is_drawn_and_said_so():
    empty = {"stage": "r1", "training": {"signal": None, "steps": [], "values": []}, "dev": []}
    assert "not scored" in curve_pictures(empty)["wide"]
    assert curve_alternative(empty) == "Stage r1."


def test_the_alternative_says_what_the_picture_shows():
    assert curve_alternative(CURVE) == (
        "Stage r1.5. The reward in training is 0.20 in the first third of its 3 steps and 0.50 in the last. "
        "pass@1 on dev: 25% at step 0, 50% at step 3."
    )
