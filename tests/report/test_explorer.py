"""The explorer's data: every task and reply once, small, and honest about what was left out."""

import json
import re
import zlib
from base64 import b64decode
from dataclasses import replace

import pytest

from sqlrl.report.explorer import KEPT, Answer, explorer_data, fate_of, make_explorer
from sqlrl.report.reasons import REASONS
from sqlrl.verifier import reward
from sqlrl.verifier.reward import Outcome
from tests.report.small import make_evidence, make_tasks, make_verdict

SAMPLES = {"a": "RR", "b": "LW", "c": "XN", "d": "WW"}
LATER = {"a": "RR", "b": "RR", "c": "WR", "d": "WX"}
ROWS = {"a": (("7", None),), "b": (("8", "x"),)}


@pytest.fixture
def evidence():
    tasks = make_tasks(*SAMPLES, unseen="b")
    return make_evidence(tasks, {"base": [SAMPLES, LATER], "r1": [LATER, SAMPLES]}, r1="base")


def unpacked(explorer) -> dict:
    return json.loads(zlib.decompress(b64decode(explorer.packed)))


def fates(data, task) -> list[str]:
    *_, answers, replies = data["readings"][data["ids"].index(task)]
    return [data["fates"][answers[place][0]] for place in replies]


def test_every_task_has_the_replies_of_the_first_pass_of_every_checkpoint(evidence):
    data = unpacked(make_explorer(evidence, "r1", ROWS, "main"))
    assert data["ids"] == ["a", "b", "c", "d"]
    assert (data["checkpoints"], data["last"], data["k"]) == (["base", "r1"], 1, 2)
    assert fates(data, "b") == ["right by luck", "wrong rows", "right", "right"]
    assert fates(data, "c") == ["does not run", "no SQL", "wrong rows", "right"]
    assert data["columns"]["seen"] == [1, 0, 1, 1]


def test_a_reading_has_texts_and_both_row_sets(evidence):
    data = unpacked(make_explorer(evidence, "r1", ROWS, "main"))
    question, sql, reference, rows, answers, replies = data["readings"][0]
    assert (question, sql) == ("How many orders?", "SELECT count(*) FROM orders")
    assert rows[reference] == [["7", None]]
    answer = Answer(*answers[replies[0]])
    assert rows[answer.rows] == [["1"]]
    assert data["reasons"][answer.reason] == ["match", REASONS["match"]]


def test_equal_answers_to_a_task_lie_there_once(evidence):
    data = explorer_data(evidence, "r1", ROWS, "main", "all")
    *_, answers, replies = data["readings"][0]
    assert (len(answers), replies) == (1, [0, 0, 0, 0])


@pytest.mark.parametrize(
    ("text", "sql", "parts"),
    [
        ("```sql\nSELECT 1\n```", "SELECT 1", ("```sql\n", "SELECT 1", "\n```")),
        ("SELECT 1, then SELECT 1;", "SELECT 1", ("SELECT 1, then ", "SELECT 1", ";")),
        ("é𝄞 SELECT '𝄞'", "SELECT '𝄞'", ("é𝄞 ", "SELECT '𝄞'", "")),
        ("x" * 3000 + "SELECT 1", "SELECT 1", ("x" * 3000, "SELECT 1", None)),
        ("no query", None, ("no query", None, None)),
    ],
)
def test_a_reply_is_what_stands_before_its_query_the_query_and_what_follows(evidence, text, sql, parts):
    one = evidence.passes["r1"][1]
    reply, verdict = one.replies["a"][0], replace(one.verdicts["a"][0], sql=sql)
    changed = replace(
        one,
        replies={**one.replies, "a": [replace(reply, text=text), one.replies["a"][1]]},
        verdicts={**one.verdicts, "a": [verdict, one.verdicts["a"][1]]},
    )
    evidence = replace(evidence, passes={**evidence.passes, "r1": {1: changed}})
    explorer = make_explorer(evidence, "r1", ROWS, "main")
    *_, answers, replies = unpacked(explorer)["readings"][0]
    answer = Answer(*answers[replies[2]])
    assert (answer.before, answer.sql, answer.after) == parts
    assert answer.cut == max(0, len(text) - 3000)
    assert explorer.figures["texts_cut"] == (answer.cut > 0)


@pytest.mark.parametrize(("databases", "right"), [("main", [0, 1]), ("all", [0])])
def test_luck_counts_as_right_only_where_the_headline_counts_it(evidence, databases, right):
    assert explorer_data(evidence, "r1", ROWS, databases, "all")["right"] == right


def test_the_twin_that_refutes_a_match_is_named(evidence):
    *_, answers, replies = explorer_data(evidence, "r1", ROWS, "main", "all")["readings"][1]
    assert Answer(*answers[replies[0]]).twin == "twin-1: rows_differ"
    assert Answer(*answers[replies[1]]).twin is None
    assert [fate_of(make_verdict(letter)) for letter in "RLW"] == ["right", "right by luck", "wrong rows"]


def test_a_task_that_a_checkpoint_was_not_scored_on_is_told_from_a_wrong_one(evidence):
    short = make_evidence({}, {"r1": [{name: LATER[name] for name in "abc"}]}, r1="base").passes["r1"]
    data = explorer_data(replace(evidence, passes={**evidence.passes, "r1": short}), "r1", {}, "main", "all")
    assert data["readings"][3][-1][2:] == [-1, -1]
    assert data["readings"][2][-1][2:] != [-1, -1]


def kept_texts(evidence, kept) -> list[tuple[str, int]]:
    data = explorer_data(evidence, "r1", ROWS, "main", kept)
    return [
        (task, place)
        for task, reading in zip(data["ids"], data["readings"], strict=True)
        for place, answer in enumerate(reading[-1])
        if Answer(*reading[-2][answer]).before is not None
    ]


def test_each_step_of_leaving_out_keeps_less_and_every_verdict(evidence):
    wholes = [fates(explorer_data(evidence, "r1", ROWS, "main", kept), "c") for kept in KEPT]
    assert wholes == [wholes[0]] * len(KEPT)
    sizes = [len(kept_texts(evidence, kept)) for kept in KEPT]
    assert sizes[:2] == [16, 16]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 0
    assert kept_texts(evidence, "one")[-1] == ("d", 2)


def test_the_first_step_that_fits_is_taken_and_told(evidence):
    whole = make_explorer(evidence, "r1", ROWS, "main")
    assert (whole.figures["kept"], whole.figures["texts_left_out"]) == ("all", 0)
    assert (whole.figures["tasks"], whole.figures["replies"]) == (4, 16)
    assert make_explorer(evidence, "r1", ROWS, "main", len(whole.packed)).figures["kept"] == "all"
    small = make_explorer(evidence, "r1", ROWS, "main", 0)
    assert (small.figures["kept"], small.figures["texts_left_out"]) == ("none", 16)


def test_the_same_evidence_gives_the_same_bytes(evidence):
    assert make_explorer(evidence, "r1", ROWS, "main") == make_explorer(evidence, "r1", ROWS, "main")


def test_half_a_surrogate_pair_of_a_reply_is_no_fault(evidence):
    broken = {name: replace(task, question="what \ud83d") for name, task in evidence.tasks.items()}
    data = unpacked(make_explorer(replace(evidence, tasks=broken), "r1", ROWS, "main"))
    assert data["readings"][0][0] == "what ?"


def test_every_reason_code_of_the_verifier_has_words():
    listed = re.findall(
        r"[a-z]+(?:_[a-z]+)+|timeout|match|parameter|writes|crash|undecided", reward.__doc__ or ""
    )
    assert set(REASONS) == set(listed)


def test_a_message_of_postgres_stays(evidence):
    one = evidence.passes["r1"][1]
    verdict = one.verdicts["a"][0]
    outcome = Outcome("error", "sql_error", "column b does not exist", None)
    changed = replace(verdict, outcomes={"main": outcome})
    one = replace(one, verdicts={**one.verdicts, "a": [changed, verdict]})
    data = explorer_data(
        replace(evidence, passes={**evidence.passes, "r1": {1: one}}), "r1", {}, "main", "none"
    )
    *_, answers, replies = data["readings"][0]
    assert Answer(*answers[replies[2]]).message == "column b does not exist"
