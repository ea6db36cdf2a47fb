"""Fill a script's arguments from a run of config.yaml, for use by hand.

The rules are the only place that says which arguments a step has, so Snakemake's dry run is asked for the
command. What the script writes goes below results/by-hand/: the workflow's own files stay what Snakemake
made of them. No script imports this module: how its arguments are found decides nothing about its results.
"""

import argparse
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from sqlrl.errors import UserError
from sqlrl.files import canonical_json

BY_HAND = "results/by-hand/"
TARGETS = {
    "fetch_model": "results/models/{model}/model.json",
    "describe_prompts": "results/{run}/prompts.json",
    "rollout": "results/{run}/{checkpoint}/rollouts/{database}-{split}-{scoring}.jsonl",
    "score": "results/{run}/{checkpoint}/scores/{database}-{split}-{scoring}.jsonl",
    "measure_band": "results/{run}/{stage}/band.jsonl",
    "collect_replies": "results/{run}/{stage}/replies.jsonl",
    "train_sft": "results/{run}/{stage}/adapter/adapter.json",
    "train_grpo": "results/{run}/{stage}/adapter/adapter.json",
    "check_parity": "results/{run}/{checkpoint}/parity.json",
    "extract_checkpoint": "results/{run}/{stage}@{step}/adapter/adapter.json",
    "delta_report": "results/{run}/delta_report.json",
    "base_benchmark": "results/{run}/base_benchmark.json",
    "export_rows": "results/{run}/rows/{checkpoint}.jsonl",
    "publish_adapter": "results/{run}/published/{checkpoint}/README.md",
}


def expand(words: Sequence[str]) -> list[str]:
    """Replace ``--run NAME`` and its companions by explicit arguments; what was given explicitly wins.

    Raises:
        UserError: the script takes nothing from a run, or Snakemake refuses what was asked for.
    """
    script = Path(sys.argv[0]).stem
    if script not in TARGETS:
        raise UserError(f"scripts.{script} takes nothing from a run; with --run: {', '.join(TARGETS)}.")
    chosen, own = _companions().parse_known_args(list(words))
    command, outputs = _planned(script, TARGETS[script].format(**vars(chosen)), chosen.run)
    filled = [_by_hand(word, outputs) for word in command]
    if chosen.k is not None:
        place = filled.index("--settings") + 1
        filled[place] = canonical_json({**json.loads(filled[place]), "k": chosen.k})
    # Of an option that stands twice, argparse takes the last: what was given by hand.
    return [*filled, *own]


def _companions() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--run", required=True)
    parser.add_argument("--checkpoint", default="base")
    parser.add_argument("--stage", default="sft")
    parser.add_argument("--step", type=int)
    parser.add_argument("--database", default="shop")
    parser.add_argument("--split", default="holdout")
    parser.add_argument("--pass", dest="scoring", type=int, default=1)
    parser.add_argument("--k", type=int)
    parser.add_argument("--model-name", dest="model", default="smollm2-135m")
    return parser


def _planned(script: str, target: str, run: str) -> tuple[list[str], list[str]]:
    """The arguments that the workflow would give a script to make a target, and the files it would write."""
    snakemake = [sys.executable, "-m", "snakemake", "--nocolor", "-n", "-p", "--force", target]
    done = subprocess.run([*snakemake, "--config", f"run={run}"], capture_output=True, text=True)
    for job in re.split(r"\n(?=rule |localrule )", done.stdout + done.stderr):
        found = re.search(rf"-m scripts\.{script} (.*)", job)
        outputs = re.search(r"^ +output: (.*)$", job, re.MULTILINE)
        if found and outputs and target in outputs[1].split(", "):
            return shlex.split(found[1]), outputs[1].split(", ")
    fault = re.search(
        r"^\w*(?:Error|Exception).*?(?=^Wildcards:|^Traceback:|\Z)", done.stdout, re.MULTILINE | re.DOTALL
    )
    raise UserError(f"nothing makes {target}:\n{fault[0].strip() if fault else done.stdout[-500:]}")


def _by_hand(word: str, outputs: Sequence[str]) -> str:
    """The place by hand of a file or folder that the workflow's job would write; other words as they are."""
    written = word in outputs or word.endswith("/work") or any(one.startswith(f"{word}/") for one in outputs)
    log = word.startswith("results/") and word.endswith(".log")
    return BY_HAND + word.removeprefix("results/") if written or log else word
