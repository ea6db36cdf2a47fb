"""A report shows for each checkpoint that it was served as it was trained, or is refused."""

from dataclasses import replace

import pytest

from sqlrl.errors import UserError
from sqlrl.files import write_json
from sqlrl.parity.findings import Check, Parity
from sqlrl.records import read_json, to_dict
from tests.report.synthetic import SyntheticRun
from tests.report.test_document import document_of


@pytest.fixture
def run(tmp_path) -> SyntheticRun:
    return SyntheticRun(tmp_path, tasks=30).write()


def change(run: SyntheticRun, stage: str, **fields) -> None:
    file = run.folder / f"run/{stage}/parity.json"
    write_json(file, to_dict(replace(read_json(file, Parity), **fields)))


def test_every_checkpoint_has_its_proof(run):
    document = document_of(run)
    assert [one["checkpoint"] for one in document["parity"]] == list(run.parents())
    assert document["parity"][0]["checks"][0]["name"] == "effect slope"


def test_a_checkpoint_without_proof_is_refused(run):
    (run.folder / "run/sft/parity.json").unlink()
    with pytest.raises(UserError, match=r"no parity.json of sft, which was scored"):
        document_of(run)


def test_a_proof_of_other_weights_is_refused(run):
    change(run, "sft", weights="0" * 64)
    with pytest.raises(UserError, match=r"sft: parity.json is of other weights"):
        document_of(run)


def test_a_proof_that_failed_is_refused(run):
    failed = Check("effect slope", "failed", "0.0 over 900 tokens")
    change(run, "sft", checks=(failed,), cause="the base model is served under the adapter's name")
    with pytest.raises(UserError, match="not served as trained: the base model is served"):
        document_of(run)


def test_what_could_not_be_decided_is_a_warning(run):
    change(run, "sft", checks=(Check("effect slope", "undecided", "0.9 (0.1 to 1.7)"),))
    assert "sft: effect slope could not be shown (0.9 (0.1 to 1.7))." in document_of(run)["warnings"]
