"""Blocks of config.yaml that runs and stages share: ``extends: NAME`` written out, and where each value came from."""

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlrl.config.names import nearest

DEFAULTS, EXTENDS = "defaults", "extends"
RUNS, STAGES = KINDS = ("runs", "stages")

Block = dict[str, Any]
Place = tuple[str, ...]


@dataclass
class WrittenOut:
    """A configuration without ``extends``.

    Attributes:
        config: what remains to be checked against the schema; ``defaults`` is still in it.
        origins: place of each value that a block gave to the block's name, ``defaults.stages.round``.
        faults: names that are unknown, circles.
        unused: blocks that nothing extends, told as faults.
    """

    config: Block
    origins: dict[Place, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)


def write_out(config: Mapping[str, Any]) -> WrittenOut:
    """A copy of a configuration in which every run and stage has the keys of the block that it extends.

    A block's keys are taken where the run or stage has none of its own; blocks within it are merged likewise,
    lists are not. A block may extend another. What is not of the form that is expected is left as it is, for
    the schema to refuse.
    """
    found = WrittenOut(copy.deepcopy(dict(config)))
    blocks = {kind: _blocks(found.config, kind) for kind in KINDS}
    used: dict[str, set[str]] = {kind: set() for kind in KINDS}
    for name, run in _mapping(found.config.get(RUNS)).items():
        place = (RUNS, name)
        _extend(found, place, run, blocks[RUNS], RUNS, used)
        for stage, values in _mapping(_mapping(run).get(STAGES)).items():
            _extend(found, (*place, STAGES, stage), values, blocks[STAGES], STAGES, used)
        control = _mapping(_mapping(run).get("ablation")).get("control")
        _extend(found, (*place, "ablation", "control"), control, blocks[STAGES], STAGES, used)
    for kind in KINDS:
        for name in sorted(blocks[kind].keys() - used[kind]):
            found.unused.append(f"{_named(kind, name)} is extended by nothing: use it, or leave it out.")
    return found


def _extend(
    found: WrittenOut,
    place: Place,
    values: Any,
    blocks: Mapping[str, Any],
    kind: str,
    used: Mapping[str, set[str]],
) -> None:
    """Give a run or a stage, in place, the keys of the blocks that it extends, the nearest first."""
    seen: list[str] = []
    wanted = values.pop(EXTENDS, None) if isinstance(values, dict) else None
    while wanted is not None:
        if not isinstance(wanted, str) or wanted not in blocks:
            found.faults.append(_unknown(".".join(place), kind, wanted, blocks))
            return
        if wanted in seen:
            found.faults.append(f"{_named(kind, wanted)} extends itself, by way of {' and '.join(seen)}.")
            return
        seen.append(wanted)
        used[kind].add(wanted)
        block = {key: value for key, value in _mapping(blocks[wanted]).items() if key != EXTENDS}
        for added in _merge(values, block):
            found.origins[*place, *added] = _named(kind, wanted)
        wanted = _mapping(blocks[wanted]).get(EXTENDS)


def _merge(own: Block, block: Mapping[str, Any], before: Place = ()) -> Iterator[Place]:
    """Add what is missing to ``own``. Yields the places of the values that were added, blocks within apart."""
    for key, value in block.items():
        place = (*before, str(key))
        if isinstance(value, Mapping) and isinstance(own.setdefault(key, {}), dict):
            yield from _merge(own[key], value, place)
        elif key not in own:
            own[key] = copy.deepcopy(value)
            yield place


def _unknown(place: str, kind: str, name: Any, blocks: Mapping[str, Any]) -> str:
    known = ", ".join(blocks) or "none"
    return f'{place}.{EXTENDS} is "{name}", which {DEFAULTS}.{kind} does not have: {known}.{nearest(str(name), blocks)}'


def _named(kind: str, name: str) -> str:
    return f"{DEFAULTS}.{kind}.{name}"


def _blocks(config: Block, kind: str) -> Mapping[str, Any]:
    return _mapping(_mapping(config.get(DEFAULTS)).get(kind))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
