"""What the parity gate asks and what it found."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

State = Literal["passed", "failed", "undecided"]


@dataclass(frozen=True)
class ParitySettings:
    """How a checkpoint is compared as it is served with what was trained.

    Attributes:
        samples: drawn from each probed task.
        floor: mean difference of log-probabilities, in nats a token, that the engine's arithmetic explains.
        slope: how far the effect's slope may be from 1.
        reload: mean difference likewise between the policy in training and its files loaded again.
        reward: how far the mean reward may fall below the trainer's, where chance does not explain it.
        temperature, max_tokens, batch_size, truncated: as the stage sampled and paid; see GrpoSettings.
        seed: of the samples.
    """

    samples: int
    floor: float
    slope: float
    reload: float
    reward: float
    temperature: float
    max_tokens: int
    batch_size: int
    truncated: str
    seed: int


@dataclass(frozen=True)
class Check:
    """One check: its name; passed, failed, or undecided where there was too little to tell; what was found and
    expected, in words; the figure behind it with a 95% interval, where there is one.
    """

    name: str
    state: State
    found: str
    value: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Parity:
    """Whether a checkpoint is served as it was trained.

    Attributes:
        weights: SHA-256 of the adapter's weights.
        sampler: the engine that served it.
        tokens: reply tokens that were compared.
        checks: in the order in which they were made.
        cause: the likely cause of a failure; None where nothing failed.
    """

    weights: str
    sampler: str
    tokens: int
    checks: tuple[Check, ...]
    cause: str | None = None

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return all(check.state != "failed" for check in self.checks)


def explain(found: Parity, checkpoint: Path, file: Path) -> str:
    """The message of a gate that failed: what failed, the likely cause, and the file that has all."""
    return "\n".join(
        [
            f"{checkpoint}: what is served is not what was trained, so no score of it would count.",
            *(f"  {check.name}: {check.found}" for check in found.checks if check.state == "failed"),
            f"Likely cause: {found.cause or 'unknown'}.",
            f"All that was found: {file}",
        ]
    )
