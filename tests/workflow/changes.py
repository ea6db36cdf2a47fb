"""Changes to a built micro run, and the rules that each must make stale.

The staleness test makes each of them and asks Snakemake; tests/workflow/what_reruns.py prints them.
"""

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.workflow.conftest import Workspace

REPORT = {"write_delta_report", "describe_run"}
SCORE = {"score_rollouts", *REPORT}
SAMPLE = {"sample_rollouts", *SCORE}
GRPO = {"train_grpo", "extract_checkpoint", "check_parity", *SAMPLE}
BAND = {"measure_band", *GRPO}
TRAIN = {"train_sft", *BAND}
SELECT = {"select_tasks", *TRAIN}
PAGE_OF_TASKS = {"write_tasks_report"}
SPLIT = {"split_tasks", *PAGE_OF_TASKS, *SELECT}
REVIEW = {"review_tasks", *SPLIT}
PROBE = {"probe_tasks", *REVIEW}
SCREEN = {"screen_tasks", *PROBE}
TASKS = {"author_tasks", *SCREEN}
# What the base's own replies go into.
BASE = {"write_base_benchmark"}
NOTHING: set[str] = set()

Config = dict[str, Any]


@dataclass(frozen=True)
class Change:
    """One change.

    Attributes:
        kind: the table of the page that it stands in.
        name: in words.
        make: makes it in a workspace.
        rules: those that it makes stale.
    """

    kind: str
    name: str
    make: Callable[[Workspace], None]
    rules: set[str]


def setting(place: str, value: Any, rules: set[str]) -> Change:
    """Another value in the micro run's configuration, by its dotted key."""
    return Change("settings", f"`{place}`", lambda workspace: workspace.configure(put(place, value)), rules)


def put(place: str, value: Any) -> Callable[[Config], None]:
    *way, last = place.split(".")

    def change(config: Config) -> None:
        block = config
        for key in way:
            block = block.setdefault(key, {})
        block[last] = value

    return change


def text(name: str, file: str, change: Callable[[str], str], rules: set[str]) -> Change:
    """Another text in a file of the project."""

    def make(workspace: Workspace) -> None:
        path = workspace.folder / file
        before = path.read_text(encoding="utf-8")
        path.write_text(change(before), encoding="utf-8")
        assert path.read_text(encoding="utf-8") != before

    return Change("files", name, make, rules)


def statement(file: str, rules: set[str]) -> Change:
    """A statement more in a module."""
    return text(f"a statement in `{file}`", file, lambda before: before + "\nCHANGED = True\n", rules)


def result(name: str, make: Callable[[Path], None], rules: set[str]) -> Change:
    """Something done to what was built."""
    return Change("results", name, lambda workspace: make(workspace.folder / "results/micro"), rules)


def config(name: str, change: Callable[[Config], None], rules: set[str]) -> Change:
    """Another shape of the configuration."""
    return Change("shapes of the configuration", name, lambda workspace: workspace.configure(change), rules)


def turn_keys(config: Config) -> None:
    run = config["runs"]["micro"]
    run["scoring"] = dict(reversed(run["scoring"].items()))
    run["stages"]["sft"] = dict(reversed(run["stages"]["sft"].items()))


def stage_in_between(config: Config) -> None:
    stages = config["runs"]["micro"]["stages"]
    stages["sft-2"] = {**stages["sft"], "from": "sft", "checkpoints": []}
    stages["grpo"]["from"] = "sft-2"


def stage_at_the_end(config: Config) -> None:
    stages = config["runs"]["micro"]["stages"]
    stages["grpo-2"] = {**stages["grpo"], "from": "grpo", "checkpoints": []}


def another_run(config: Config) -> None:
    config["runs"]["other"] = {**config["runs"]["micro"], "stages": {}}


def rename_run(config: Config) -> None:
    config["runs"]["renamed"] = config["runs"].pop("micro")
    config["run"] = "renamed"


def extend_a_block(config: Config) -> None:
    config["defaults"] = {"runs": {"scored": {"scoring": config["runs"]["micro"].pop("scoring")}}}
    config["runs"]["micro"]["extends"] = "scored"


def flow_style(workspace: Workspace) -> None:
    path = workspace.folder / "tests/config.yaml"
    path.write_text(yaml.safe_dump(yaml.safe_load(path.read_text()), default_flow_style=True, width=60))


def touch_everything(workspace: Workspace) -> None:
    folder = workspace.folder
    files = [*folder.rglob("*.py"), *folder.glob("databases/**/*"), *folder.glob("rules/*")]
    for file in [*files, folder / "config.yaml", folder / "config.schema.yaml"]:
        if "results" not in file.parts and file.is_file():
            file.touch()


def fresh_checkout(workspace: Workspace) -> None:
    """Every source is a new file with a new time, as after a clone."""
    for name in ("sqlrl", "scripts", "rules", "databases", "report", "profiles"):
        folder = workspace.folder / name
        shutil.copytree(folder, workspace.folder / "fresh")
        shutil.rmtree(folder)
        (workspace.folder / "fresh").rename(folder)


NOTES = "databases/shop/notes.md"
COMPARE = "sqlrl/verifier/compare.py"
RUN = "runs.micro"
CHANGES: tuple[Change, ...] = (
    setting("databases.shop.seed", 9, {"seed_database", *TASKS, *BASE}),
    setting("databases.shop.twin_seeds", [2, 5], {"seed_database", *SCREEN, *BASE}),
    setting("databases.shop.witness_seeds", [12], {"seed_database", *PROBE, *BASE}),
    setting("authoring.seed", 9, TASKS | BASE),
    setting("authoring.candidates_per_cell", 25, TASKS | BASE),
    setting("screening.kept_per_cell", 11, SCREEN | BASE),
    setting("review.drop", ["empty"], REVIEW | BASE),
    setting("review.k", 8, NOTHING),
    setting("split.holdout", 0.25, SPLIT | BASE),
    setting("verifier.wrong_reward", 0.2, BAND | BASE),
    setting("models.micro.licence", "MIT", NOTHING),
    setting(f"{RUN}.tasks.select.limit", {"train": 24, "dev": 7, "holdout": 12}, SELECT | BASE),
    setting(f"{RUN}.prompt.schema", "ddl", TRAIN | BASE),
    setting(f"{RUN}.prompt.system_prefix", "Be brief.", TRAIN | BASE),
    setting(f"{RUN}.scoring.temperature", 0.8, SAMPLE | BASE),
    setting(f"{RUN}.scoring.passes", 2, REPORT | BASE),
    setting(f"{RUN}.scoring.k", 5, SAMPLE | BASE),
    setting(f"{RUN}.parity.floor", 0.02, {"check_parity", *SAMPLE}),
    setting(f"{RUN}.engine.memory", 0.5, NOTHING),
    setting(f"{RUN}.memory_gb", 9, NOTHING),
    setting(f"{RUN}.stages.sft.learning_rate", 2.0e-2, TRAIN),
    setting(f"{RUN}.stages.sft.seed", 7, TRAIN),
    setting(f"{RUN}.stages.sft.checkpoints", [50], TRAIN),
    setting(f"{RUN}.stages.sft.lora", {"rank": 64, "alpha": 32}, TRAIN),
    setting(f"{RUN}.stages.grpo.learning_rate", 1.0e-4, GRPO),
    setting(f"{RUN}.stages.grpo.band.k", 5, BAND),
    setting(f"{RUN}.stages.grpo.gpus", 1, NOTHING),
    setting(f"{RUN}.stages.grpo.wall_minutes", 5, NOTHING),
    setting("report.resamples", 1000, REPORT | BASE | PAGE_OF_TASKS),
    setting("report.failures", 5, REPORT | BASE),
    setting("publish", "sft", NOTHING),
    config("keys in another order", turn_keys, NOTHING),
    Change("shapes of the configuration", "the same YAML in flow style", flow_style, NOTHING),
    config("a block moved to `defaults` and extended", extend_a_block, NOTHING),
    config("a new run", another_run, NOTHING),
    config("a stage in the middle of the chain", stage_in_between, TRAIN),
    config("a stage at the end", stage_at_the_end, BAND - {"extract_checkpoint"}),
    config("the run renamed", rename_run, {"select_tasks", *TRAIN, *BASE}),
    Change("files", "every source touched", touch_everything, NOTHING),
    Change("files", "a fresh checkout of the sources", fresh_checkout, NOTHING),
    text(f"a comment in `{COMPARE}`", COMPARE, lambda before: before + "\n# Another comment.\n", NOTHING),
    text(
        f"the docstring of `{COMPARE}`",
        COMPARE,
        lambda before: re.sub('^"""', '"""Once more. ', before),
        NOTHING,
    ),
    statement(COMPARE, PROBE | BASE),
    statement("sqlrl/statistics/bootstrap.py", REPORT | BASE | PAGE_OF_TASKS),
    statement("sqlrl/report/page.py", REPORT | BASE | PAGE_OF_TASKS),
    statement("sqlrl/sampling/sampler.py", REVIEW | BASE),
    statement("sqlrl/sampling/vllm.py", NOTHING),
    statement("sqlrl/training/grpo.py", GRPO),
    statement("sqlrl/authoring/llm.py", NOTHING),
    statement("databases/shop/grammar/values.py", TASKS | BASE),
    text("a note in `databases/shop/notes.md`", NOTES, lambda before: before + "- More.\n", TRAIN | BASE),
    text(
        "the page's template",
        "sqlrl/report/templates/page.html.j2",
        lambda one: one.replace("</body>", "<p>More.</p></body>"),
        REPORT | BASE,
    ),
    result(
        "an adapter's weights lost",
        lambda run: (run / "sft/adapter/adapter_model.safetensors").unlink(),
        TRAIN,
    ),
    result(
        "one file of rollouts lost", lambda run: (run / "base/rollouts/shop-dev-1.jsonl").unlink(), SAMPLE
    ),
    result(
        "one file of scores lost",
        lambda run: (run / "base/scores/shop-holdout-1.jsonl").unlink(),
        SCORE | BASE,
    ),
    result("the report lost", lambda run: (run / "delta_report.html").unlink(), REPORT),
    result("all logs lost", lambda run: shutil.rmtree(run / "logs"), NOTHING),
    result("Snakemake's records lost", lambda run: shutil.rmtree(run.parents[1] / ".snakemake"), NOTHING),
)
