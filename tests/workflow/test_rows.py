"""export_rows in the workflow: a row for each reply on the holdout, of every checkpoint."""

import json

import pytest
import whileai.simulations as whileai

pytestmark = pytest.mark.slow


def test_the_rows_of_every_checkpoint_hold_the_reports_pass_at_1(built):
    report = json.loads((built.folder / "results/micro/delta_report.json").read_text())
    for one in report["checkpoints"]:
        lines = (built.folder / f"results/micro/rows/{one['checkpoint']}.jsonl").read_text().splitlines()
        found = whileai.pass_at([json.loads(line) for line in lines])
        assert found.pass_at_1 == pytest.approx(one["all"]["pass@1"]["value"], abs=5e-4)
        assert len(lines) == 12 * 4 * 3


def test_nothing_is_stale_after_the_export(built):
    assert built.stale("export_rows") == {}
