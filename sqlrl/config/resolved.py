"""The settings that a run comes to, each with the place that it was set in."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlrl.config.extends import Place
from sqlrl.config.run import find_run
from sqlrl.config.settings import resolve

# What every run shares, in the order of the recipe.
SHARED = ("authoring", "screening", "review", "split", "verifier", "report")


@dataclass(frozen=True)
class Line:
    """One setting: its dotted key with its value, and where that is from."""

    text: str
    origin: str


def resolved_settings(root: Path, config: Mapping[str, Any], source: str, name: str) -> list[Line]:
    """All settings that decide a run, its own first.

    Args:
        root: the project's folder.
        config: parsed YAML.
        source: the configuration's file name.
        name: of the run.

    Raises:
        UserError: the configuration has a fault, or no run of this name.
    """
    settings, blocks = resolve(root, config, source)
    run = find_run(settings, name)
    places: list[Place] = [("runs", name), ("models", run.own["model"])]
    places += [("databases", database) for database in run.evaluated]
    places += [(section,) for section in SHARED]
    return [
        Line(
            f"{'.'.join(place)}: {json.dumps(value, ensure_ascii=False)}",
            _origin(place, config, blocks, source),
        )
        for start in places
        for place, value in _leaves(_at(settings, start), start)
    ]


def _origin(place: Place, config: Mapping[str, Any], blocks: Mapping[Place, str], source: str) -> str:
    place = _as_written(place, config)
    block = next(
        (blocks[place[:length]] for length in range(len(place), 0, -1) if place[:length] in blocks), None
    )
    if block:
        return f"{source}, {block}"
    return source if _has(config, place) else "default"


def _as_written(place: Place, config: Mapping[str, Any]) -> Place:
    """Where a setting of a stage that an ablation stands for is written: its arm, its control, or the seeds."""
    run, ablation = place[:2], _at(config, (*place[:2], "ablation"))
    if place[2:3] != ("stages",) or not ablation or _has(config, place[:4]):
        return place
    arm, rest = place[3].rpartition("-")[0], place[4:]
    if rest == ("seed",):
        return (*run, "ablation", "seeds")
    changed = (*run, "ablation", "arms", arm, *rest)
    return changed if _has(config, changed) else (*run, "ablation", "control", *rest)


def _leaves(value: Any, place: Place) -> Iterator[tuple[Place, Any]]:
    """Values that are no blocks; an empty block is a value."""
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from _leaves(inner, (*place, str(key)))
    else:
        yield place, value


def _at(settings: Mapping[str, Any], place: Place) -> Any:
    found: Any = settings
    for key in place:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


def _has(config: Mapping[str, Any], place: Place) -> bool:
    around = _at(config, place[:-1])
    return isinstance(around, Mapping) and place[-1] in around
