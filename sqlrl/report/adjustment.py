"""What of many comparisons in one report still holds when they are taken together."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlrl.statistics.multiple import holm
from sqlrl.statistics.verdict import Verdict, hold_among

PARTS = ("seen", "unseen")


def adjust_comparisons(
    comparisons: Mapping[str, Mapping[str, Any]], headline: str | None, confidence: float
) -> dict[str, dict[str, Any]]:
    """Every comparison with its Holm-adjusted p, and its verdict taken back where it does not hold among all.

    The headline's comparison over all tasks is the one that the run was made for: it was named before anything
    was seen, and stands alone. All others, and its parts, are one family.

    Args:
        comparisons: see comparisons.compare.
        headline: the key of the headline's comparison, None where there is none.
        confidence: of the intervals; the level is what it leaves.
    """
    entries = [entry for name, one in comparisons.items() for entry in _entries(name, one)]
    family = [(key, one) for key, one in entries if key != (headline, "all")]
    adjusted = dict(zip([key for key, _ in family], holm([one["p"] for _, one in family]), strict=True))
    found: dict[str, dict[str, Any]] = {}
    for (name, part), one in entries:
        p = adjusted.get((name, part))
        held = {**one, **_hold(one, p, len(family), confidence)}
        found[name] = {**comparisons[name], **held} if part == "all" else {**found[name], part: held}
    return found


def adjust_groups(groups: Sequence[Mapping[str, Any]], confidence: float) -> list[dict[str, Any]]:
    """Every group of one breakdown with its Holm-adjusted p, what it shows alone and what among all groups.

    ``alone``: its interval lies on one side of zero and its p is below the level; ``holds``: the adjusted p is as well.
    """
    tested = [place for place, one in enumerate(groups) if one["p"] is not None]
    adjusted = dict(zip(tested, holm([groups[place]["p"] for place in tested]), strict=True))
    found = []
    for place, one in enumerate(groups):
        p = adjusted.get(place)
        alone = p is not None and _one_side(one["interval"]) and one["p"] < 1.0 - confidence
        holds = alone and p is not None and p < 1.0 - confidence
        found.append({**one, "p_adjusted": p, "alone": alone, "holds": holds})
    return found


def _entries(name: str, comparison: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], Mapping[str, Any]]]:
    yield (name, "all"), {key: value for key, value in comparison.items() if key not in PARTS}
    for part in PARTS:
        if comparison[part]:
            yield (name, part), comparison[part]


def _hold(one: Mapping[str, Any], p: float | None, family: int, confidence: float) -> dict[str, Any]:
    if p is None:
        return {"p_adjusted": None, "lost_among": None}
    verdict = hold_among(Verdict(one["verdict"], one["needed_tasks"]), p, family, confidence)
    return {
        "verdict": verdict.words,
        "verdict_sentence": verdict.sentence,
        "needed_tasks": verdict.needed_tasks,
        "p_adjusted": p,
        "lost_among": verdict.lost_among,
    }


def _one_side(interval: Sequence[float]) -> bool:
    return interval[0] > 0 or interval[1] < 0
