"""What a stage cost, kept in a file of its own: results never hold times or host names."""

import platform
import time
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlrl.machine import describe_machine


@dataclass(frozen=True)
class Timing:
    """The cost of one job, beside its results.

    Fields: wall seconds; tokens that were sampled or trained on; samples; the start in ISO 8601,
    UTC; the machine's name and what it is (describe_machine); tokens of the samples' prompts, a
    prompt counted once a sample; US dollars, None where no price is known; GPUs that the job had.
    """

    seconds: float
    tokens: int
    samples: int
    started: str
    host: str
    machine: str
    prompt_tokens: int = 0
    money: float | None = None
    gpus: int = 0


class Stopwatch:
    """Starts when it is made; ``timing`` says what was spent since then."""

    def __init__(self, gpus: int = 0) -> None:
        """Start; ``gpus`` is how many the job has."""
        self._gpus = gpus
        self._started = datetime.now(UTC)
        self._start = time.monotonic()

    def timing(
        self,
        tokens: int,
        samples: int,
        seconds: float | None = None,
        prompt_tokens: int = 0,
        money: float | None = None,
    ) -> Timing:
        """The cost so far, for this many tokens and samples; see Timing.

        A resumed job says its own ``seconds``: the clock of this process knows only the last part.
        """
        return Timing(
            seconds=round(time.monotonic() - self._start if seconds is None else seconds, 3),
            tokens=tokens,
            samples=samples,
            started=self._started.isoformat(timespec="seconds"),
            host=platform.node(),
            machine=describe_machine(self._gpus),
            prompt_tokens=prompt_tokens,
            money=money,
            gpus=self._gpus,
        )
