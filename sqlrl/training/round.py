"""What one GRPO step learns from: groups of replies to the same prompt, and what they earned."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlrl.database.files import MAIN
from sqlrl.sampling.sampler import Prompt, Reply
from sqlrl.training.probe import Seen, see
from sqlrl.verifier.reward import Verdict


@dataclass(frozen=True)
class Round:
    """Replies and their verdicts, prompt by prompt, ``group_size`` each."""

    prompts: list[Prompt]
    replies: list[Reply]
    verdicts: list[Verdict]
    group_size: int

    @property
    def rewards(self) -> list[list[float]]:
        """What each group's samples earned."""
        earned = [verdict.reward for verdict in self.verdicts]
        return [earned[start : start + self.group_size] for start in range(0, len(earned), self.group_size)]

    @property
    def mixed(self) -> list[bool]:
        """Whether a group's samples earned different rewards: only then it teaches something."""
        return [len(set(rewards)) > 1 for rewards in self.rewards]

    @property
    def tokens(self) -> int:
        """Tokens sampled."""
        return sum(reply.reply_tokens for reply in self.replies)

    @property
    def truncated(self) -> list[bool]:
        """Whether a reply ran out of tokens."""
        return [reply.finish_reason == "length" for reply in self.replies]

    def passed(self, match_reward: float) -> dict[str, tuple[int, int]]:
        """How many samples of each task were paid for a match, and how many there are, by task id."""
        return {
            prompt.key: (sum(reward >= match_reward for reward in rewards), len(rewards))
            for prompt, rewards in zip(self.prompts, self.rewards, strict=True)
        }

    def seen(self) -> list[Seen]:
        """Each task with the first sample's reply and what all earned, for the probes."""
        firsts = self.replies[:: self.group_size]
        return [
            see(prompt.key, prompt.token_ids, prompt.prefix_length, reply.token_ids, rewards)
            for prompt, reply, rewards in zip(self.prompts, firsts, self.rewards, strict=True)
        ]

    def followed_by(self, other: "Round") -> "Round":
        """These groups, then those of another round."""
        return Round(
            self.prompts + other.prompts,
            self.replies + other.replies,
            self.verdicts + other.verdicts,
            self.group_size,
        )

    def best(self, count: int) -> "Round":
        """So many groups: those with variance first, else in their order."""
        mixed = self.mixed
        return self.groups(sorted(sorted(range(len(mixed)), key=lambda group: not mixed[group])[:count]))

    def groups(self, chosen: Sequence[int]) -> "Round":
        """The groups of these numbers, counted from 0."""
        samples = [group * self.group_size + sample for group in chosen for sample in range(self.group_size)]
        return Round(
            [self.prompts[group] for group in chosen],
            [self.replies[sample] for sample in samples],
            [self.verdicts[sample] for sample in samples],
            self.group_size,
        )

    def figures(self, trained: "Round", masks_truncated: bool) -> dict[str, Any]:
        """The fields of TrainingStep that sampling alone decides.

        Args:
            trained: the groups of these that the step trains on.
            masks_truncated: whether truncated samples are left out of the loss.
        """
        samples, mains = len(self.replies), [verdict.outcomes[MAIN] for verdict in self.verdicts]
        surprisal = -sum(sum(reply.logprobs) for reply in self.replies)
        return {
            "tokens": self.tokens,
            "samples": samples,
            "reward": round(sum(verdict.reward for verdict in self.verdicts) / samples, 6),
            "groups": len(self.prompts),
            "zero_variance": round(self.mixed.count(False) / len(self.mixed), 6),
            "gradient_samples": trained.count_teaching(masks_truncated),
            "entropy": round(surprisal / self.tokens, 6),
            "completion_length": round(self.tokens / samples, 6),
            "truncated": round(sum(self.truncated) / samples, 6),
            "verdicts": _shares(outcome.verdict for outcome in mains),
            "reasons": _shares(outcome.reason for outcome in mains),
        }

    def count_teaching(self, masks_truncated: bool) -> int:
        """How many samples move the policy: those of groups with variance that are not masked."""
        mixed = self.mixed
        return sum(
            mixed[number // self.group_size] and not (masks_truncated and truncated)
            for number, truncated in enumerate(self.truncated)
        )


def _shares(values: Iterable[str]) -> dict[str, float]:
    counts = Counter(values)
    return {key: round(counts[key] / counts.total(), 6) for key in sorted(counts)}
