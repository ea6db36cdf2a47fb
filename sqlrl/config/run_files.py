"""One run of config.yaml as files: its checkpoints, and what each of them is made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlrl.config.ablation import ablation_stages
from sqlrl.config.names import nearest
from sqlrl.config.shared import (
    catalog_file,
    database_files,
    notes_file,
    schema_file,
    server_words,
    timing_file,
)
from sqlrl.errors import UserError

ADAPTER_FILES = ("adapter.json", "adapter_config.json", "adapter_model.safetensors")
HOLDOUT, DEV = "holdout", "dev"
START = "start"


@dataclass(frozen=True)
class RunFiles:
    """A named run: a base model, the databases of its tasks, and a tree of stages.

    Paths are relative to the project's folder.
    """

    name: str
    settings: Mapping[str, Any]

    @property
    def own(self) -> Mapping[str, Any]:
        """The run's own block of config.yaml."""
        run: Mapping[str, Any] = self.settings["runs"][self.name]
        return run

    @property
    def folder(self) -> str:
        return f"results/{self.name}"

    @property
    def databases(self) -> list[str]:
        """Whose tasks train."""
        return list(self.own["databases"])

    @property
    def evaluated(self) -> list[str]:
        """Whose held-out tasks every checkpoint is scored on: what it trained on, then what it never saw."""
        return [*self.databases, *self.unseen]

    @property
    def unseen(self) -> list[str]:
        """Databases that are evaluated on and not trained on."""
        return [name for name in self.own["evaluate_on"] or [] if name not in self.databases]

    @property
    def stages(self) -> list[str]:
        return list(self.own["stages"])

    @property
    def own_stages(self) -> list[str]:
        """The stages less those of the ablation."""
        compared = ablation_stages(self.own)
        return [name for name in self.stages if name not in compared]

    @property
    def passes(self) -> list[int]:
        """Numbers of the scoring passes over the holdout, from 1."""
        return list(range(1, self.own["scoring"]["passes"] + 1))

    def stage(self, name: str) -> Mapping[str, Any]:
        """One stage's block. Raises UserError that lists the stages."""
        if name not in self.own["stages"]:
            stages = ", ".join(self.stages) or "none"
            raise UserError(
                f'run "{self.name}" has no stage "{name}". Stages: {stages}.{nearest(name, self.stages)}'
            )
        stage: Mapping[str, Any] = self.own["stages"][name]
        return stage

    # -- checkpoints --------------------------------------------------------------------------------

    def holdout_checkpoints(self) -> list[str]:
        """What is scored on the holdout: the base, every stage's end, and a kept step that is published."""
        named = self._named_to_publish()
        return ["base", *self.stages, *([named] if named and "@" in named else [])]

    def dev_checkpoints(self) -> list[str]:
        """What is scored on dev for the curves: base, the kept checkpoints of a stage, its end; nothing
        where nothing is trained, and nothing of an ablation, whose arms the holdout compares.
        """
        found = ["base"] if self.own_stages else []
        for name in self.own_stages:
            steps = [step for step in self.stage(name)["checkpoints"] if step != self.stage(name)["steps"]]
            found += [f"{name}@{step}" for step in steps] + [name]
        return found

    def trained_checkpoints(self) -> list[str]:
        """All that is scored and was trained."""
        found = dict.fromkeys([*self.holdout_checkpoints(), *self.dev_checkpoints()])
        return [checkpoint for checkpoint in found if checkpoint != "base"]

    def published(self) -> str:
        """The checkpoint that is published: what config.yaml names, else the end of the last stage; none of
        an ablation.

        Raises:
            UserError: the run has no such stage.
        """
        if not self.own_stages:
            raise UserError(f'run "{self.name}" has no stage, and so no adapter to publish.')
        return self._named_to_publish() or self.own_stages[-1]

    def _named_to_publish(self) -> str | None:
        """What the key ``publish`` names; it speaks of the run that is built, as ``run`` does."""
        named: str | None = self.settings["publish"] if self.name == self.settings["run"] else None
        return named

    def adapter_files(self, checkpoint: str) -> list[str]:
        """The files of a checkpoint's adapter, adapter.json first; none for the base."""
        if checkpoint == "base":
            return []
        stage, _, step = checkpoint.partition("@")
        kept = self.stage(stage)["checkpoints"]
        if step and int(step) not in kept:
            raise UserError(
                f'run "{self.name}": {stage} keeps no checkpoint at step {step}; '
                f"runs.{self.name}.stages.{stage}.checkpoints: {kept}."
            )
        return [f"{self.folder}/{checkpoint}/adapter/{file}" for file in ADAPTER_FILES]

    def parity_files(self, checkpoint: str) -> list[str]:
        """The proof that a checkpoint is served as it was trained; none for the base."""
        return [] if checkpoint == "base" else [f"{self.folder}/{checkpoint}/parity.json"]

    def product_of_checkpoint(self, checkpoint: str, name: str) -> str:
        """A product of the stage that a checkpoint is of."""
        return f"{self.folder}/{checkpoint.partition('@')[0]}/{name}"

    def parent_of_checkpoint(self, checkpoint: str) -> list[str]:
        """The adapter files that a checkpoint's stage starts from."""
        return self.parent_files(checkpoint.partition("@")[0])

    def parent_files(self, stage: str) -> list[str]:
        """The adapter files that a stage starts from; none where it starts from the base."""
        return self.adapter_files(str(self.stage(stage)["from"]))

    def band_files(self, stage: str) -> list[str]:
        """The adapter files that a stage's band is measured on; none where that is the base."""
        measured_on = str(self.stage(stage)["band"]["measured_on"])
        return self.parent_files(stage) if measured_on == START else self.adapter_files(measured_on)

    def reply_files(self, stage: str) -> list[str]:
        """The replies that a stage imitates; none where it imitates references."""
        learns = self.stage(stage).get("learn_from") == "replies"
        return [f"{self.folder}/{stage}/replies.jsonl"] if learns else []

    # -- files --------------------------------------------------------------------------------------

    def model(self) -> str:
        return f"results/models/{self.own['model']}/model.json"

    def server(self) -> str:
        """How the run's model is asked; see server_words."""
        return server_words(self.settings, self.own["model"])

    def training_databases(self) -> list[str]:
        """The dumps of all that is trained on."""
        return [file for name in self.databases for file in database_files(self.settings, name)]

    def evaluated_databases(self) -> list[str]:
        """The dumps of all that is scored on."""
        return [file for name in self.evaluated for file in database_files(self.settings, name)]

    def training_catalogs(self) -> list[str]:
        """What describes the dumps of all that is trained on."""
        return [catalog_file(dump) for dump in self.training_databases()]

    def evaluated_catalogs(self) -> list[str]:
        """What describes the dumps of all that is scored on."""
        return [catalog_file(dump) for dump in self.evaluated_databases()]

    def notes(self) -> list[str]:
        """What the data that are trained on mean."""
        return [notes_file(self.settings, name) for name in self.databases]

    def schemas(self) -> list[str]:
        """The statements that make what is trained on."""
        return [schema_file(self.settings, name) for name in self.databases]

    def reviews(self) -> list[str]:
        """What the review says of the tasks that are trained on."""
        return [f"results/tasks/{name}/review.jsonl" for name in self.databases]

    def tasks(self, part: str) -> list[str]:
        """The run's tasks of one part, a file a database that is trained on."""
        return [f"{self.folder}/tasks/{database}-{part}.jsonl" for database in self.databases]

    def evaluated_tasks(self) -> list[str]:
        """The held-out tasks of all that is scored on."""
        return [f"{self.folder}/tasks/{database}-{HOLDOUT}.jsonl" for database in self.evaluated]

    def samples(self, kind: str, checkpoints: list[str], part: str) -> list[str]:
        """Files of ``kind`` rollouts or scores: every checkpoint, database that is trained on and pass of a part."""
        return self._samples(kind, checkpoints, part, self.databases)

    def base_samples(self, kind: str) -> list[str]:
        """Rollouts or scores of the base model on the holdout."""
        return self.samples(kind, ["base"], HOLDOUT)

    def checkpoint_samples(self, checkpoint: str, kind: str) -> list[str]:
        """Rollouts or scores of a checkpoint on the holdout."""
        return self.samples(kind, [checkpoint], HOLDOUT)

    def dev_scores(self) -> list[str]:
        """What the curves along training are drawn from."""
        return self.samples("scores", self.dev_checkpoints(), DEV)

    def base_timings(self) -> list[str]:
        """What it cost to sample and judge the base model on the holdout."""
        return [timing_file(file) for kind in ("rollouts", "scores") for file in self.base_samples(kind)]

    def base_origins(self) -> list[str]:
        """What the base's scores on the holdout say that they were made from."""
        return [_origin_file(scores) for scores in self.base_samples("scores")]

    def score_origins(self) -> list[str]:
        """What all scores that a report reads say that they were made from."""
        return [_origin_file(scores) for scores in (*self.evaluated_samples("scores"), *self.dev_scores())]

    def evaluated_samples(self, kind: str) -> list[str]:
        """All rollouts or scores of the holdout, those of databases that were never trained on too."""
        return self._samples(kind, self.holdout_checkpoints(), HOLDOUT, self.evaluated)

    def _samples(self, kind: str, checkpoints: list[str], part: str, databases: list[str]) -> list[str]:
        passes = self.passes if part == HOLDOUT else [1]
        return [
            f"{self.folder}/{checkpoint}/{kind}/{database}-{part}-{scoring}.jsonl"
            for checkpoint in checkpoints
            for database in databases
            for scoring in passes
        ]

    def proofs(self) -> list[str]:
        """The proofs that what is scored on the holdout is served as it was trained."""
        return [file for checkpoint in self.holdout_checkpoints() for file in self.parity_files(checkpoint)]

    def training_logs(self) -> list[str]:
        return [f"{self.folder}/{stage}/training_log.jsonl" for stage in self.stages]

    def prompt_files(self) -> list[str]:
        """What the report says of prompts; none where every question is shown the whole schema."""
        return [f"{self.folder}/prompts.json"] if self.own["prompt"]["linking"] else []

    def adapters(self) -> list[str]:
        return [f"{self.folder}/{stage}/adapter/adapter.json" for stage in self.stages]

    def timings(self) -> list[str]:
        """Timing files of all that the run samples, judges and trains."""
        found = [
            timing_file(path)
            for kind in ("rollouts", "scores")
            for path in (
                *self.evaluated_samples(kind),
                *self.samples(kind, self.dev_checkpoints(), DEV),
            )
        ]
        steps = [(name, "train") for name in self.stages]
        steps += [(name, "band") for name in self.stages if self.stage(name)["kind"] == "grpo"]
        steps += [(name, "replies") for name in self.stages if self.reply_files(name)]
        steps += [(name, "parity") for name in self.trained_checkpoints()]
        return found + [f"{self.folder}/{folder}/timings/{step}.json" for folder, step in steps]


def _origin_file(samples: str) -> str:
    """The file beside rollouts or scores that says what they were made from."""
    return samples.removesuffix(".jsonl") + ".origin.json"
