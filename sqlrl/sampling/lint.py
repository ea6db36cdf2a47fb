"""Whether a server can apply an adapter whole: servers pass over weights whose names they don't know."""

import json
from collections.abc import Collection
from pathlib import Path

from sqlrl.errors import UserError
from sqlrl.records import read_text
from sqlrl.sampling.adapter import CONFIG, read_adapter
from sqlrl.sampling.engine_settings import fitting_rank


def find_faults(adapter: Path, modules: Collection[str]) -> list[str]:
    """What keeps an adapter from being applied whole.

    Args:
        adapter: the folder of a PEFT LoRA adapter.
        modules: the linear layers that can be adapted, by the names of the class that is served; see
            linear_names.

    Returns:
        A sentence a fault, the likely cause in it; none where all is well.
    """
    try:
        adapted = {name.removesuffix(".weight") for name in read_adapter(adapter)}
        config = json.loads(read_text(adapter / CONFIG))
        fitting_rank(config["r"])
    except UserError as error:
        return [str(error)]
    faults = []
    if unknown := sorted(adapted - set(modules)):
        faults.append(_explain_unknown(unknown, len(adapted), modules))
    elif missing := sorted(_asked_for(config["target_modules"], modules) - adapted):
        faults.append(
            f"{len(missing)} of the modules that target_modules names have no weights in the adapter, such as "
            f"{missing[0]}: part of it was lost on the way."
        )
    return faults


def _explain_unknown(unknown: list[str], adapted: int, modules: Collection[str]) -> str:
    leaf = unknown[0].rpartition(".layers.")[2]
    like = [name for name in sorted(modules) if leaf and name.endswith(f".layers.{leaf}")]
    told = (
        f"{len(unknown)} of its {adapted} modules are not in the model that is served, such as {unknown[0]}"
    )
    if not like:
        return f"{told}: the adapter is for another model."
    return (
        f"{told}, which the served class calls {like[0]}: the adapter is written for another class of this model "
        "(wrong prefix), and a server would apply none of these weights and say nothing."
    )


def _asked_for(targets: object, modules: Collection[str]) -> set[str]:
    """The modules that a config's target_modules names; none that can be checked where it is one pattern."""
    if not isinstance(targets, list):
        return set()
    return {name for name in modules for target in targets if name == target or name.endswith(f".{target}")}
