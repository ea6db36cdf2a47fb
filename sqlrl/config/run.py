"""One run of config.yaml: its files, and the settings that each step is handed."""

import json
from collections.abc import Mapping
from typing import Any

from sqlrl.config.ablation import CONTROL, arm_stages, changes
from sqlrl.config.names import nearest
from sqlrl.config.run_files import DEV, HOLDOUT, RunFiles
from sqlrl.config.seeds import seed_groups
from sqlrl.config.shared import engine_words
from sqlrl.errors import UserError
from sqlrl.files import canonical_json, digest_text

# What decides no result, of runs and of stages.
OF_THE_MACHINE = ("gpus", "memory_gb", "engine", "report_to", "wall_minutes")


class Run(RunFiles):
    """A run with its settings as canonical JSON, one text a section, so that a rule's params change exactly when
    a value that the rule uses changes.
    """

    def sampler(self) -> str:
        """What draws its replies."""
        kind: str = self.own["sampler"]
        return kind

    def gpus(self) -> int:
        """GPUs of a job that trains or samples."""
        number: int = self.own["gpus"]
        return number

    def memory_mb(self) -> int:
        """Main memory of such a job in megabytes."""
        return 1024 * int(self.own["memory_gb"])

    def trackers(self) -> str:
        """Whom training reports to, as one word."""
        return ",".join(self.own["report_to"]) or "none"

    def feed(self, stage: str) -> str:
        """What chooses the tasks of a stage's steps."""
        return str(self.stage(stage).get("feed", "sweep"))

    def wall_minutes(self, stage: str) -> int | None:
        """How long a stage's job may train before it stops at a checkpoint."""
        minutes: int | None = self.stage(stage)["wall_minutes"]
        return minutes

    def group_sizes(self) -> list[int]:
        """How many replies to a question the stages compare, each size once."""
        sizes = {self.stage(name).get("group_size") for name in self.stages}
        return sorted(size for size in sizes if size)

    def prompt(self) -> str:
        return canonical_json(self.own["prompt"])

    def engine(self, training: bool) -> str:
        """What vLLM's engine may take; see engine_words."""
        return engine_words(self.own["engine"], training)

    def task_selection(self, database: str) -> str:
        """Which tasks of a database are of the run."""
        unseen = {"trained": False} if database in self.unseen else {}
        return canonical_json({**self.own["tasks"]["select"], **unseen})

    def sampling(self, part: str, scoring: int | str) -> str:
        """Sampling settings of one scoring pass; each pass and part has a seed of its own."""
        own = {key: value for key, value in self.own["scoring"].items() if key != "passes"}
        return canonical_json({**own, "seed": _derived_seed(own["seed"], part, int(scoring))})

    def stage_settings(self, stage: str) -> str:
        """What a stage trains with: its block, less what only its band, its place or its job decides."""
        apart = ("from", "band", "replies", "wall_minutes", "gpus")
        return canonical_json({key: value for key, value in self.stage(stage).items() if key not in apart})

    def stage_gpus(self, stage: str) -> int:
        """GPUs that a stage trains on, a process each."""
        own: int | None = self.stage(stage)["gpus"]
        return int(self.own["gpus"]) if own is None else own

    def launcher(self, stage: str) -> str:
        """How a stage's script is started."""
        processes = self.stage_gpus(stage)
        if processes < 2:
            return "python -m"
        return f"python -m torch.distributed.run --standalone --nproc-per-node {processes} -m"

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

    def parity(self, checkpoint: str) -> str:
        """How a checkpoint is compared as it is served: sampled and paid as its stage did."""
        stage, scoring = self.stage(checkpoint.partition("@")[0]), self.own["scoring"]
        asked = {
            "temperature": stage.get("temperature", 1.0),
            "max_tokens": stage.get("max_tokens", scoring["max_tokens"]),
            "truncated": stage.get("truncated", "judge"),
            "batch_size": scoring["batch_size"],
            "seed": _derived_seed(stage["seed"], f"parity of {checkpoint}", 0),
        }
        return canonical_json({**self.own["parity"], **asked})

    def ablation(self) -> dict[str, Any] | None:
        """Which stages are of which arm, in the order of the seeds, and what each arm changes; None without one."""
        own = self.own["ablation"]
        return own and {
            "seeds": own["seeds"],
            "control": arm_stages(own, CONTROL),
            "arms": [
                {"name": arm, "stages": arm_stages(own, arm), "changes": changes(self.own, arm)}
                for arm in own["arms"]
            ],
        }

    def provenance(self, code: Mapping[str, Any] | None = None) -> str:
        """Digests of the settings that each step of this run was built from, for the report to check.

        Args:
            code: digests of the code of steps, see CodeClaims; None where they are not to be checked.
        """
        ablation = self.ablation()
        repeated = seed_groups({name: self.stage(name) for name in self.own_stages})
        return canonical_json(
            {
                **self._sampling_claims(code),
                **({"ablation": ablation} if ablation else {}),
                **({"seeds": repeated} if repeated else {}),
                **({"unseen": self.unseen} if self.unseen else {}),
                "stages": {
                    name: {
                        "from": self.stage(name)["from"],
                        "settings": digest_text(self.stage_settings(name)),
                    }
                    for name in self.stages
                },
            }
        )

    def base_provenance(self, code: Mapping[str, Any]) -> str:
        """The same for the base alone: what no stage decides."""
        return canonical_json({**self._sampling_claims(code), "stages": {}})

    def _sampling_claims(self, code: Mapping[str, Any] | None) -> dict[str, Any]:
        """What replies and scores of any checkpoint should have been made from."""
        parts = {HOLDOUT: self.passes, DEV: [1]}
        return {
            **({"code": code} if code else {}),
            "run": self.name,
            "model": self.own["model"],
            "databases": self.databases,
            "scoring": self.own["scoring"],
            "verifier": self.settings["verifier"],
            "sampling": {
                f"{part}-{number}": json.loads(self.sampling(part, number))
                for part, passes in parts.items()
                for number in passes
            },
            "prompt": self.own["prompt"],
            "sampler": self.own["sampler"],
        }

    def own_settings(self) -> str:
        """The run's own block, every default filled in, less what only its jobs take of a machine; to be read."""
        own = {key: value for key, value in self.own.items() if key not in OF_THE_MACHINE}
        stages = {
            name: {key: value for key, value in stage.items() if key not in OF_THE_MACHINE}
            for name, stage in own["stages"].items()
        }
        return canonical_json({**own, "stages": stages})

    def report(self) -> str:
        return canonical_json({**self.settings["report"], "run": self.name})

    def publication(self) -> str:
        """What only a model card says, and no other step uses."""
        licence = self.settings["models"][self.own["model"]]["licence"]
        return canonical_json({"licence": licence, "causal_form": self.has_causal_form()})

    def has_causal_form(self) -> bool:
        """Whether its adapters are published under the names of AutoModelForCausalLM too."""
        return bool(self.settings["models"][self.own["model"]].get("causal_form"))


def find_run(settings: Mapping[str, Any], name: str) -> Run:
    """The run of that name. Raises UserError that lists the runs."""
    if name not in settings["runs"]:
        known = ", ".join(settings["runs"])
        raise UserError(f'there is no run "{name}". Runs: {known}.{nearest(name, settings["runs"])}')
    return Run(name, settings)


def _derived_seed(seed: int, *parts: object) -> int:
    """A seed in 0..2**31-1 that is a function of a seed and of what it is for."""
    return int(digest_text(canonical_json([seed, *map(str, parts)]))[:8], 16) & 0x7FFFFFFF
