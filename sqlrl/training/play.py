"""Plays a step: the feed's tasks are sampled from the policy as it is now, and judged."""

import shutil
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from sqlrl import ranks
from sqlrl.authoring.task import Task
from sqlrl.files import digest_text
from sqlrl.sampling.sampler import LandingSampler, Prompt, Reply, Request, Sampler, SamplingSettings
from sqlrl.training.feed import Feed
from sqlrl.training.judging import Judge, Judging, pay
from sqlrl.training.live import show_replies
from sqlrl.training.round import Round
from sqlrl.training.settings import GrpoSettings
from sqlrl.training.stage import Stage
from sqlrl.verifier.reward import VerifierSettings

POLICIES_KEPT = 2


@dataclass
class Spent:
    """Wall seconds of a stage by what they were spent on."""

    sampling: float = 0.0
    judging: float = 0.0  # that the trainer waited for, once all replies were there
    loss: float = 0.0


@dataclass
class Player:
    """What it takes to play a step.

    Attributes:
        stage: under training.
        feed: of its tasks.
        sampler: that draws the replies.
        judge: the verifier's.
        payment: what the verifier pays.
    """

    stage: Stage[GrpoSettings]
    feed: Feed
    sampler: Sampler
    judge: Judge
    payment: VerifierSettings
    spent: Spent = field(default_factory=Spent)

    def play(self, step: int) -> Round:
        """All groups that are sampled before a step: at least its own prompts and those of the steps that share
        its generation, and those that the feed back-fills while fewer than these have variance.
        """
        settings = self.stage.settings
        policy = self._save_policy(step)
        steps = range(step, step + settings.steps_per_generation)
        played = self._play_tasks([task for one in steps for task in self.feed.tasks(one)], step, policy)
        while (missing := settings.prompts_per_step - played.mixed.count(True)) > 0:
            tried = [prompt.key for prompt in played.prompts]
            more = self.feed.more_tasks(step, missing, tried)
            if not more:
                break
            played = played.followed_by(self._play_tasks(more, step, policy))
        if ranks.is_first():
            show_replies(self.stage.work.folder, step + 1, played.replies, played.verdicts)
        return played

    def _play_tasks(self, tasks: Sequence[Task], step: int, policy: Path) -> Round:
        prompts = [self.stage.prompts.write(task.id, task.database, task.question) for task in tasks]
        start = time.monotonic()
        with Judging(self.judge, {task.id: task for task in tasks}) as judging:
            own = self._sample(ranks.share(prompts), step, policy, judging)
            sampled = time.monotonic()
            paid = pay(own, judging.verdicts(own), self.stage.settings.truncated, self.payment)
        replies, verdicts = ranks.gather(own), ranks.gather(paid)
        self.spent.sampling += sampled - start
        self.spent.judging += time.monotonic() - sampled
        size = self.stage.settings.group_size
        assert len(replies) == len(verdicts) == size * len(prompts)
        played = Round(prompts, replies, verdicts, size)
        self.feed.learn(step, played.passed(self.payment.match_reward))
        return played

    def _sample(self, prompts: Sequence[Prompt], step: int, policy: Path, judging: Judging) -> list[Reply]:
        """The replies, prompt by prompt; those that land one by one are judged meanwhile."""
        settings = self.stage.settings
        size = settings.group_size
        sampling = SamplingSettings(settings.temperature, 1.0, settings.max_tokens, self._together() * size)
        seed = int(digest_text(f"{settings.seed}/step {step}")[:8], 16)
        if not isinstance(self.sampler, LandingSampler):
            replies = self.sampler.sample(prompts, size, sampling, policy, seed)
            judging.hear(*replies)
            return replies
        wanted = [Request(prompt, number) for prompt in prompts for number in range(size)]
        landed: dict[tuple[str, int], Reply] = {}
        with closing(self.sampler.land(wanted, sampling, policy, seed)) as found:
            for reply in found:
                landed[reply.task_id, reply.sample] = reply
                judging.hear(reply)
        return [landed[one.prompt.key, one.sample] for one in wanted]

    def _together(self) -> int:
        """Prompts that are sampled together."""
        return self.stage.settings.prompts_per_step * self.stage.settings.steps_per_generation

    def _save_policy(self, step: int) -> Path:
        """The adapter as it is now, in a folder that no other adapter ever had."""
        policies = self.stage.work.policy
        folder = policies / f"step-{step}"
        if ranks.is_first():
            self.stage.save(folder)
            self._drop_old(policies)
        ranks.wait()
        return folder

    def _drop_old(self, policies: Path) -> None:
        for old in sorted(policies.iterdir(), key=lambda one: int(one.name.split("-")[1]))[:-POLICIES_KEPT]:
            shutil.rmtree(old)
