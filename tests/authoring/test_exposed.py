"""Tasks that a query of another meaning could pass for are refused, with that query."""

from dataclasses import replace
from pathlib import Path

import pytest

from sqlrl.authoring.exposed import open_prober, refuse_exposed
from sqlrl.verifier.verifier import Verifier
from tests.authoring.small import task

ROWS = {"main": "(1, 5), (2, 5)", "twin-1": "(1, 5), (2, 7)", "witness-1": "(1, 5), (3, 8)"}
PROTECTED = replace(task("How many have b over 5?"), reference_sql="SELECT count(*) FROM t WHERE b > 5")
EXPOSED = replace(
    task("What is the largest b of those with a under 3?"), reference_sql="SELECT max(b) FROM t WHERE a < 3"
)


def write_dumps(folder: Path, rows: dict[str, str]) -> dict[str, Path]:
    for instance, values in rows.items():
        text = f"CREATE TABLE t (a int, b int); INSERT INTO t VALUES {values};"
        (folder / f"{instance}.sql").write_text(text)
    return {instance: folder / f"{instance}.sql" for instance in rows}


@pytest.fixture(scope="module")
def prober(tmp_path_factory: pytest.TempPathFactory):
    with open_prober("small", write_dumps(tmp_path_factory.mktemp("exposed"), ROWS), 2.0) as verifier:
        yield verifier


def test_a_task_is_refused_with_the_query_that_only_a_witness_refutes(prober: Verifier):
    kept, refused, figures = refuse_exposed(prober, [PROTECTED, EXPOSED], lambda _: None)
    assert kept == [PROTECTED]
    [rejection] = refused
    assert rejection.reason == "exposed"
    assert rejection.candidate.question == EXPOSED.question
    assert rejection.detail == "predicate dropped: SELECT max(b) FROM t"
    survivors = figures["all"].accepted_on_twins
    assert 0 < survivors < figures["all"].changed
    assert figures["all"].score_on_twins == round(1 - survivors / figures["all"].changed, 4)
    assert figures["predicate dropped"].accepted_on_main >= figures["predicate dropped"].accepted_on_twins > 0


def test_without_a_witness_nothing_is_refused(tmp_path):
    rows = {name: values for name, values in ROWS.items() if not name.startswith("witness")}
    with open_prober("small", write_dumps(tmp_path, rows), 2.0) as verifier:
        kept, refused, figures = refuse_exposed(verifier, [PROTECTED, EXPOSED], lambda _: None)
    assert kept == [PROTECTED, EXPOSED]
    assert refused == []
    assert figures["all"].score_on_twins == 1.0


def test_a_reference_that_fails_on_a_witness_is_left_as_it_is(prober: Verifier):
    failing = replace(
        task("What is the average of 1 over b less 8?"), reference_sql="SELECT avg(1 / (b - 8)) FROM t"
    )
    kept, refused, _ = refuse_exposed(prober, [failing, EXPOSED], lambda _: None)
    assert kept == [failing]
    assert [one.candidate.question for one in refused] == [EXPOSED.question]


def test_progress_is_told_for_every_task(prober: Verifier):
    counts: list[int] = []
    refuse_exposed(prober, [PROTECTED] * 70, counts.append)
    assert counts == [64, 6]
