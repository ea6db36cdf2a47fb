"""What one GRPO step learns from: groups of replies to the same prompt, and what they earned."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlrl.database.files import MAIN
from sqlrl.sampling.sampler import Prompt, Reply
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
        return sum(len(reply.token_ids) for reply in self.replies)

    def figures(self) -> dict[str, Any]:
        """The fields of TrainingStep that the round alone decides."""
        samples, mains = len(self.replies), [verdict.outcomes[MAIN] for verdict in self.verdicts]
        surprisal = -sum(sum(reply.logprobs) for reply in self.replies)
        truncated = sum(reply.finish_reason == "length" for reply in self.replies)
        return {
            "tokens": self.tokens,
            "samples": samples,
            "reward": round(sum(verdict.reward for verdict in self.verdicts) / samples, 6),
            "zero_variance": round(self.mixed.count(False) / len(self.mixed), 6),
            "entropy": round(surprisal / self.tokens, 6),
            "completion_length": round(self.tokens / samples, 6),
            "truncated": round(truncated / samples, 6),
            "verdicts": _shares(outcome.verdict for outcome in mains),
            "reasons": _shares(outcome.reason for outcome in mains),
        }


def _shares(values: Iterable[str]) -> dict[str, float]:
    counts = Counter(values)
    return {key: round(counts[key] / counts.total(), 6) for key in sorted(counts)}
