"""The settings of a report, and what the configuration says that its numbers were made from."""

from dataclasses import dataclass
from typing import Any

from sqlrl.errors import UserError
from sqlrl.statistics.bootstrap import BootstrapSettings
from sqlrl.verifier.reward import Databases, VerifierSettings


@dataclass(frozen=True)
class ReportSettings:
    """headline_databases: where a reply must be right; resamples, confidence, seed: of the bootstrap;
    equivalence_margin: a difference too small to matter, as a share; failures: how many to show;
    gpu_hour_price: US dollars an hour of one GPU, None where it is not known; run: the run's name.
    """

    headline_databases: Databases
    resamples: int
    confidence: float
    seed: int
    equivalence_margin: float
    failures: int
    gpu_hour_price: float | None
    run: str

    @property
    def bootstrap(self) -> BootstrapSettings:
        """What the intervals are made with. Raises UserError where it cannot be."""
        if not (0 < self.confidence < 1 and self.resamples >= 100 and self.equivalence_margin > 0):
            raise UserError(
                f"report: resamples {self.resamples}, confidence {self.confidence}, equivalence_margin "
                f"{self.equivalence_margin}; expected at least 100, a share between 0 and 1, and above 0."
            )
        return BootstrapSettings(self.resamples, self.confidence, self.seed)


@dataclass(frozen=True)
class Arm:
    """An arm of an ablation.

    stages: in the order of the seeds; changes: what it changes, dotted key to the values in the control and in
    the arm.
    """

    name: str
    stages: tuple[str, ...]
    changes: dict[str, tuple[Any, Any]]


@dataclass(frozen=True)
class Ablation:
    """Arms that each change one lever of a control. control: its stages, in the order of the seeds."""

    seeds: tuple[int, ...]
    control: tuple[str, ...]
    arms: tuple[Arm, ...]

    @property
    def all_stages(self) -> frozenset[str]:
        """The stages of the control and of all arms."""
        return frozenset(self.control).union(*(arm.stages for arm in self.arms))

    @property
    def groups(self) -> dict[str, str]:
        """Stage to the words by which all seeds of its arm are named together."""
        named = {"control": self.control} | {arm.name: arm.stages for arm in self.arms}
        return {stage: f"{name}, {len(stages)} seeds" for name, stages in named.items() for stage in stages}


@dataclass(frozen=True)
class CodeClaims:
    """Digests of the code that samples, judges, and trains each stage."""

    rollouts: str
    scores: str
    stages: dict[str, str]


@dataclass(frozen=True)
class Claims:
    """What config.yaml says now: a report is refused where what it is given says otherwise.

    stages: name to ``from`` (the checkpoint it starts from) and ``settings`` (a digest); scoring: k,
    passes and the sampling settings; verifier: what verdicts are made with; ablation: which stages are
    arms of one, None where the run has none; seeds: groups of stages that differ in their seed alone; databases: those
    trained on; unseen: those that are scored on too; sampling: how replies are drawn, by ``<part>-<pass>``; prompt,
    sampler: how the model is asked; code: None where nothing is known of it.
    """

    run: str
    model: str
    databases: tuple[str, ...]
    stages: dict[str, dict[str, str]]
    scoring: dict[str, Any]
    verifier: VerifierSettings
    sampling: dict[str, dict[str, Any]]
    prompt: dict[str, Any]
    sampler: str
    ablation: Ablation | None = None
    seeds: tuple[tuple[str, ...], ...] = ()
    unseen: tuple[str, ...] = ()
    code: CodeClaims | None = None
