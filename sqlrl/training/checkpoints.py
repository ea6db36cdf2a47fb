"""What is kept of a stage while it runs and at its end: resumable saves, and the asked-for steps."""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import save_file

from sqlrl.errors import UserError
from sqlrl.files import digest_file, write_json, write_text
from sqlrl.records import read_json, read_text, to_dict
from sqlrl.training.manifest import CONFIG, WEIGHTS, read_manifest, write_manifest

COMPLETE = "complete.json"


@dataclass(frozen=True)
class Save:
    """A resumable save: how many steps are in it, the seconds that they took in all jobs so far, and where
    a rule of the stage ends it here, why.
    """

    step: int
    seconds: float
    stop_reason: str | None = None


class Workshop:
    """The folder of a stage's work in progress, named after all that decides the result."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.saves = folder / "saves"
        self.log = folder / "training_log.jsonl"
        self.times = folder / "step_times.jsonl"
        self.probes = folder / "probes.jsonl"
        self.policy = folder / "policy"
        self._steps = folder / "steps"

    def last_save(self) -> tuple[Path, Save] | None:
        """The newest save that was finished; None where there is none."""
        found = sorted((read_json(file, Save).step, file.parent) for file in self.saves.glob(f"*/{COMPLETE}"))
        return (found[-1][1], read_json(found[-1][1] / COMPLETE, Save)) if found else None

    def mark_complete(self, save: Save) -> None:
        """Say that the save of a step is whole, and remove all others."""
        folder = self.saves / f"checkpoint-{save.step}"
        write_json(folder / COMPLETE, to_dict(save))
        for other in self.saves.iterdir():
            if other != folder:
                shutil.rmtree(other)

    def clear_leftovers(self) -> None:
        """Remove what a killed job left half-written, and the policies of steps that are done again."""
        for folder in self.saves.glob("*"):
            if not (folder / COMPLETE).exists():
                shutil.rmtree(folder)
        shutil.rmtree(self.policy, ignore_errors=True)

    def keep(self, step: int, tensors: Mapping[str, torch.Tensor]) -> None:
        """Keep the adapter's weights at an asked-for step."""
        with atomic_path(self._steps / f"{step}.safetensors") as partial:
            save_file(dict(tensors), partial)

    def pack(self, steps: tuple[int, ...], output: Path) -> None:
        """Write all kept steps into one file, tensors named ``step-<step>/<name>``."""
        packed: dict[str, torch.Tensor] = {}
        for step in sorted(steps):
            with safe_open(self._steps / f"{step}.safetensors", "pt") as kept:
                packed |= {f"step-{step}/{name}": kept.get_tensor(name) for name in sorted(kept.keys())}
        with atomic_path(output) as partial:
            save_file(packed, partial)

    def remove(self) -> None:
        """Remove the folder, once the stage's outputs are in place."""
        shutil.rmtree(self.folder, ignore_errors=True)


def steps_in(checkpoints: Path) -> list[int]:
    """The steps of a packed file, earliest first."""
    with safe_open(checkpoints, "pt") as packed:
        return sorted({int(name.split("/")[0].removeprefix("step-")) for name in packed.keys()})  # noqa: SIM118


def read_step(checkpoints: Path, step: int) -> dict[str, torch.Tensor]:
    """The adapter's weights at one step of a packed file.

    Raises:
        UserError: the file does not exist or does not hold the step.
    """
    if not checkpoints.is_file():
        raise UserError(f"{checkpoints}: no such file.")
    prefix = f"step-{step}/"
    with safe_open(checkpoints, "pt") as packed:
        tensors = {
            name.removeprefix(prefix): packed.get_tensor(name)
            for name in packed.keys()  # noqa: SIM118 - a handle, no dict
            if name.startswith(prefix)
        }
    if not tensors:
        held = ", ".join(map(str, steps_in(checkpoints))) or "none"
        raise UserError(f"{checkpoints} has no step {step}; it has: {held}.")
    return tensors


def extract_step(checkpoints: Path, adapter: Path, step: int, output: Path) -> None:
    """Write one step of a packed file as an adapter folder, adapter.json last.

    Args:
        checkpoints: the stage's packed file.
        adapter: folder of the stage's last adapter, whose config and origin the step shares.
        step: an asked-for step; of a stage that ended before it, this is the stage's end.
        output: folder to write into.

    Raises:
        UserError: no such step, or the adapter's files do not belong together.
    """
    manifest = read_manifest(adapter)
    tensors = read_step(checkpoints, step)
    with atomic_path(output / WEIGHTS) as partial:
        save_file(tensors, partial, metadata={"format": "pt"})
    write_text(output / CONFIG, read_text(adapter / CONFIG))
    manifest = replace(manifest, step=min(step, manifest.step), weights=digest_file(output / WEIGHTS))
    if manifest.stopped_at is not None and step < manifest.stopped_at:
        manifest = replace(manifest, stopped_at=None, stop_reason=None)
    write_manifest(output, manifest)


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """A path to write a file to, which appears under its own name when the block ends well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        yield partial
        with partial.open("rb") as stream:
            os.fsync(stream.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
