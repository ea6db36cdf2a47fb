"""Stages of a run that are one stage with several seeds."""

from collections.abc import Mapping
from typing import Any

from sqlrl.files import canonical_json

# What decides nothing of what a stage learns, and the seed itself.
APART = ("seed", "wall_minutes", "gpus")


def seed_groups(stages: Mapping[str, Mapping[str, Any]]) -> list[list[str]]:
    """Groups of two or more stages that differ in their seeds alone: one start, one band, the same settings.

    Two stages of one seed are one measurement made twice, and no group.

    Args:
        stages: name to block, in the order of the run.
    """
    alike: dict[str, list[str]] = {}
    for name, block in stages.items():
        rest = {key: value for key, value in block.items() if key not in APART}
        alike.setdefault(canonical_json(rest), []).append(name)
    return [
        names
        for names in alike.values()
        if len(names) > 1 and len({stages[name]["seed"] for name in names}) == len(names)
    ]
