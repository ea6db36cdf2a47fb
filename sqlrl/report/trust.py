"""How far the report's own intervals can be trusted: their coverage on holdouts of its shape."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlrl.report.evidence import Evidence
from sqlrl.report.files import BASE
from sqlrl.report.rates import Passes
from sqlrl.report.words import percent
from sqlrl.statistics.bootstrap import BootstrapSettings
from sqlrl.statistics.coverage import Coverage, difference_coverage, mean_coverage

# An interval that covers a point less than it says is called short: 94% of 95%.
SHORTFALL = 0.01


def describe_coverage(
    evidence: Evidence, headline: tuple[str, str], settings: BootstrapSettings
) -> dict[str, Any]:
    """Simulated coverage of the intervals that the headline stands on, as the report's JSON has it.

    Of the pass@1 of both checkpoints over all passes, and of their difference in one pass. Schemas are left out:
    a simulation of three of them would be a guess. A figure is missing where all replies were right or all wrong.

    Args:
        evidence: what was scored.
        headline: (after, before).
        settings: of the intervals.
    """
    after, before = headline
    figures = [_rate(evidence, name, settings) for name in dict.fromkeys((before, after))]
    if after != before:
        figures.append(_difference(evidence, after, before, settings))
    short_below = settings.confidence - SHORTFALL
    return {
        "short_below": short_below,
        "figures": [
            {
                "of": of,
                "coverage": one.share,
                "standard_error": one.standard_error,
                "runs": one.runs,
                "short": one.share < short_below,
            }
            for of, one in figures
            if one is not None
        ],
    }


def coverage_warnings(coverage: Mapping[str, Any], confidence: float) -> list[str]:
    """Which intervals are short, in words."""
    return [
        f"The interval of {one['of']} is short: made for {percent(confidence)}, it covers the truth in "
        f"{percent(one['coverage'], 1)} of simulated holdouts of this size. Read it as a little wider."
        for one in coverage["figures"]
        if one["short"]
    ]


def _rate(evidence: Evidence, checkpoint: str, settings: BootstrapSettings) -> tuple[str, Coverage | None]:
    name = "the base's pass@1" if checkpoint == BASE else f"{checkpoint}'s pass@1"
    passed, drawn = _counts(evidence.passes[checkpoint])
    tasks = sorted(passed)
    found = mean_coverage(
        [passed[task] for task in tasks],
        drawn,
        _templates(evidence, tasks),
        settings.confidence,
        settings.seed,
    )
    return name, found


def _difference(
    evidence: Evidence, after: str, before: str, settings: BootstrapSettings
) -> tuple[str, Coverage | None]:
    (old, drawn), (new, _) = (_counts(evidence.passes[name]) for name in (before, after))
    tasks = sorted(old.keys() & new.keys())
    name = f"the difference of {after} and {before} in one scoring pass"
    if not tasks:
        return name, None
    found = difference_coverage(
        [old[task] for task in tasks],
        [new[task] for task in tasks],
        drawn,
        evidence.k,
        _templates(evidence, tasks),
        settings.confidence,
        settings.seed,
    )
    return name, found


def _templates(evidence: Evidence, tasks: Sequence[str]) -> list[str]:
    return [evidence.tasks[task].template for task in tasks]


def _counts(passes: Passes) -> tuple[dict[str, int], int]:
    """Passed samples of the tasks that every pass has, and samples of each."""
    shared = set.intersection(*(set(one.tasks) for one in passes.values()))
    found = dict.fromkeys(shared, 0)
    for one in passes.values():
        for task, number in zip(one.tasks, one.right.sum(axis=1).tolist(), strict=True):
            if task in shared:
                found[task] += number
    return found, sum(one.k for one in passes.values())
