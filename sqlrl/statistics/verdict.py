"""One verdict in words from the intervals of all scoring passes."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlrl.statistics.bootstrap import Estimate, Interval, unseen_bound
from sqlrl.statistics.power import tasks_needed

BETTER = "proven better"
WORSE = "proven worse"
SAME = "no difference larger than {margin:g}"
UNDECIDED = "undecided"


@dataclass(frozen=True)
class Verdict:
    """words: one of the four verdicts; needed_tasks: what would decide it, only where undecided; lost_among:
    how many comparisons it is one of, where it was proven alone and is not among so many.
    """

    words: str
    needed_tasks: int | None = None
    lost_among: int | None = None

    @property
    def sentence(self) -> str:
        """The verdict with what it would take to decide, or why it does not count, where it is undecided."""
        if self.lost_among is not None:
            return f"{self.words} (proven alone, not as one of {self.lost_among} comparisons)"
        if self.words != UNDECIDED or self.needed_tasks is None:
            return self.words
        return f"{self.words} (needs about {_rounded(self.needed_tasks)} tasks)"


def judge_difference(passes: Sequence[Estimate], margin: float, confidence: float) -> Verdict:
    """The verdict that every scoring pass supports.

    Each pass gives a paired difference in [-1, 1] and its headline interval, the wider of the task
    and the clustered one. "Proven" needs every interval to exclude zero on the same side;
    "no difference" needs every one to lie within the margin; a real but tiny difference is proven.
    An interval of zero width counts as wide as what its tasks could not have shown (unseen_bound).

    Args:
        passes: one estimate a scoring pass, at least one.
        margin: the equivalence margin, a difference too small to matter, above 0.
        confidence: of the intervals.

    Raises:
        ValueError: no pass, or a margin that is not positive.
    """
    words = judge_intervals([honest_interval(one, confidence) for one in passes], margin)
    return Verdict(words, _needed(passes, confidence) if words == UNDECIDED else None)


def judge_intervals(intervals: Sequence[Interval], margin: float) -> str:
    """The verdict that every interval of a difference supports; see judge_difference for its rules.

    Raises:
        ValueError: no interval, or a margin that is not positive.
    """
    if not intervals or margin <= 0:
        raise ValueError("a verdict needs at least one scoring pass and a margin above zero.")
    if all(one.low > 0 for one in intervals):
        return BETTER
    if all(one.high < 0 for one in intervals):
        return WORSE
    if all(-margin <= one.low and one.high <= margin for one in intervals):
        return SAME.format(margin=margin)
    return UNDECIDED


def hold_among(verdict: Verdict, adjusted_p: float, comparisons: int, confidence: float) -> Verdict:
    """The verdict of one of many comparisons: proven only where the adjusted p value allows it as well.

    Of twenty comparisons in which nothing differs, one is proven by chance. So what its intervals prove
    becomes undecided where its p value, adjusted for all of them (multiple.holm), is not below 1 - confidence.
    "No difference" is no claim of an effect and stays.
    """
    if verdict.words not in (BETTER, WORSE) or adjusted_p < 1.0 - confidence:
        return verdict
    return Verdict(UNDECIDED, lost_among=comparisons)


def honest_interval(estimate: Estimate, confidence: float) -> Interval:
    """The headline interval of a difference, or what stands for it where its width is zero."""
    if estimate.headline.width > 0:
        return estimate.headline
    return unseen_bound(estimate, -1.0, 1.0, confidence)


def _needed(passes: Sequence[Estimate], confidence: float) -> int | None:
    """Tasks that would prove the difference as the least convincing pass saw it, clusters included.

    None where the passes do not even agree on the side, or saw nothing.
    """
    if len({one.value > 0 for one in passes}) > 1 or any(one.value == 0 for one in passes):
        return None
    needs = [
        tasks_needed(one.sd * one.design_effect**0.5, one.value, confidence=confidence) for one in passes
    ]
    return max([*needs, passes[0].tasks + 1])


def _rounded(tasks: int) -> str:
    """Two leading digits: the figure is an estimate."""
    digits = max(len(str(tasks)) - 2, 0)
    return f"{round(tasks, -digits):,}"
