"""What a model really sends: JSON, JSON with words around it, half of it, or none."""

import json

import pytest

from sqlrl.authoring.llm_form import FAULTS, Written, read_reply

ONE = {"cell": 1, "question": "How many items?", "sql": "SELECT count(*) FROM items"}
TWO = {"cell": 2, "question": "Which kinds?", "sql": "SELECT DISTINCT kind FROM items"}
BOTH = (Written(**ONE), Written(**TWO))
WHOLE = json.dumps({"questions": [ONE, TWO]})


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        json.dumps([ONE, TWO]),
        f"Here you are:\n```json\n{WHOLE}\n```\nAnything else?",
        f"I thought about {{tables}} first. {json.dumps(ONE)} and {json.dumps(TWO)}",
        json.dumps({"questions": [{**ONE, "cell": "Cell 1"}, TWO], "remark": "fine"}),
        json.dumps(
            {
                "questions": [
                    {**ONE, "question": "  How many\nitems? ", "sql": "SELECT count(*) FROM items ;\n"},
                    TWO,
                ]
            }
        ),
    ],
)
def test_questions_are_found_however_they_are_wrapped(text):
    assert read_reply(text, ran_out=False).written == BOTH


def test_a_reply_that_ran_out_keeps_its_whole_questions():
    reading = read_reply(WHOLE[: WHOLE.rindex('"sql"') + 20], ran_out=True)
    assert reading.written == BOTH[:1]
    assert reading.fault == "cut_off"


@pytest.mark.parametrize(
    ("text", "ran_out", "fault"),
    [
        ("", False, "empty_reply"),
        (" \n", False, "empty_reply"),
        ("No JSON at all", False, "not_the_form"),
        ('{"answer": {"question": 1}}', False, "not_the_form"),
        ("{" * 5000, False, "not_the_form"),
        ('{"a":' * 5000, False, "not_the_form"),
        ('{"questions": []}', False, "missing_cell"),
        ('{"questions": [{"cell": 1, "ques', True, "cut_off"),
    ],
)
def test_what_is_no_question_has_its_fault(text, ran_out, fault):
    reading = read_reply(text, ran_out)
    assert (reading.written, reading.fault) == ((), fault)
    assert fault in FAULTS


@pytest.mark.parametrize(
    "spoilt",
    [
        {**ONE, "sql": ""},
        {**ONE, "sql": ";"},
        {**ONE, "question": " "},
        {**ONE, "question": None},
        {**ONE, "sql": ["SELECT 1"]},
        {**ONE, "cell": "first"},
        {**ONE, "question": "half a \ud800 pair"},
        {**ONE, "sql": "SELECT '\0'"},
        {"cell": 1, "question": "Only a question?"},
        "a text",
    ],
)
def test_a_spoilt_question_is_left_out_and_the_others_stay(spoilt):
    assert read_reply(json.dumps({"questions": [spoilt, TWO]}), ran_out=False).written == BOTH[1:]
