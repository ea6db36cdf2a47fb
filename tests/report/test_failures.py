"""Which failures are shown, and what of them."""

from dataclasses import replace

import pytest

from sqlrl.errors import UserError
from sqlrl.files import digest_file, write_text
from sqlrl.report.failures import choose_failures, describe_failures, reference_rows
from sqlrl.verifier.reward import VerifierSettings
from tests.report.small import TASK, make_evidence, make_tasks

SAMPLES = {"a": "RRRR", "b": "RWWW", "c": "WRRR", "d": "XXXX", "e": "NRRR", "f": "WWWW"}
SETTINGS = VerifierSettings(
    match_reward=1.0,
    wrong_reward=0.1,
    error_reward=0.0,
    reward_databases="main",
    statement_timeout_seconds=3.0,
    workers=1,
)


@pytest.fixture
def evidence():
    return make_evidence(make_tasks(*SAMPLES), {"base": [SAMPLES] * 2, "r1": [SAMPLES, SAMPLES]}, r1="base")


def test_kinds_of_error_take_turns_one_failure_a_task(evidence):
    found = choose_failures(evidence, "r1", 20)
    assert [(one.task.id, one.sample, one.kind) for one in found] == [
        ("b", 1, "wrong rows"),
        ("d", 0, "does not run"),
        ("e", 0, "no SQL"),
        ("c", 0, "wrong rows"),
        ("f", 0, "wrong rows"),
    ]


def test_no_more_are_shown_than_asked_for(evidence):
    assert len(choose_failures(evidence, "r1", 2)) == 2
    assert choose_failures(evidence, "r1", 0) == []


def test_a_failure_has_the_reply_both_row_sets_the_reason_and_both_pass_rates(evidence):
    chosen = choose_failures(evidence, "r1", 2)
    first, second = describe_failures(chosen, evidence, "r1", {"b": (("7",),)})
    assert (first["reply"], first["reply_rows"], first["reference_rows"]) == ("reply W", (("1",),), (("7",),))
    assert (first["reason"], first["pass@1"]) == ("rows_differ", {"base": 0.25, "r1": 0.25})
    assert second["reference_rows"] is None


def seeded(folder):
    dump = folder / "shop" / "main.sql"
    write_text(dump, "CREATE TABLE orders (id int PRIMARY KEY);\nCOPY orders (id) FROM stdin;\n1\n2\n\\.\n")
    return {"shop": {"main": dump}}, replace(TASK, database_digest=digest_file(dump))


def test_reference_rows_are_read_as_the_verifier_reads_them(tmp_path):
    databases, task = seeded(tmp_path)
    listing = replace(task, id="list", reference_sql="SELECT id, NULL FROM orders ORDER BY id")
    rows = reference_rows([task, listing], databases, SETTINGS)
    assert rows == {"a": (("2",),), "list": (("1", None), ("2", None))}


def test_a_task_of_a_database_without_a_dump_is_refused():
    with pytest.raises(UserError, match="no dump of shop"):
        reference_rows([TASK], {}, SETTINGS)


def test_nothing_to_show_starts_no_server():
    assert reference_rows([], {}, SETTINGS) == {}
