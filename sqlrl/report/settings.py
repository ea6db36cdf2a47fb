"""The settings of a report, and what the configuration says that its numbers were made from."""

from dataclasses import dataclass
from typing import Any

from sqlrl.errors import UserError
from sqlrl.statistics.bootstrap import BootstrapSettings
from sqlrl.verifier.reward import Databases, VerifierSettings


@dataclass(frozen=True)
class ReportSettings:
    """headline_databases: where a reply must be right; resamples, confidence, seed: of the bootstrap;
    equivalence_margin: a difference too small to matter, as a share; failures: how many to show; run:
    the run's name.
    """

    headline_databases: Databases
    resamples: int
    confidence: float
    seed: int
    equivalence_margin: float
    failures: int
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
class Claims:
    """What config.yaml says now: a report is refused where what it is given says otherwise.

    stages: name to ``from`` (the checkpoint it starts from) and ``settings`` (a digest); scoring: k,
    passes and the sampling settings; verifier: what verdicts are made with.
    """

    run: str
    model: str
    databases: tuple[str, ...]
    stages: dict[str, dict[str, str]]
    scoring: dict[str, Any]
    verifier: VerifierSettings
