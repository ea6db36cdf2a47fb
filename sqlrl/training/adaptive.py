"""A feed that follows the policy: it asks what the policy solves sometimes, as far as it knows by now.

Each task has a Beta posterior of its pass rate. A group of G samples teaches only where some pass and some
fail; under Beta(a, b) the chance of that is 1 - E[p^G] - E[(1 - p)^G], with
E[p^G] = prod_{i<G} (a + i) / (a + b + i), the Beta-binomial's ends. Tasks are drawn in proportion to it.
The policy moves, so older groups count less: each new one scales what was counted by 1 - 1/memory.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlrl.authoring.task import Task
from sqlrl.files import digest_text
from sqlrl.training.feed import require_tasks
from sqlrl.training.settings import AdaptiveSettings

LEAST_WEIGHT = 1e-12


@dataclass(frozen=True)
class Belief:
    """What is known of one task: passed and failed samples, older ones counted less, and the last step
    that sampled it, -1 for none.
    """

    passed: float = 0.0
    failed: float = 0.0
    last_step: int = -1

    def rate(self, prior: float) -> float:
        """Posterior mean of the pass rate."""
        return (self.passed + prior) / (self.passed + self.failed + 2 * prior)

    def after(self, passed: int, samples: int, step: int, memory: float) -> "Belief":
        """The belief after one more group."""
        kept = 1.0 - 1.0 / memory
        return Belief(self.passed * kept + passed, self.failed * kept + samples - passed, step)


def chance_of_mixed(passes: float, fails: float, group_size: int) -> float:
    """Probability that a group has passing and failing samples, with the pass rate Beta(passes, fails)."""
    return 1.0 - _all_pass(passes, fails, group_size) - _all_pass(fails, passes, group_size)


class AdaptiveFeed:
    """Draws tasks by their chance of a mixed group; see Feed.

    Solved tasks are retired. Hopeless ones get a small share of the prompts, those first that were not
    tried for the longest time. What is drawn is a function of the seed, the step and the beliefs.
    """

    def __init__(
        self,
        tasks: Sequence[Task],
        per_step: int,
        group_size: int,
        seed: int,
        settings: AdaptiveSettings,
        measured: Mapping[str, tuple[int, int]],
    ) -> None:
        """
        Args:
            tasks: distinct tasks, in any order.
            per_step: prompts a step.
            group_size: samples a prompt.
            seed: of the draws.
            settings: see AdaptiveSettings.
            measured: passed and all samples by task id, where the band has measured them.

        Raises:
            UserError: fewer tasks than one step takes.
        """
        require_tasks(tasks, per_step, "prompts_per_step")
        self._tasks = {task.id: task for task in sorted(tasks, key=lambda task: task.id)}
        self._per_step, self._group_size, self._seed, self._settings = per_step, group_size, seed, settings
        self._beliefs = {task: Belief() for task in self._tasks}
        for task, (passed, samples) in measured.items():
            if task in self._beliefs:
                self._beliefs[task] = Belief(passed, samples - passed)

    def tasks(self, step: int) -> list[Task]:
        """See Feed."""
        solved = [task for task in self._tasks if self._rate(task) > self._settings.retire_above]
        hopeless = [task for task in self._tasks if self._rate(task) < self._settings.hopeless_below]
        waiting = self._longest_untried(hopeless)
        revisited = waiting[: self._due(step)]
        drawn = self._draw(step, self._active(), self._per_step - len(revisited))
        chosen = revisited + drawn
        rest = [task for task in (*waiting, *self._longest_untried(solved)) if task not in chosen]
        chosen += rest[: self._per_step - len(chosen)]
        return [self._tasks[task] for task in chosen]

    def more_tasks(self, step: int, count: int, tried: Collection[str]) -> list[Task]:
        """See Feed: while the step's budget lasts, ``backfill`` times its prompts in all."""
        left = int(self._settings.backfill * self._per_step) - len(tried)
        candidates = [task for task in self._active() if task not in tried]
        return [self._tasks[task] for task in self._draw(step, candidates, min(count, left))]

    def learn(self, step: int, passed: Mapping[str, tuple[int, int]]) -> None:
        """See Feed."""
        for task, (right, samples) in passed.items():
            self._beliefs[task] = self._beliefs[task].after(right, samples, step, self._settings.memory)

    def state(self) -> dict[str, Any]:
        """See Feed."""
        return {task: asdict(belief) for task, belief in self._beliefs.items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """See Feed."""
        self._beliefs |= {task: Belief(**belief) for task, belief in state.items()}

    def _rate(self, task: str) -> float:
        return self._beliefs[task].rate(self._settings.prior)

    def _active(self) -> list[str]:
        low, high = self._settings.hopeless_below, self._settings.retire_above
        return [task for task in self._tasks if low <= self._rate(task) <= high]

    def _due(self, step: int) -> int:
        """How many prompts of a step go to hopeless tasks, so that over the steps it is their share."""
        a_step = self._settings.revisit * self._per_step
        return math.floor((step + 1) * a_step) - math.floor(step * a_step)

    def _longest_untried(self, tasks: Iterable[str]) -> list[str]:
        return sorted(tasks, key=lambda task: (self._beliefs[task].last_step, self._number(0, task)))

    def _draw(self, step: int, tasks: Iterable[str], count: int) -> list[str]:
        """Weighted draw without replacement: the largest u^(1/w) (Efraimidis and Spirakis, 2006)."""
        prior = self._settings.prior
        keys = {}
        for task in tasks:
            belief = self._beliefs[task]
            weight = chance_of_mixed(belief.passed + prior, belief.failed + prior, self._group_size)
            keys[task] = math.log(self._number(step, task)) / max(weight, LEAST_WEIGHT)
        return sorted(keys, key=lambda task: (-keys[task], task))[: max(count, 0)]

    def _number(self, step: int, task: str) -> float:
        """A number in (0, 1) that is a function of seed, step and task."""
        return (int(digest_text(f"{self._seed}/adaptive/{step}/{task}")[:13], 16) + 0.5) / 16**13


def _all_pass(passes: float, fails: float, group_size: int) -> float:
    return math.prod((passes + place) / (passes + fails + place) for place in range(group_size))
