"""Who refuses a wrong query: main, a twin, only a witness, or nobody because it is not wrong."""

import dataclasses
from pathlib import Path

import pytest

from sqlrl.verifier.exposure import (
    Exposure,
    Target,
    average_rewards,
    by_kind,
    count_exposure,
    fit_targets,
    probe_mutants,
    probe_others,
)
from sqlrl.verifier.verifier import Verifier
from tests.verifier.conftest import SETTINGS, fenced

ROWS = {"main": "(1, 5), (2, 5)", "twin-1": "(1, 5), (2, 7)", "witness-1": "(1, 5), (3, 8)"}
TARGET = Target("t", "shop", "SELECT count(*) FROM t WHERE b < 6")


@pytest.fixture(scope="module")
def verifier(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("exposure")
    paths: dict[str, Path] = {}
    for instance, rows in ROWS.items():
        paths[instance] = folder / f"{instance}.sql"
        paths[instance].write_text(f"CREATE TABLE t (a int, b int); INSERT INTO t VALUES {rows};")
    with Verifier({"shop": paths}, dataclasses.replace(SETTINGS, workers=1)) as opened:
        yield opened


def test_mutants_are_told_apart_by_who_refuses_them(verifier: Verifier) -> None:
    probes = {probe.sql: probe for probe in probe_mutants(verifier, [TARGET])}
    dropped = probes["SELECT count(*) FROM t"]
    assert (dropped.changed, dropped.on_main, dropped.on_twins) == (True, True, False)
    same = probes["SELECT count(*) FROM t WHERE b <= 6"]
    assert (same.changed, same.on_main, same.on_twins) == (False, True, True)
    lower = probes["SELECT count(*) FROM t WHERE b < 5"]
    assert (lower.changed, lower.on_main) == (True, False)


def test_a_witness_alone_shows_what_main_and_twins_accept(verifier: Verifier) -> None:
    other = Target("o", "shop", "SELECT count(*) FROM t WHERE b < 6 AND a < 3")
    [probe] = probe_others(
        verifier, [other], [Target("p", "shop", "SELECT count(*) FROM t WHERE b < 7 AND a < 3"), other]
    )
    assert not probe.changed
    [probe] = probe_others(
        verifier,
        [Target("q", "shop", "SELECT min(a) FROM t WHERE b > 5 OR a > 1")],
        [Target("r", "shop", "SELECT 2")],
    )
    assert (probe.changed, probe.on_main, probe.on_twins) == (True, True, True)
    assert count_exposure([probe]) == Exposure(1, 1, 1)
    assert by_kind([probe])["another task's reference"].score_on_twins == 0.0
    assert count_exposure([]).score_on_main == 1.0


def test_unfit_references_are_left_out(verifier: Verifier) -> None:
    unfit = [Target("x", "shop", "SELECT nothing"), Target("y", "shop", "SELECT 1 / (b - 8) FROM t")]
    assert fit_targets(verifier, [*unfit, TARGET]) == [TARGET]


def test_a_lucky_constant_is_paid_on_main_and_not_on_the_twins(verifier: Verifier) -> None:
    rewards = average_rewards(verifier, [TARGET], {"two": fenced("SELECT 2"), "none": ""})
    assert rewards == {"two": (1.0, 0.1), "none": (0.0, 0.0)}
