"""Stages on a tiny model that a test can train in a second: prompts, tasks, a verifier of rules."""

import json
from dataclasses import replace

from sqlrl.authoring.task import Task
from sqlrl.database.catalog import Catalog, Column, Table
from sqlrl.files import write_json, write_text
from sqlrl.models.folder import ModelManifest, digest_of_files, list_files
from sqlrl.models.prompts import PromptSettings, PromptWriter
from sqlrl.records import to_dict, write_jsonl
from sqlrl.sampling.transformers import TransformersSampler
from sqlrl.training.grpo import GrpoTrainer
from sqlrl.training.lessons import lessons_from_references
from sqlrl.training.manifest import CONFIG, WEIGHTS
from sqlrl.training.open_feed import open_feed
from sqlrl.training.play import Player
from sqlrl.training.settings import GrpoSettings, SftSettings, read_stage
from sqlrl.training.sft import SftTrainer
from sqlrl.training.stage import Products, Request, Stage
from sqlrl.verifier.reward import Outcome, Verdict, VerifierSettings
from tests.tiny_models import make_model

LORA = {"rank": 4, "alpha": 8, "dropout": 0.1, "targets": "all-linear"}
SFT = {
    "kind": "sft", "learn_from": "references", "steps": 6, "batch_size": 4, "micro_batch_size": 2,
    "gradient_checkpointing": False,
    "learning_rate": 0.01, "warmup_steps": 1, "schedule": "linear", "max_grad_norm": 1.0, "seed": 1,
    "checkpoints": [3], "save_steps": 2, "lora": LORA,
}  # fmt: skip
ADAPTIVE = {
    "prior": 1.0, "memory": 3.0, "retire_above": 0.93, "hopeless_below": 0.07, "revisit": 0.1, "backfill": 2.0,
}  # fmt: skip
GRPO = {
    "kind": "grpo", "steps": 5, "prompts_per_step": 2, "group_size": 4, "micro_batch_size": 4,
    "steps_per_generation": 1, "gradient_checkpointing": False,
    "learning_rate": 0.01, "warmup_steps": 0, "schedule": "constant", "max_grad_norm": 1.0, "beta": 0.0,
    "kl_reference": "base", "temperature": 1.0, "max_tokens": 12, "loss": "dapo", "scale_rewards": "group",
    "truncated": "judge", "epsilon": 0.2, "feed": "sweep", "adaptive": ADAPTIVE, "stop_without_variance": None,
    "seed": 1, "checkpoints": [2], "save_steps": 2, "lora": LORA,
}  # fmt: skip


def make_task(number: int) -> Task:
    question = f"How many orders of customer {number} were shipped?"
    return Task(
        id=f"{number:016x}", database="shop", question=question,
        reference_sql=f"SELECT COUNT(*) FROM orders WHERE customer_id = {number}", archetype="aggregation",
        difficulty="easy", style="casual", template="0" * 16, features=(), tables=("orders",), rows=1,
        columns=1, database_digest="0" * 64,
    )  # fmt: skip


def judge_by_length(submissions):
    """A verdict that depends on the reply alone, and differs within groups: is its length odd?"""
    verdicts = []
    for one in submissions:
        odd = len(one.reply) % 2 == 1
        outcome = Outcome("match" if odd else "error", "match" if odd else "even")
        verdicts.append(Verdict(one.reply, {"main": outcome}, float(odd)))
    return verdicts


DUMP = """CREATE TABLE orders (id integer PRIMARY KEY, customer_id integer);
COPY orders (id, customer_id) FROM stdin;
1\t1
2\t1
3\t2
\\.
"""
VERIFIER = {
    "match_reward": 1.0, "wrong_reward": 0.1, "error_reward": 0.0, "reward_databases": "main",
    "statement_timeout_seconds": 2.0, "workers": 1,
}  # fmt: skip
PAYMENT = VerifierSettings(**VERIFIER)
PROMPT = {"schema": "compact", "system_prefix": "", "thinking": None}


class Bench:
    """Trains stages below one folder."""

    def __init__(self, folder, kind="llama", hidden=64):
        self.folder = folder
        self.model = folder / "model"
        if not self.model.exists():
            self._make(kind, hidden)
        self.tasks = [make_task(number) for number in range(12)]
        self.prompts = PromptWriter(
            self.model,
            PromptSettings("compact", "", None),
            [folder / "shop/main.json"],
            [folder / "shop/notes.md"],
        )

    def _make(self, kind, hidden):
        folder = self.folder
        make_model(kind, self.model, hidden=hidden)
        files = list_files(self.model)
        manifest = ModelManifest("tiny", files, digest_of_files(files), "path", {}, {})
        write_json(self.model / "model.json", to_dict(manifest))
        write_text(folder / "shop" / "main.sql", DUMP)
        columns = (Column("id", "integer", False, True, None, None),)
        catalog = Catalog("shop", "main", "0" * 64, 18, (Table("orders", None, 3, columns),))
        write_json(folder / "shop" / "main.json", to_dict(catalog))
        write_text(folder / "shop" / "notes.md", "- An order is shipped when shipped_at is set.\n")

    def words(self, name, given, parent=None, databases="main.json"):
        """The arguments of a training script for a stage."""
        write_jsonl(self.folder / "tasks.jsonl", self.tasks)
        products, shop = self.products(name), self.folder / "shop"
        adapter = [parent / file for file in ("adapter.json", CONFIG, WEIGHTS)] if parent else []
        return [
            str(word) for word in (
                "--model", self.model / "model.json", "--parent", *adapter, "--tasks", self.folder / "tasks.jsonl",
                "--databases", shop / databases, "--notes", shop / "notes.md", "--prompt", json.dumps(PROMPT),
                "--settings", json.dumps(given), "--work", self.folder / name / "work",
                "--adapter", products.adapter, "--checkpoints", products.checkpoints,
                "--probes", products.probes, "--training-log", products.training_log, "--timing", products.timing,
                "--step-times", products.step_times,
            )
        ]  # fmt: skip

    def stage(self, given, parent=None, work="work", **request):
        kind = SftSettings if given["kind"] == "sft" else GrpoSettings
        settings, given = read_stage(kind, json.dumps(given), "test")
        asked = Request(
            settings=settings, given=given, model=self.model / "model.json", parent=parent,
            inputs=[self.folder / "shop/notes.md"], sections={}, code="c",
        )  # fmt: skip
        return Stage(replace(asked, **request), self.prompts, self.folder / work)

    def trainer(self, stage, judge=judge_by_length, tasks=None, sampler=None):
        tasks = self.tasks if tasks is None else tasks
        if stage.settings.kind == "sft":
            return SftTrainer(stage, lessons_from_references(tasks))
        feed = open_feed(stage.settings, tasks, [])
        return GrpoTrainer(Player(stage, feed, sampler or TransformersSampler(self.model), judge, PAYMENT))

    def products(self, name):
        folder = self.folder / name
        return Products(
            folder / "adapter",
            folder / "checkpoints.safetensors",
            folder / "probes.jsonl",
            folder / "log.jsonl",
            folder / "timing.json",
            folder / "step_times.jsonl",
        )

    def run(self, name, given, parent=None, judge=judge_by_length, sampler=None, **request):
        """Train a stage to its end; its products."""
        stage = self.stage(given, parent, work=f"work-{name}", **request)
        stage.train(self.trainer(stage, judge, sampler=sampler))
        products = self.products(name)
        stage.finish(products)
        return products


def product_bytes(products):
    """All that must be equal between two builds: everything but the timing."""
    files = [
        *sorted(products.adapter.iterdir()),
        products.checkpoints,
        products.probes,
        products.training_log,
    ]
    return {file.name: file.read_bytes() for file in files}
