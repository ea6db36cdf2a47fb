"""Plays a step: the feed's tasks are sampled from the policy as it is now, and judged."""

import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from sqlrl.authoring.task import Task
from sqlrl.files import digest_text
from sqlrl.sampling.sampler import Prompt, Reply, Sampler, SamplingSettings
from sqlrl.training.feed import Feed
from sqlrl.training.round import Round
from sqlrl.training.settings import GrpoSettings
from sqlrl.training.stage import Stage
from sqlrl.verifier.reward import Submission, Verdict, VerifierSettings

POLICIES_KEPT = 2

Judge = Callable[[Sequence[Submission]], list[Verdict]]


@dataclass
class Spent:
    """Wall seconds of a stage by what they were spent on."""

    sampling: float = 0.0
    judging: float = 0.0
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
        """All groups that a step samples: at least its own prompts, and those that the feed back-fills
        while fewer than these have variance.
        """
        settings = self.stage.settings
        policy = self._save_policy(step)
        played = self._play_tasks(self.feed.tasks(step), step, policy)
        while (missing := settings.prompts_per_step - played.mixed.count(True)) > 0:
            tried = [prompt.key for prompt in played.prompts]
            more = self.feed.more_tasks(step, missing, tried)
            if not more:
                break
            played = played.followed_by(self._play_tasks(more, step, policy))
        return played

    def _play_tasks(self, tasks: Sequence[Task], step: int, policy: Path) -> Round:
        prompts = [self.stage.prompts.write(task.id, task.database, task.question) for task in tasks]
        start = time.monotonic()
        replies = self._sample(prompts, step, policy)
        sampled = time.monotonic()
        verdicts = self._pay(tasks, replies)
        self.spent.sampling += sampled - start
        self.spent.judging += time.monotonic() - sampled
        size = self.stage.settings.group_size
        assert len(replies) == len(verdicts) == size * len(prompts)
        played = Round(prompts, replies, verdicts, size)
        self.feed.learn(step, played.passed(self.payment.match_reward))
        return played

    def _sample(self, prompts: list[Prompt], step: int, policy: Path) -> list[Reply]:
        settings = self.stage.settings
        sampling = SamplingSettings(
            settings.temperature, 1.0, settings.max_tokens, settings.prompts_per_step * settings.group_size
        )
        seed = int(digest_text(f"{settings.seed}/step {step}")[:8], 16)
        return self.sampler.sample(prompts, settings.group_size, sampling, policy, seed)

    def _save_policy(self, step: int) -> Path:
        """The adapter as it is now, in a folder that no other adapter ever had."""
        policies = self.stage.work.policy
        folder = policies / f"step-{step}"
        self.stage.save(folder)
        for old in sorted(policies.iterdir(), key=lambda one: int(one.name.split("-")[1]))[:-POLICIES_KEPT]:
            shutil.rmtree(old)
        return folder

    def _pay(self, tasks: Sequence[Task], replies: Sequence[Reply]) -> list[Verdict]:
        by_id = {task.id: task for task in tasks}
        verdicts = self.judge(
            [
                Submission(by_id[reply.task_id].database, reply.text, by_id[reply.task_id].reference_sql)
                for reply in replies
            ]
        )
        if self.stage.settings.truncated != "zero":
            return verdicts
        return [
            replace(verdict, reward=self.payment.error_reward) if reply.finish_reason == "length" else verdict
            for reply, verdict in zip(replies, verdicts, strict=True)
        ]
