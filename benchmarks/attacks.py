"""What wrong answers earn: constant strategies, mutants of references, references of other tasks.

    python -m benchmarks.attacks [--tasks results/tasks/shop/tasks.jsonl --limit 50] [--json OUT]

Makes main, the twins and some further databases (witnesses: they say which query means something
else at all) from the shop's generator, in a temporary folder, and asks the verifier.
"""

import argparse
import dataclasses
import json
import random
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlrl.database.seed import SeedSettings, seed_database
from sqlrl.database.server import open_server
from sqlrl.files import write_json, write_text
from sqlrl.records import read_text
from sqlrl.verifier.exposure import (
    WITNESS,
    Exposure,
    Target,
    average_rewards,
    by_kind,
    count_exposure,
    fit_targets,
    probe_mutants,
    probe_others,
)
from sqlrl.verifier.reward import VerifierSettings
from sqlrl.verifier.verifier import Verifier

ROOT = Path(__file__).parents[1]
ATTACKS = ROOT / "tests" / "verifier" / "attacks"
SHOP = ROOT / "databases" / "shop"

# As in config.yaml, and seeds that no one trains on.
SEEDS = {"main": 1, "twin-1": 2, "twin-2": 3, "twin-3": 4}
WITNESS_SEEDS = range(101, 107)

SETTINGS = VerifierSettings(1.0, 0.1, 0.0, "main", statement_timeout_seconds=3.0, workers=2)
OTHERS = 200


def main(words: Sequence[str]) -> int:
    """The command; see the module's docstring."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attacks", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--tasks", type=Path, default=ATTACKS / "tasks.jsonl", help="tasks to attack, JSONL")
    parser.add_argument("--limit", type=int, default=50, help="so many of them, drawn by seed 1")
    parser.add_argument("--json", type=Path, help="write all figures and every survivor to this file")
    arguments = parser.parse_args(words)
    known = read_targets(arguments.tasks)
    targets = random.Random(1).sample(known, min(arguments.limit, len(known)))
    others = random.Random(2).sample(known, min(OTHERS, len(known)))
    with tempfile.TemporaryDirectory() as folder:
        databases = make_databases(Path(folder))
        with Verifier({"shop": databases}, SETTINGS) as verifier:
            figures = attack(verifier, targets, others)
    sys.stdout.write(write_tables(figures))
    if arguments.json:
        write_json(arguments.json, figures)
    return 0


def read_targets(path: Path) -> list[Target]:
    """The id, database and reference SQL of each task in a file."""
    rows = [_json(line) for line in read_text(path).splitlines() if line.strip()]
    return [Target(row["id"], row["database"], row["reference_sql"]) for row in rows]


def read_replies() -> dict[str, str]:
    """The replies of constant strategies, by name."""
    rows = [_json(line) for line in read_text(ATTACKS / "replies.jsonl").splitlines()]
    return {row["name"]: row["reply"] for row in rows}


def make_databases(folder: Path, witnesses: bool = True) -> dict[str, Path]:
    """Main, twins and, where asked for, witnesses of the shop, as dumps in a folder."""
    seeds = dict(SEEDS)
    if witnesses:
        seeds |= {f"{WITNESS}-{number}": seed for number, seed in enumerate(WITNESS_SEEDS, start=1)}
    paths = {instance: folder / "shop" / f"{instance}.sql" for instance in seeds}
    with open_server() as server:
        for instance, seed in seeds.items():
            text, _ = seed_database(
                server, SHOP / "schema.sql", SHOP / "generate.py", "shop", instance, SeedSettings(seed)
            )
            write_text(paths[instance], text)
    return paths


def attack(verifier: Verifier, targets: Sequence[Target], others: Sequence[Target]) -> dict[str, Any]:
    """Try everything on the targets and count."""
    fit = fit_targets(verifier, targets)
    rewards = average_rewards(verifier, fit, read_replies())
    mutants = probe_mutants(verifier, fit)
    foreign = probe_others(verifier, fit, others)
    return {
        "tasks": len(fit),
        "unfit": [target.id for target in targets if target not in fit],
        "strategies": dict(sorted(rewards.items(), key=lambda item: (-item[1][1], -item[1][0], item[0]))),
        "mutants": _figures({"all": count_exposure(mutants)} | by_kind(mutants)),
        "others": _figures(by_kind(foreign)),
        "survivors": [
            dataclasses.asdict(probe) for probe in [*mutants, *foreign] if probe.changed and probe.on_twins
        ],
        "same_meaning": sum(not probe.changed for probe in mutants),
    }


def write_tables(figures: Mapping[str, Any]) -> str:
    """The figures as text."""
    strategies = list(figures["strategies"].items())
    lines = [f"{figures['tasks']} tasks; the ten best of {len(strategies)} constant strategies:"]
    lines += [
        f"  {all_:.4f} with twins, {main_:.4f} on main: {name}" for name, (main_, all_) in strategies[:10]
    ]
    lines.append(f"{'changed queries':<28}{'number':>8}{'refused on main':>18}{'with twins':>12}")
    for kind, row in [*figures["mutants"].items(), *figures["others"].items()]:
        lines.append(
            f"{kind:<28}{row['changed']:>8}{row['score_on_main']:>18.4f}{row['score_on_twins']:>12.4f}"
        )
    lines.append(f"{figures['same_meaning']} mutants give the reference's rows on every database.")
    lines += [f"survivor: {one['target']} ({one['kind']}): {one['sql']}" for one in figures["survivors"]]
    return "\n".join(lines) + "\n"


def _figures(exposures: Mapping[str, Exposure]) -> dict[str, dict[str, float]]:
    return {
        kind: {
            **dataclasses.asdict(one),
            "score_on_main": round(one.score_on_main, 4),
            "score_on_twins": round(one.score_on_twins, 4),
        }
        for kind, one in exposures.items()
    }


def _json(line: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(line)
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
