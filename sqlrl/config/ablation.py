"""An ablation of config.yaml - one lever an arm, some seeds - written out as plain stages."""

import copy
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

CONTROL = "control"
# Keys that are one lever: equal samples force the sizes of a step to change together.
LEVERS = (
    ("steps", "prompts_per_step", "group_size", "steps_per_generation"),
    ("learning_rate", "schedule", "warmup_steps"),
    ("beta", "kl_reference"),
    ("feed", "adaptive"),
)
# What any arm may set besides: how a stage is computed and kept, not what it learns.
ASIDE = ("micro_batch_size", "gradient_checkpointing", "save_steps", "checkpoints", "wall_minutes", "gpus")

Block = Mapping[str, Any]


def stage_name(arm: str, seed: int) -> str:
    """The stage of an arm, or of the control, with one seed."""
    return f"{arm}-{seed}"


def arm_stages(ablation: Block, arm: str) -> list[str]:
    """An arm's stages in the order of the seeds."""
    return [stage_name(arm, seed) for seed in ablation["seeds"]]


def ablation_stages(run: Block) -> dict[str, dict[str, Any]]:
    """The stages that a run's ablation stands for, by name, the control's first; none without one.

    A stage is the control with the arm's keys merged deeply into it, and the seed.
    """
    ablation = run["ablation"]
    if ablation is None:
        return {}
    arms = {CONTROL: {}, **ablation["arms"]}
    return {
        stage_name(arm, seed): {**_merged(ablation["control"], changed), "seed": seed}
        for arm, changed in arms.items()
        for seed in ablation["seeds"]
    }


def changes(run: Block, arm: str) -> dict[str, list[Any]]:
    """What an arm changes, ``{"band.enabled": [false, true]}``: values in the control, and in the arm.

    Args:
        run: with its ablation written out as stages, and every default filled in.
        arm: its name.
    """
    seed = run["ablation"]["seeds"][0]
    old, new = (_flat(run["stages"][stage_name(name, seed)]) for name in (CONTROL, arm))
    keys = [*new, *(key for key in old if key not in new)]
    return {key: [old.get(key), new.get(key)] for key in keys if old.get(key) != new.get(key)}


def name_faults(name: str, run: Block, written: Block) -> Iterator[str]:
    """What forbids to write out a run's ablation: names that are taken, seeds that are none.

    Args:
        name: of the run.
        run: checked by the schema, defaults filled in.
        written: the same as config.yaml has it.
    """
    ablation, place = run["ablation"], f"runs.{name}.ablation"
    seeds = ablation["seeds"]
    if len(seeds) < 2 or len(set(seeds)) < len(seeds):
        yield f"{place}.seeds is {seeds}: a spread between seeds takes two or more different ones, such as [1, 2, 3]."
    for where, block in (
        ("control", written["ablation"]["control"]),
        *((f"arms.{arm}", block) for arm, block in ablation["arms"].items()),
    ):
        if "seed" in block:
            yield f"{place}.{where}.seed is set, but the seeds of all stages are those of {place}.seeds: leave it out."
    if CONTROL in ablation["arms"]:
        yield f'{place}.arms has the name "{CONTROL}", which is that of {place}.control. Rename it.'
    for stage in sorted(run["stages"].keys() & ablation_stages(run).keys()):
        yield f'runs.{name}.stages has the name "{stage}", which is that of a stage of {place}. Rename it, or the arm.'


def arm_faults(name: str, run: Block) -> Iterator[str]:
    """What makes arms of a written out ablation no fair comparison: other samples, another start, two levers."""
    ablation, place = run["ablation"], f"runs.{name}.ablation"
    samples = _samples(ablation["control"])
    for arm in (CONTROL, *ablation["arms"]):
        stage = run["stages"][stage_name(arm, ablation["seeds"][0])]
        where = f"{place}.{CONTROL}" if arm == CONTROL else f"{place}.arms.{arm}"
        yield from _counting_faults(where, stage)
        if arm == CONTROL:
            continue
        changed = list(dict.fromkeys(key.partition(".")[0] for key in changes(run, arm)))
        if "from" in changed:
            yield (
                f'{where}.from is "{stage["from"]}", but every arm starts where the control does, from '
                f'"{ablation["control"]["from"]}": leave it out.'
            )
        elif _samples(stage) != samples:
            yield (
                f"{where} samples {_sizes(stage)}, the control {_sizes(ablation['control'])}: change steps, "
                "prompts_per_step and group_size together, so that both are equal."
            )
        else:
            yield from _lever_faults(where, changed)


def in_words_of_arms(fault: str, runs: Block) -> str:
    """A fault of a stage that an ablation stands for, told of the arm that config.yaml has."""
    for name, run in runs.items():
        ablation = run.get("ablation")
        if not ablation:
            continue
        arms = {stage: arm for arm in (CONTROL, *ablation["arms"]) for stage in arm_stages(ablation, arm)}
        for stage in sorted(arms, key=len, reverse=True):
            own = CONTROL if arms[stage] == CONTROL else f"arms.{arms[stage]}"
            pattern = rf"runs\.{re.escape(name)}\.stages\.{re.escape(stage)}(?![a-z0-9-])"
            fault = re.sub(pattern, f"runs.{name}.ablation.{own}", fault)
    return fault


def _counting_faults(where: str, stage: Block) -> Iterator[str]:
    """Settings by which a stage would sample more or less than its sizes say."""
    if stage["feed"] == "adaptive" and stage["adaptive"]["backfill"] != 1:
        yield (
            f"{where}.adaptive.backfill is {stage['adaptive']['backfill']}, so that the stage would sample more than "
            "the others: set it to 1.0."
        )
    if stage["stop_without_variance"] is not None:
        yield (
            f"{where}.stop_without_variance is {stage['stop_without_variance']}, so that the stage could sample less "
            "than the others: leave it out."
        )


def _lever_faults(where: str, changed: Sequence[str]) -> Iterator[str]:
    deciding = [key for key in changed if key not in ASIDE]
    if not deciding:
        yield f"{where} changes nothing that decides what the stage learns: change one lever of the control."
        return
    lever = next((keys for keys in LEVERS if deciding[0] in keys), (deciding[0],))
    others = [key for key in deciding if key not in lever]
    if others:
        yield (
            f"{where} changes {deciding[0]} and {others[0]}: an arm shows one lever, here {', '.join(lever)}. "
            f"Give {others[0]} an arm of its own."
        )


def _samples(stage: Block) -> int:
    return int(stage["steps"] * stage["prompts_per_step"] * stage["group_size"])


def _sizes(stage: Block) -> str:
    factors = " x ".join(str(stage[key]) for key in ("steps", "prompts_per_step", "group_size"))
    return f"{factors} = {_samples(stage)}"


def _merged(block: Block, changed: Block) -> dict[str, Any]:
    """A copy of a block with other values, blocks within it merged likewise."""
    found = copy.deepcopy(dict(block))
    for key, value in changed.items():
        both = isinstance(value, Mapping) and isinstance(found.get(key), Mapping)
        found[key] = _merged(found[key], value) if both else copy.deepcopy(value)
    return found


def _flat(block: Block, before: str = "") -> dict[str, Any]:
    """A block with the keys of blocks within it joined by points."""
    found: dict[str, Any] = {}
    for key, value in block.items():
        found |= _flat(value, f"{before}{key}.") if isinstance(value, Mapping) else {f"{before}{key}": value}
    return found
