"""One stage of training as a job: what it is made from, where its work lies, how it ends."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic

from peft import PeftModel
from transformers import PrinterCallback, Trainer

from sqlrl import ranks
from sqlrl.errors import UserError
from sqlrl.files import canonical_json, digest_file, digest_text, write_json, write_text
from sqlrl.models.folder import ModelManifest, read_model
from sqlrl.models.prompts import PromptWriter
from sqlrl.progress import ProgressReport
from sqlrl.records import to_dict
from sqlrl.sampling.memory import keep_freed_memory
from sqlrl.timing import Stopwatch
from sqlrl.training.checkpoints import Save, Workshop, atomic_path
from sqlrl.training.likelihood import Likelihood
from sqlrl.training.live import Plan, write_plan
from sqlrl.training.log import StepLog, StepTime, TrainingStep
from sqlrl.training.manifest import (
    CONFIG,
    WEIGHTS,
    AdapterManifest,
    Origin,
    library_versions,
    read_manifest,
    write_manifest,
)
from sqlrl.training.policy import adapter_tensors, digest_frozen, load_adapter, open_policy, save_adapter
from sqlrl.training.probe import Prober, Seen
from sqlrl.training.reporting import Reporting
from sqlrl.training.settings import Settings
from sqlrl.training.trainer import Keeper

SEEN = "seen.jsonl"

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Request(Generic[Settings]):
    """All that decides a stage's result, and how its job runs.

    Attributes:
        settings: of the stage.
        given: the same as they were given.
        model: model.json of the base model.
        parent: folder of the adapter to continue; None starts from the base.
        inputs: all other files that decide the result.
        sections: further sections of settings that do, by name.
        code: digest of the code.
        wall_minutes: minutes after which the job saves and ends; 0 sets no limit.
        gpus: that the job has, for its cost.
        reporting: where its figures go besides the log.
    """

    settings: Settings
    given: dict[str, Any]
    model: Path
    parent: Path | None
    inputs: Sequence[Path]
    sections: Mapping[str, Any]
    code: str
    wall_minutes: int = 0
    gpus: int = 0
    reporting: Reporting = field(default_factory=Reporting)


@dataclass(frozen=True)
class Products:
    """The files that a stage leaves: a folder for the adapter, and one file each for the asked-for
    steps, what its checkpoints are probed with, the training log, the cost, and the time of each step.
    """

    adapter: Path
    checkpoints: Path
    probes: Path
    training_log: Path
    timing: Path
    step_times: Path


class Stage(Generic[Settings]):
    """A stage that is being trained; what lies in its work folder from a killed job is gone on from."""

    def __init__(self, request: Request[Settings], prompts: PromptWriter, work: Path) -> None:
        """
        Args:
            request: what to train.
            prompts: of the run.
            work: where unfinished work lies; the stage makes a folder of its own in it.

        Raises:
            UserError: the parent does not fit.
        """
        keep_freed_memory()
        self.watch = Stopwatch(request.gpus)
        self.request: Request[Settings] = request
        self.settings: Settings = request.settings
        self.prompts = prompts
        self.model = read_model(request.model)
        self.parent = _read_parent(request.parent, self.model) if request.parent else None
        self.inputs = [(_label(path), digest_file(path)) for path in request.inputs]
        self.work = Workshop(work / self._key())
        self.policy: PeftModel = open_policy(
            request.model.parent, request.parent, self.settings.lora, self.settings.seed
        )
        self._frozen = digest_frozen(self.policy)
        self.log = StepLog(self.work.log, TrainingStep)
        self.times = StepLog(self.work.times, StepTime)
        self._save = self._take_up()
        self.progress = ProgressReport(self.settings.steps, f"{self.settings.kind} steps")
        self.keeper = Keeper(
            self.policy,
            self.settings,
            self.work,
            self.log,
            self.times,
            self.progress,
            self._save[1] if self._save else None,
            request.wall_minutes,
        )

    def train(self, trainer: Trainer) -> None:
        """Train to the end, from the last save where there is one.

        Raises:
            UserError: the wall-time limit came first; the same command goes on from there.
        """
        trainer.remove_callback(PrinterCallback)
        if self._save and (self._save[1].step == self.settings.steps or self._save[1].stop_reason):
            load_adapter(self.policy, self._save[0])
            return
        with self.progress if ranks.is_first() else nullcontext():
            self.progress.advance(self._save[1].step if self._save else 0)
            trainer.train(resume_from_checkpoint=str(self._save[0]) if self._save else None)
        if self.keeper.is_out_of_time:
            raise UserError(
                f"wall_minutes of {self.request.wall_minutes} are over at step {trainer.state.global_step} of"
                f" {self.settings.steps}. Nothing is lost: run the same command again to go on from there."
            )

    def finish(self, products: Products) -> None:
        """Write the products, adapter.json last, and remove the work folder; the first process does."""
        if not ranks.is_first():
            return
        steps = self.log.read()
        staged = self.work.folder / "adapter"
        save_adapter(self.policy, staged, self.model.name)
        for name in (WEIGHTS, CONFIG):
            with atomic_path(products.adapter / name) as partial:
                partial.write_bytes((staged / name).read_bytes())
        for step in self.settings.checkpoints:
            if step > steps[-1].step:  # the stage's own rule ended it before
                self.work.keep(step, adapter_tensors(self.policy))
        self.work.pack(self.settings.checkpoints, products.checkpoints)
        write_text(products.probes, self.work.probes.read_text(encoding="utf-8"))
        write_text(products.training_log, self.work.log.read_text(encoding="utf-8"))
        write_text(products.step_times, self.work.times.read_text(encoding="utf-8"))
        tokens, samples = sum(step.tokens for step in steps), sum(step.samples for step in steps)
        timing = self.watch.timing(tokens, samples, round(self.keeper.seconds(), 3))
        write_json(products.timing, to_dict(timing))
        manifest = self._manifest(digest_file(staged / WEIGHTS), steps[-1].step, tokens, samples)
        write_manifest(products.adapter, manifest)
        self.work.remove()

    def save(self, folder: Path) -> None:
        """Write the adapter under training, and no reference adapter beside it."""
        save_adapter(self.policy, folder, self.model.name)

    def probe_with(self, likelihood: Likelihood) -> None:
        """Let the checkpoints be probed with what ``see`` is told."""
        self.keeper.prober = Prober(likelihood, self.work.probes, self.settings.micro_batch_size)

    def see(self, seen: Iterable[Seen]) -> None:
        """Remember the tasks of a step for the probes."""
        if self.keeper.prober:
            self.keeper.prober.recent.hear(seen)

    def save_seen(self, folder: Path) -> None:
        """Write what was seen into a resumable save."""
        if self.keeper.prober:
            self.keeper.prober.recent.save(folder / SEEN)

    def restore_seen(self, save: str | None) -> None:
        """Go on from what a save has."""
        if self.keeper.prober and save:
            self.keeper.prober.recent.restore(Path(save) / SEEN)

    def _take_up(self) -> tuple[Path, Save] | None:
        """The save to go on from; what was done after it is undone."""
        if ranks.is_first():
            self.work.clear_leftovers()
            found = self.work.last_save()
            for log in (self.log, self.times):
                log.cut(found[1].step if found else 0)
            write_plan(self.work.folder, Plan(self.settings.kind, self.settings.steps))
        ranks.wait()
        save = self.work.last_save()
        if save:
            logger.info("going on after step %d of %d", save[1].step, self.settings.steps)
        return save

    def _key(self) -> str:
        made_from = {
            "settings": self.request.given,
            "sections": self.request.sections,
            "model": self.model.digest,
            "parent": [digest_file(self.request.parent / name) for name in (WEIGHTS, CONFIG)]
            if self.request.parent
            else None,
            "inputs": self.inputs,
            "code": self.request.code,
            "versions": library_versions(),
        }
        return digest_text(canonical_json(made_from))[:16]

    def _manifest(self, weights: str, step: int, tokens: int, samples: int) -> AdapterManifest:
        reason = self.keeper.stop_reason
        return AdapterManifest(
            kind=self.settings.kind,
            settings=self.request.given,
            step=step,
            weights=weights,
            model=Origin(self.model.name, self.model.digest),
            parent=self.parent,
            inputs=dict(self.inputs),
            sections=dict(self.request.sections),
            code=self.request.code,
            versions=library_versions(),
            tokens=tokens,
            samples=samples,
            stopped_at=step if reason else None,
            stop_reason=reason,
            frozen_before=self._frozen,
            frozen_after=digest_frozen(self.policy),
        )


def _read_parent(folder: Path, model: ModelManifest) -> Origin:
    """The parent's name and digest. Raises UserError where it adapts another model."""
    manifest = read_manifest(folder)
    if manifest.model.digest != model.digest:
        raise UserError(
            f"{folder} adapts the model {manifest.model.name} ({manifest.model.digest[:12]}), not "
            f"{model.name} ({model.digest[:12]}), which this stage trains."
        )
    return Origin(folder.absolute().parent.name, manifest.weights)


def _label(path: Path) -> str:
    """A file's name with that of its folder: no path of this machine."""
    return f"{path.absolute().parent.name}/{path.name}"
