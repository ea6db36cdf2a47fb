"""A whole run's results made up with realistic numbers: a weak base, an sft stage, a grpo stage."""

import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from scipy import stats

from sqlrl.authoring.task import Task, task_id
from sqlrl.database.files import by_database
from sqlrl.files import canonical_json, digest_file, digest_text, write_json, write_text
from sqlrl.parity.findings import Check, Parity
from sqlrl.records import to_dict, write_jsonl
from sqlrl.sampling.origin import RolloutsOrigin, ScoresOrigin, dump_digests, origin_file
from sqlrl.sampling.sampler import Reply
from sqlrl.training.manifest import AdapterManifest, Origin
from sqlrl.verifier.reward import Outcome, Score, Verdict

ARCHETYPES = (
    "aggregation", "top-n", "two-table join", "multi-table join", "group having",
    "null semantics", "hierarchy", "date and time", "anti-join", "derived metric",
)  # fmt: skip
STYLES = ("casual", "formal", "terse", "analyst")
SUBJECTS = ("orders", "customers", "products", "payments", "reviews", "employees")
ROWS = (("Ada Lindgren", "12"), ("Bruno Costa", "9"), (None, "7"))


@dataclass
class SyntheticRun:
    """Where the made-up files lie; ``arguments`` are those of scripts/delta_report.py."""

    folder: Path
    rates: dict[str, tuple[float, float]] = field(
        default_factory=lambda: {"base": (0.3, 6.0), "sft": (0.9, 1.5), "grpo": (1.6, 1.2)}
    )
    tasks: int = 140
    templates: int = 66
    k: int = 4
    passes: int = 3
    seed: int = 4

    def write(self) -> "SyntheticRun":
        rng = np.random.default_rng(self.seed)
        self.holdout = make_tasks(rng, self.tasks, self.templates, "holdout", dump_digest())
        self.dev = make_tasks(rng, 72, 40, "dev", dump_digest())
        write_jsonl(self.folder / "run/tasks/shop-holdout.jsonl", self.holdout)
        write_jsonl(self.folder / "run/tasks/shop-dev.jsonl", self.dev)
        ability = {task.id: rng.random() for task in [*self.holdout, *self.dev]}
        for checkpoint, shape in self.rates.items():
            for scoring in range(1, self.passes + 1):
                self._sample(rng, checkpoint, shape, "holdout", scoring, ability)
        for checkpoint, shape in self.dev_rates().items():
            self._sample(rng, checkpoint, shape, "dev", 1, ability)
        self._write_stages(rng)
        self.write_origins()
        return self

    @property
    def digest(self) -> str:
        return MODEL["digest"]

    def write_origins(self) -> None:
        """Say of all rollouts and scores that they were made from what lies there now."""
        databases = dump_digests(by_database((self.folder / "databases").glob("*/*.sql")))
        for path in map(Path, self.paths("*/scores/*.jsonl")):
            checkpoint, rollouts = path.parts[-3], path.parents[1] / "rollouts" / path.name
            _, part, scoring = path.stem.rsplit("-", 2)
            trained = self.adapter(checkpoint).weights if checkpoint in self.parents() else checkpoint
            tasks = self.folder / f"run/tasks/{path.stem.rpartition('-')[0]}.jsonl"
            replies = RolloutsOrigin(
                rollouts=digest_file(rollouts) if rollouts.exists() else "0",
                tasks=digest_file(tasks),
                model=self.digest,
                weights=None if checkpoint == "base" else trained,
                sampler="transformers",
                settings=self.sampling(part, int(scoring)),
                prompt=PROMPT,
                code="rollouts",
            )
            origin = ScoresOrigin(digest_file(path), databases, replies, VERIFIER, "scores")
            write_json(origin_file(path), to_dict(origin))

    def sampling(self, part: str, scoring: int) -> dict:
        return {"k": self.k, "temperature": 0.7, "max_tokens": 128, "seed": [part, scoring]}

    def dev_rates(self) -> dict[str, tuple[float, float]]:
        return {**self.rates, "grpo@12": (1.3, 1.3)} if "grpo" in self.rates else self.rates

    def _sample(self, rng, checkpoint, shape, part, scoring, ability) -> None:
        tasks = self.holdout if part == "holdout" else self.dev
        scores, replies = [], []
        for task in tasks:
            rate = float(stats.beta.ppf(min(0.999, ability[task.id] * 0.9 + 0.1 * rng.random()), *shape))
            for sample in range(self.k):
                verdict = make_verdict(rng, task, rate, checkpoint)
                scores.append(Score(task.id, sample, verdict))
                replies.append(make_reply(rng, task, sample, verdict))
        name = f"shop-{part}-{scoring}"
        write_jsonl(self.folder / f"run/{checkpoint}/scores/{name}.jsonl", scores)
        if part == "holdout":
            write_jsonl(self.folder / f"run/{checkpoint}/rollouts/{name}.jsonl", replies)
            timing = {
                "seconds": 41.5 + 20 * rng.random(), "tokens": 60 * len(replies), "samples": len(replies),
                "started": "2026-02-03T04:05:06+00:00", "host": "somewhere", "machine": "x86_64 Linux",
            }  # fmt: skip
            write_json(self.folder / f"run/{checkpoint}/timings/rollouts-{name}.json", timing)

    def _write_stages(self, rng) -> None:
        run = self.folder / "run"
        for stage in (name for name in self.rates if name != "base"):
            steps = np.arange(1, 25)
            if stage == "sft":
                lines = [{"step": int(s), "loss": 1.9 * np.exp(-s / 8) + 0.02 * rng.random()} for s in steps]
            else:
                lines = [{"step": int(s), "reward": 0.42 + 0.009 * s + 0.06 * rng.random()} for s in steps]
                lines = [{**line, "samples": 64, "groups": 8, "zero_variance": 0.25} for line in lines]
            lines = [{**line, "seconds": 7.5 + rng.random(), "tokens": 4000} for line in lines]
            write_text(run / stage / "training_log.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
            timing = {
                "seconds": 300.0,
                "tokens": 90_000,
                "samples": 1536,
                "started": "2026-02-03T04:05:06+00:00",
            }
            write_json(
                run / stage / "timings/train.json", {**timing, "host": "somewhere", "machine": "x86_64 Linux"}
            )
            write_json(run / stage / "adapter/adapter.json", to_dict(self.adapter(stage)))
            slope = Check(
                "effect slope", "passed", "0.991 (0.981 to 1.001) over 1,240 tokens", 0.991, 0.981, 1.001
            )
            proof = Parity(self.adapter(stage).weights, "transformers", 1240, (slope,))
            write_json(run / stage / "parity.json", to_dict(proof))
        write_text(self.folder / "databases/shop/main.sql", "-- a dump\n")
        write_json(self.folder / "databases/shop/main.json", CATALOG)
        write_json(self.folder / "models/tiny/model.json", MODEL)

    def adapter(self, stage: str) -> AdapterManifest:
        parent = self.parents()[stage]
        return AdapterManifest(
            kind=stage, settings={"kind": stage, "steps": 24, "learning_rate": 0.001}, step=24,
            weights=digest_text(stage), model=Origin("tiny", MODEL["digest"]),
            parent=None if parent == "base" else Origin(parent, digest_text(parent)),
            inputs={"shop/main.sql": dump_digest(), "tasks/shop-train.jsonl": "0"},
            sections={"verifier": VERIFIER},
            code="", versions={"torch": "2.13.0"}, tokens=90_000, samples=1536,
        )  # fmt: skip

    def parents(self) -> dict[str, str]:
        names = list(self.rates)
        return dict(zip(names[1:], names[:-1], strict=True))

    def paths(self, pattern: str) -> list[str]:
        return sorted(str(path) for path in (self.folder / "run").glob(pattern))

    def claims(self) -> dict:
        stages = {
            stage: {"from": parent, "settings": digest_text(canonical_json(self.adapter(stage).settings))}
            for stage, parent in self.parents().items()
        }
        scoring = {"k": self.k, "passes": self.passes, "temperature": 0.7, "max_tokens": 128}
        return {
            "run": "laptop", "model": "tiny", "databases": ["shop"], "stages": stages,
            "scoring": scoring, "verifier": VERIFIER, "prompt": PROMPT, "sampler": "transformers",
            "sampling": {
                f"{part}-{number}": self.sampling(part, number)
                for part in ("holdout", "dev") for number in range(1, self.passes + 1)
            },
        }  # fmt: skip

    def settings(self) -> dict:
        return {
            "run": "laptop", "resamples": 500, "confidence": 0.95, "seed": 1,
            "equivalence_margin": 0.05, "failures": 20, "headline_databases": "main",
            "gpu_hour_price": None,
        }  # fmt: skip

    def arguments(self, output: Path) -> list[str]:
        adapters = [str(self.folder / f"run/{stage}/adapter/adapter.json") for stage in self.parents()]
        return [
            "--tasks", str(self.folder / "run/tasks/shop-holdout.jsonl"),
            "--dev-tasks", str(self.folder / "run/tasks/shop-dev.jsonl"),
            "--databases", str(self.folder / "databases/shop/main.sql"),
            "--catalogs", str(self.folder / "databases/shop/main.json"),
            "--model", str(self.folder / "models/tiny/model.json"),
            "--adapters", *adapters,
            "--parity", *self.paths("*/parity.json"),
            "--training-logs", *self.paths("*/training_log.jsonl"),
            "--timings", *self.paths("*/timings/*.json"),
            "--rollouts", *self.paths("*/rollouts/*.jsonl"),
            "--scores", *self.paths("*/scores/*.jsonl"),
            "--settings", json.dumps(self.settings()),
            "--provenance", json.dumps(self.claims()),
            "--output-html", str(output / "delta_report.html"),
            "--output-md", str(output / "delta_report.md"),
            "--output-json", str(output / "delta_report.json"),
        ]  # fmt: skip


@dataclass
class SyntheticAblation(SyntheticRun):
    """A control and arms with seeds, all from ``start``; ``arms`` are their pass rates, of all seeds alike."""

    arms: dict[str, tuple[float, float]] = field(
        default_factory=lambda: {"control": (1.0, 1.4), "band": (3.0, 0.8), "mask": (1.0, 1.4)}
    )
    seeds: tuple[int, ...] = (1, 2, 3)
    passes: int = 1
    start: str = "sft"

    def __post_init__(self) -> None:
        self.rates = {"base": (0.3, 6.0), self.start: (0.9, 1.5)}
        self.rates |= {f"{arm}-{seed}": shape for arm, shape in self.arms.items() for seed in self.seeds}

    def dev_rates(self) -> dict[str, tuple[float, float]]:
        return {name: self.rates[name] for name in ("base", self.start)}

    def parents(self) -> dict[str, str]:
        return {name: "base" if name == self.start else self.start for name in self.rates if name != "base"}

    def claims(self) -> dict:
        stages = {arm: [f"{arm}-{seed}" for seed in self.seeds] for arm in self.arms}
        arms = [
            {"name": arm, "stages": stages[arm], "changes": {f"{arm}.enabled": [False, True]}}
            for arm in self.arms
            if arm != "control"
        ]
        ablation = {"seeds": list(self.seeds), "control": stages["control"], "arms": arms}
        return {**super().claims(), "ablation": ablation}


@dataclass
class SyntheticSeeds(SyntheticRun):
    """Three seeds of one grpo stage, all from ``sft``; their rates differ a little, as seeds do."""

    rates: dict[str, tuple[float, float]] = field(
        default_factory=lambda: {
            "base": (0.3, 6.0),
            "sft": (0.9, 1.5),
            "grpo-1": (1.6, 1.2),
            "grpo-2": (1.5, 1.3),
            "grpo-3": (1.8, 1.2),
        }
    )

    def parents(self) -> dict[str, str]:
        return {name: "base" if name == "sft" else "sft" for name in self.rates if name != "base"}

    def adapter(self, stage: str) -> AdapterManifest:
        made = super().adapter(stage)
        seed = int(stage[-1]) if stage[-1].isdigit() else 1
        return replace(made, settings={**made.settings, "kind": "grpo", "group_size": 8, "seed": seed})

    def claims(self) -> dict:
        return {**super().claims(), "seeds": [[name for name in self.rates if name.startswith("grpo-")]]}


PROMPT = {"schema": "compact", "system_prefix": "", "thinking": None}
CATALOG = {
    "database": "shop", "instance": "main", "digest": digest_text("-- a dump\n"), "postgres_major": 18,
    "tables": [{"name": name, "comment": None, "rows": 300, "columns": []} for name in SUBJECTS],
}  # fmt: skip
VERIFIER = {
    "match_reward": 1.0, "wrong_reward": 0.1, "error_reward": 0.0, "reward_databases": "main",
    "statement_timeout_seconds": 3.0, "workers": 2,
}  # fmt: skip
MODEL = {
    "name": "tiny", "files": {}, "digest": digest_text("weights"), "source": "package",
    "origin": {"requirement": "tiny==1", "file": "tiny.gguf", "sha256": "0" * 64}, "versions": {},
}  # fmt: skip


def dump_digest() -> str:
    return digest_text("-- a dump\n")


def make_tasks(rng, count: int, templates: int, part: str, digest: str) -> list[Task]:
    found = []
    for number in range(count):
        template = number % templates if number < templates else int(templates * rng.random() ** 1.7)
        archetype = ARCHETYPES[template % len(ARCHETYPES)]
        subject = SUBJECTS[template % len(SUBJECTS)]
        question = (
            f"Which {subject} stand out in week {number} of the {part} year, and how many are there of each?"
        )
        sql = (
            f"SELECT s.name, COUNT(*) AS n\nFROM {subject} s\nJOIN orders o ON o.customer_id = s.id\n"
            f"WHERE o.order_date >= DATE '2025-01-01' + {number}\nGROUP BY s.id, s.name\nHAVING COUNT(*) > {number % 7}"
        )
        found.append(
            Task(
                id=task_id(question),
                database="shop",
                question=question,
                reference_sql=sql,
                archetype=archetype,
                difficulty=("easy", "medium")[template % 5 > 1],
                style=STYLES[number % 4],
                template=digest_text(f"{template}")[:16],
                features=("aggregate:count", "join"),
                tables=("orders", subject),
                rows=3 + number % 9,
                columns=2,
                database_digest=digest,
                part=part,
                template_in_training=template % 3 > 0,
            )
        )
    return found


def make_verdict(rng, task: Task, rate: float, checkpoint: str) -> Verdict:
    sql = task.reference_sql.replace("COUNT(*) >", "COUNT(*) >=")
    if rng.random() < rate:
        right = Outcome("match", "match", None, ROWS)
        lucky = rng.random() < 0.03
        twin = Outcome("wrong", "rows_differ", None, ROWS[:2]) if lucky else right
        return Verdict(task.reference_sql, {"main": right, "twin-1": right, "twin-2": twin}, 1.0)
    draw, known = rng.random(), checkpoint != "base"
    if draw < (0.5 if known else 0.15):
        outcome, reward = Outcome("wrong", "rows_differ", None, (*ROWS[:2], ("Chen Wei", "4"))), 0.1
    elif draw < (0.97 if known else 0.7):
        message = 'column s.name does not exist\nHINT:  Perhaps you meant to reference the column "s.title".'
        outcome, reward = Outcome("error", "undefined_column", message, None), 0.0
    else:
        sql, outcome, reward = None, Outcome("error", "no_sql", None, None), 0.0
    return Verdict(sql, dict.fromkeys(("main", "twin-1", "twin-2"), outcome), reward)


def make_reply(rng, task: Task, sample: int, verdict: Verdict) -> Reply:
    text = (
        f"```sql\n{verdict.sql}\n```"
        if verdict.sql
        else "The orders table has orders. The orders table <b>has</b> "
    )
    length = verdict.sql is None and rng.random() < 0.8
    return Reply(task.id, sample, text, (1, 2), (-0.1, -0.2), "length" if length else "stop", 300, 2)
