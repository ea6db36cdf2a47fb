"""One run of config.yaml: its files, and the settings that each step is handed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlrl.config.settings import SERVED, nearest
from sqlrl.errors import UserError
from sqlrl.files import canonical_json, digest_text

ADAPTER_FILES = ("adapter.json", "adapter_config.json", "adapter_model.safetensors")
PARTS = ("train", "dev", "holdout")
START = "start"
# How a model behind an API is asked: these decide speed and price, and no reply.
SERVER_KEYS = ("key_variable", "concurrency", "tokens_per_second", "retries", "price")


@dataclass(frozen=True)
class Run:
    """A named run: a base model, the databases of its tasks, and a tree of stages.

    Paths are relative to the project's folder; settings are canonical JSON, one text a section, so
    that a rule's params change exactly when a value that the rule uses changes.
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
        return list(self.own["databases"])

    @property
    def stages(self) -> list[str]:
        return list(self.own["stages"])

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
        where nothing is trained.
        """
        found = ["base"] if self.stages else []
        for name in self.stages:
            steps = [step for step in self.stage(name)["checkpoints"] if step != self.stage(name)["steps"]]
            found += [f"{name}@{step}" for step in steps] + [name]
        return found

    def published(self) -> str:
        """The checkpoint that is published: what config.yaml names, else the end of the last stage.

        Raises:
            UserError: the run has no stage.
        """
        if not self.stages:
            raise UserError(f'run "{self.name}" has no stage, and so no adapter to publish.')
        return self._named_to_publish() or self.stages[-1]

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

    def server(self) -> list[str]:
        """The file that says how the run's model is asked; none where its weights are here."""
        served = self.settings["models"][self.own["model"]]["source"] in SERVED
        return [f"results/models/{self.own['model']}/server.json"] if served else []

    def all_database_files(self) -> list[str]:
        return [file for name in self.databases for file in database_files(self.settings, name)]

    def tasks(self, part: str) -> list[str]:
        """The run's tasks of one part, a file a database."""
        return [f"{self.folder}/tasks/{database}-{part}.jsonl" for database in self.databases]

    def samples(self, kind: str, checkpoints: list[str], part: str) -> list[str]:
        """Files of ``kind`` rollouts or scores: every checkpoint, database and pass of a part."""
        passes = self.passes if part == "holdout" else [1]
        return [
            f"{self.folder}/{checkpoint}/{kind}/{database}-{part}-{scoring}.jsonl"
            for checkpoint in checkpoints
            for database in self.databases
            for scoring in passes
        ]

    def training_logs(self) -> list[str]:
        return [f"{self.folder}/{stage}/training_log.jsonl" for stage in self.stages]

    def adapters(self) -> list[str]:
        return [f"{self.folder}/{stage}/adapter/adapter.json" for stage in self.stages]

    def timings(self) -> list[str]:
        """Timing files of all that the run samples, judges and trains."""
        found = [
            timing_file(path)
            for kind in ("rollouts", "scores")
            for part, checkpoints in (
                ("holdout", self.holdout_checkpoints()),
                ("dev", self.dev_checkpoints()),
            )
            for path in self.samples(kind, checkpoints, part)
        ]
        steps = [(name, "train") for name in self.stages]
        steps += [(name, "band") for name in self.stages if self.stage(name)["kind"] == "grpo"]
        steps += [(name, "replies") for name in self.stages if self.reply_files(name)]
        return found + [f"{self.folder}/{stage}/timings/{step}.json" for stage, step in steps]

    # -- settings -----------------------------------------------------------------------------------

    def prompt(self) -> str:
        return canonical_json(self.own["prompt"])

    def task_selection(self) -> str:
        return canonical_json(self.own["tasks"]["select"])

    def sampling(self, part: str, scoring: int) -> str:
        """Sampling settings of one scoring pass; each pass and part has a seed of its own."""
        own = {key: value for key, value in self.own["scoring"].items() if key != "passes"}
        return canonical_json({**own, "seed": _derived_seed(own["seed"], part, scoring)})

    def stage_settings(self, stage: str) -> str:
        """What a stage trains with: its block, less what only its band, its place or its job decides."""
        apart = ("from", "band", "replies", "wall_minutes")
        return canonical_json({key: value for key, value in self.stage(stage).items() if key not in apart})

    def band(self, stage: str) -> str:
        """The band of a stage with the sampling that it is measured with."""
        values = self.stage(stage)
        band = {key: value for key, value in values["band"].items() if key != "measured_on"}
        shared = {key: values[key] for key in ("temperature", "max_tokens")}
        seed = _derived_seed(values["seed"], f"band of {stage}", 0)
        return canonical_json(
            {**band, **shared, "batch_size": self.own["scoring"]["batch_size"], "seed": seed}
        )

    def collection(self, stage: str) -> str:
        """How a stage's replies are collected."""
        values = self.stage(stage)
        seed = _derived_seed(values["seed"], f"replies of {stage}", 0)
        batch_size = self.own["scoring"]["batch_size"]
        return canonical_json({**values["replies"], "batch_size": batch_size, "seed": seed})

    def provenance(self) -> str:
        """Digests of the settings that each step of this run was built from, for the report to check."""
        return canonical_json(
            {
                "run": self.name,
                "model": self.own["model"],
                "databases": self.databases,
                "stages": {
                    name: {
                        "from": self.stage(name)["from"],
                        "settings": digest_text(self.stage_settings(name)),
                    }
                    for name in self.stages
                },
                "scoring": self.own["scoring"],
                "verifier": self.settings["verifier"],
            }
        )

    def report(self) -> str:
        return canonical_json({**self.settings["report"], "run": self.name})

    def publication(self) -> str:
        """What only a model card says, and no other step uses."""
        return canonical_json({"licence": self.settings["models"][self.own["model"]]["licence"]})


def timing_file(path: str) -> str:
    """The timing file of rollouts or scores, ``results/<run>/<checkpoint>/<kind>/<name>.jsonl``."""
    folder, kind, name = path.rsplit("/", 2)
    return f"{folder}/timings/{kind}-{name.removesuffix('.jsonl')}.json"


def model_source(settings: Mapping[str, Any], model: str) -> str:
    """Where a model comes from: what decides its replies, and so neither its licence nor how it is asked."""
    apart = ("licence", *SERVER_KEYS)
    return canonical_json({k: v for k, v in settings["models"][model].items() if k not in apart})


def server_settings(settings: Mapping[str, Any], model: str) -> str:
    """How a model behind an API is asked."""
    return canonical_json({key: settings["models"][model][key] for key in SERVER_KEYS})


def database_files(settings: Mapping[str, Any], database: str) -> list[str]:
    """The dumps of a database that replies are judged on: main first, then its hidden twins."""
    return [f"results/databases/{database}/main.sql", *_further_files(settings, database, "twin")]


def witness_files(settings: Mapping[str, Any], database: str) -> list[str]:
    """The dumps of a database's witnesses, which only the probing of tasks uses."""
    return _further_files(settings, database, "witness")


def _further_files(settings: Mapping[str, Any], database: str, kind: str) -> list[str]:
    count = len(settings["databases"][database][f"{kind}_seeds"])
    return [f"results/databases/{database}/{kind}-{number}.sql" for number in range(1, count + 1)]


def database_seed(settings: Mapping[str, Any], database: str, instance: str) -> str:
    """The settings that one instance of a database is seeded with."""
    values = settings["databases"][database]
    kind, _, number = instance.partition("-")
    seed = values["seed"] if instance == "main" else values[f"{kind}_seeds"][int(number) - 1]
    return canonical_json({"seed": seed})


def find_run(settings: Mapping[str, Any], name: str) -> Run:
    """The run of that name. Raises UserError that lists the runs."""
    if name not in settings["runs"]:
        known = ", ".join(settings["runs"])
        raise UserError(f'there is no run "{name}". Runs: {known}.{nearest(name, settings["runs"])}')
    return Run(name, settings)


def _derived_seed(seed: int, *parts: object) -> int:
    """A seed in 0..2**31-1 that is a function of a seed and of what it is for."""
    return int(digest_text(canonical_json([seed, *map(str, parts)]))[:8], 16) & 0x7FFFFFFF
