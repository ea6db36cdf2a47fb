"""An adapter under the names that AutoModelForCausalLM has, for models whose checkpoints have other names.

The published adapter has the names of the checkpoint's own class, which servers know too. A loader that makes
another class of the same model would pass over all of it.
"""

import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from safetensors.torch import load_file, save_file

from sqlrl.errors import UserError
from sqlrl.files import write_text
from sqlrl.models.architecture import class_name, linear_names
from sqlrl.parity.effect import Estimate, Tokens, effect_slope
from sqlrl.parity.referee import Referee
from sqlrl.records import read_text
from sqlrl.sampling.adapter import PREFIX
from sqlrl.training.checkpoints import atomic_path
from sqlrl.training.exchange import Exchange
from sqlrl.training.manifest import CONFIG, WEIGHTS
from sqlrl.training.probe import Probe

# How far the effect's slope in the other class may be from 1: the weights are the same, only kernels differ.
TOLERANCE = 0.05

logger = logging.getLogger(__name__)


def write_causal_form(model: Path, adapter: Path, probes: Sequence[Probe], output: Path) -> Estimate:
    """Write an adapter under AutoModelForCausalLM's names, and show that it has the same effect there.

    Args:
        model: folder of the base model.
        adapter: folder of the adapter, under the names of the checkpoint's own class.
        probes: of the adapter's checkpoint.
        output: folder to write into.

    Returns:
        The slope of the effect in that class on the effect in the checkpoint's own.

    Raises:
        UserError: the two classes have the same names, a module has no counterpart, or the effect is another.
    """
    names = _counterparts(model)
    tensors = {_rename(name, names): value for name, value in load_file(adapter / WEIGHTS).items()}
    with atomic_path(output / WEIGHTS) as partial:
        save_file(tensors, partial, metadata={"format": "pt"})
    write_text(output / CONFIG, read_text(adapter / CONFIG))
    slope = compare_forms(model, adapter, output, probes)
    logger.info("effect as AutoModelForCausalLM over the checkpoint's class: %.3f", slope.value)
    if not 1 - TOLERANCE <= slope.value <= 1 + TOLERANCE:
        (output / WEIGHTS).unlink()
        raise UserError(
            f"{adapter}: under the names of AutoModelForCausalLM its effect has the slope {slope.value:.3f}, expected "
            f"1 within {TOLERANCE:g}: that class computes another model."
        )
    return slope


def compare_forms(model: Path, adapter: Path, form: Path, probes: Sequence[Probe]) -> Estimate:
    """The slope of a form's effect, loaded by AutoModelForCausalLM, on the adapter's own."""
    exchanges = [Exchange(one.seen.prompt_ids, one.seen.reply_ids, one.seen.prefix) for one in probes]
    own = Referee(model, adapter, exchanges[:2])
    base, adapted = own.base(exchanges, 1.0), own.adapted(exchanges, 1.0)
    del own
    other = Referee(model, form, exchanges[:2], causal=True)
    served = base + other.adapted(exchanges, 1.0)[:, 0] - other.base(exchanges, 1.0)
    reply = np.repeat(np.arange(len(exchanges)), [len(one.reply) for one in exchanges])
    return effect_slope(Tokens(reply, served, base, adapted[:, 0], adapted[:, 1], adapted[:, 2]))


def _counterparts(model: Path) -> dict[str, str]:
    """The name in AutoModelForCausalLM of every module of the checkpoint's class, by its place in the layers."""
    own, other = linear_names(model), linear_names(model, causal=True)
    if own == other:
        raise UserError(
            f"{model}: AutoModelForCausalLM has the names of the checkpoint's class, {class_name(model)}: it needs no "
            "second form. Leave models.<name>.causal_form out."
        )
    places = {name.partition(".layers.")[2]: name for name in other}
    missing = sorted(name for name in own if name.partition(".layers.")[2] not in places)
    if missing:
        raise UserError(f"{model}: AutoModelForCausalLM has no counterpart of {missing[0]}.")
    return {name: places[name.partition(".layers.")[2]] for name in own}


def _rename(tensor: str, names: dict[str, str]) -> str:
    module, _, rest = tensor.removeprefix(PREFIX).partition(".lora_")
    return f"{PREFIX}{names[module]}.lora_{rest}"
