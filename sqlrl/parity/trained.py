"""A checkpoint as its stage left it: what the parity gate holds the served one to."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from safetensors.torch import load_file

from sqlrl.authoring.task import Task
from sqlrl.errors import UserError
from sqlrl.parity.suspects import Tensors
from sqlrl.training.checkpoints import read_step, steps_in
from sqlrl.training.manifest import WEIGHTS, AdapterManifest, read_manifest
from sqlrl.training.probe import Probe, read_probes


@dataclass(frozen=True)
class Trained:
    """A checkpoint as its stage left it.

    Attributes:
        model: folder of the base model.
        adapter: folder of the adapter.
        manifest: of the adapter.
        probes: of the checkpoint.
        batch: sequences a forward pass in which the stage measured them.
        tasks: by id, those of the probes at least.
        others: weights of earlier adapters of the run, by name.
    """

    model: Path
    adapter: Path
    manifest: AdapterManifest
    probes: Sequence[Probe]
    batch: int
    tasks: Mapping[str, Task]
    others: Mapping[str, Tensors]


def probes_of(file: Path, step: int) -> list[Probe]:
    """What a stage wrote of one of its checkpoints. Raises UserError where there is nothing."""
    probes = [one for one in read_probes(file) if one.step == step]
    if not probes:
        raise UserError(f"{file}: nothing of step {step}: it is of another build.")
    return probes


def read_trained(
    model: Path, adapter: Path, probes: Path, checkpoints: Path, parent: Path | None, tasks: Iterable[Task]
) -> Trained:
    """Read a checkpoint, with all adapters that could be served in its place.

    Args:
        model: folder of the base model.
        adapter: folder of the checkpoint's adapter.
        probes: the stage's.
        checkpoints: the stage's packed steps.
        parent: folder of the adapter that the stage started from; None for the base.
        tasks: of the run's training.

    Raises:
        UserError: files that are missing or of another build.
    """
    manifest = read_manifest(adapter)
    others = {
        f"step {step}": read_step(checkpoints, step) for step in steps_in(checkpoints) if step < manifest.step
    }
    if parent:
        others[parent.absolute().parent.name] = load_file(parent / WEIGHTS)
    batch = int(manifest.settings["micro_batch_size"])
    found = probes_of(probes, manifest.step)
    return Trained(model, adapter, manifest, found, batch, {task.id: task for task in tasks}, others)
