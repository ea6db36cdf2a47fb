"""A made-up run that can be published: a tiny model, an adapter that fits it, a report over both."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from scripts import delta_report
from scripts.arguments import run_script
from sqlrl.files import digest_file, write_json, write_text
from sqlrl.models.folder import ModelManifest, digest_of_files, list_files
from sqlrl.publish.sources import PublishFiles
from sqlrl.records import to_dict, write_jsonl
from sqlrl.training.manifest import CONFIG, WEIGHTS, AdapterManifest, Origin
from tests.report.synthetic import ROWS, SyntheticRun, dump_digest, make_tasks
from tests.tiny_models import make_adapter, make_model

PROMPT = {"schema": "compact", "system_prefix": "/no_think", "thinking": False}
DDL = "CREATE TABLE orders (id integer PRIMARY KEY);\n"
NOTES = "- orders.shipped_at is NULL while the order has not been shipped.\n"


@dataclass
class PublishableRun(SyntheticRun):
    """A SyntheticRun with weights; every stage has the same ones."""

    tasks: int = 24
    templates: int = 12
    passes: int = 2

    def write(self) -> "PublishableRun":
        self.model = make_model("llama", self.folder / "models/tiny")
        self._made = make_adapter(self.model, self.folder / "made")
        files = list_files(self.model)
        self.manifest = ModelManifest(
            "tiny", files, digest_of_files(files), "path", {"folder": "tiny-model"}, {}
        )
        train = make_tasks(np.random.default_rng(1), 20, 10, "train", dump_digest())
        write_jsonl(self.folder / "run/tasks/shop-train.jsonl", train)
        super().write()
        write_json(self.model / "model.json", to_dict(self.manifest))
        write_text(self.folder / "databases/shop/notes.md", NOTES)
        write_text(self.folder / "databases/shop/schema.sql", DDL)
        for stage in self.parents():
            for file in (CONFIG, WEIGHTS):
                (self.folder / f"run/{stage}/adapter/{file}").write_bytes((self._made / file).read_bytes())
        words = self.arguments(self.folder / "run")
        assert run_script(delta_report.main, delta_report.make_arguments(), words) == 0
        return self

    @classmethod
    def made(cls, folder: Path) -> "PublishableRun":
        """A run in a folder; its references are taken to have ROWS, as its right replies do."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                "sqlrl.report.assemble.reference_rows",
                lambda tasks, *_: dict.fromkeys((task.id for task in tasks), ROWS),
            )
            return cls(folder).write()

    @property
    def digest(self) -> str:
        return self.manifest.digest

    def adapter(self, stage: str) -> AdapterManifest:
        weights, made = digest_file(self._made / WEIGHTS), super().adapter(stage)
        return replace(
            made,
            weights=weights,
            model=Origin("tiny", self.manifest.digest),
            parent=made.parent and Origin(made.parent.name, weights),
            inputs={
                **made.inputs,
                "tasks/shop-train.jsonl": digest_file(self.folder / "run/tasks/shop-train.jsonl"),
            },
        )

    def files(self, checkpoint: str) -> PublishFiles:
        """What is read of a checkpoint to publish it."""
        run = self.folder / "run"
        return PublishFiles(
            run / "delta_report.json",
            run / checkpoint / "adapter",
            self.model / "model.json",
            [run / "tasks/shop-train.jsonl"],
            [run / "tasks/shop-holdout.jsonl"],
            sorted(run.glob(f"{checkpoint}/rollouts/*.jsonl")),
            sorted(run.glob(f"{checkpoint}/scores/*holdout*.jsonl")),
        )

    def words(self, checkpoint: str, output: Path, licence: str | None = None) -> list[str]:
        """The arguments of scripts/publish_adapter.py."""
        shop, run = self.folder / "databases/shop", self.folder / "run"
        return [
            "--checkpoint", checkpoint,
            "--report", str(run / "delta_report.json"),
            "--adapter", *self.paths(f"{checkpoint}/adapter/*"),
            "--model", str(self.model / "model.json"),
            "--tasks", str(run / "tasks/shop-train.jsonl"),
            "--holdout-tasks", str(run / "tasks/shop-holdout.jsonl"),
            "--rollouts", *self.paths(f"{checkpoint}/rollouts/*.jsonl"),
            "--scores", *self.paths(f"{checkpoint}/scores/*holdout*.jsonl"),
            "--databases", str(shop / "main.json"),
            "--notes", str(shop / "notes.md"),
            "--schemas", str(shop / "schema.sql"),
            "--prompt", json.dumps(PROMPT),
            "--settings", json.dumps({"licence": licence, "causal_form": False}),
            "--output", str(output),
        ]  # fmt: skip
