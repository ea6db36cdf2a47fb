"""Synthetic runs with names and base models of their own, on one holdout, to be compared."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from sqlrl.files import digest_text, write_json
from sqlrl.records import from_dict
from sqlrl.report.runs import ComparedRun, RunFiles, read_runs
from sqlrl.report.settings import Claims, ReportSettings
from sqlrl.training.manifest import AdapterManifest, Origin
from tests.report.synthetic import MODEL, SyntheticRun
from tests.report.test_document import document_of


@dataclass
class NamedRun(SyntheticRun):
    """A run in the folder ``<folder>/run``; runs of one seed have one holdout, whatever their rates."""

    name: str = "old"
    model: str = "tiny"
    max_tokens: int = 128

    def write(self) -> "NamedRun":
        super().write()
        write_json(
            self.folder / "models/tiny/model.json", {**MODEL, "name": self.model, "digest": self.digest}
        )
        return self

    @property
    def digest(self) -> str:
        return digest_text(f"weights of {self.model}")

    def adapter(self, stage: str) -> AdapterManifest:
        return replace(super().adapter(stage), model=Origin(self.model, self.digest))

    def settings(self) -> dict:
        return {**super().settings(), "run": self.name}

    def claims(self, **prompt) -> dict:
        """What config.yaml says of the run; of its prompt ``prompt``."""
        claims = super().claims()
        scoring = {**claims["scoring"], "max_tokens": self.max_tokens}
        return {
            **claims, "run": self.name, "model": self.model, "scoring": scoring,
            "prompt": {**claims["prompt"], **prompt},
        }  # fmt: skip

    @property
    def report(self) -> Path:
        return self.folder / "run/delta_report.json"

    def write_report(self) -> None:
        write_json(self.report, document_of(self))


def files_of_runs(*runs: NamedRun) -> RunFiles:
    """The files that the workflow gives a comparison."""
    ends = [(run, stage) for run in runs for stage in dict.fromkeys(("base", list(run.rates)[-1]))]
    return RunFiles(
        [run.report for run in runs],
        [run.folder / "run/tasks/shop-holdout.jsonl" for run in runs],
        [Path(path) for run, stage in ends for path in run.paths(f"{stage}/scores/*-holdout-*.jsonl")],
    )


def read(*runs: NamedRun, **prompts: dict) -> list[ComparedRun]:
    """The runs as a comparison reads them; ``prompts`` by the run's name."""
    asked = [from_dict(Claims, run.claims(**prompts.get(run.name, {})), run.name) for run in runs]
    return read_runs(files_of_runs(*runs), asked, settings_of(runs[0]))


def settings_of(run: NamedRun) -> ReportSettings:
    return from_dict(ReportSettings, run.settings(), "settings")


def write_runs(*runs: NamedRun) -> None:
    """Write the runs with their reports."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr("sqlrl.report.assemble.reference_rows", lambda *_: {})
        for run in runs:
            run.write().write_report()
