"""What a comparison of runs says, in sentences."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlrl.report.files import BASE
from sqlrl.report.words import (
    count,
    listed,
    part_sentence,
    percent,
    points,
    setting,
    span,
    verdict_words,
    weaknesses,
)
from sqlrl.statistics.verdict import BETTER, WORSE

Run = Mapping[str, Any]
Comparison = Mapping[str, Any]


def base_name(name: str, runs: Sequence[Run]) -> str:
    """A run's base as a reader knows it: by its model, and by the run too where several start from that model."""
    models = {one["run"]: str(one["model"]["name"]) for one in runs}
    alone = list(models.values()).count(models[name]) == 1
    return models[name] if alone else f"{models[name]} as run {name} asks it"


def side_name(side: Mapping[str, str], runs: Sequence[Run]) -> str:
    """One side of a comparison: the base by its model, a trained checkpoint by its run."""
    if side["checkpoint"] == BASE:
        return base_name(side["run"], runs)
    return f"{side['run']} after {side['checkpoint']}"


def pair_name(comparison: Comparison, runs: Sequence[Run]) -> str:
    """A comparison by its sides, the newer first."""
    return f"{side_name(comparison['after'], runs)} against {side_name(comparison['before'], runs)}"


def headline_sentence(comparison: Comparison, runs: Sequence[Run]) -> str:
    """Whether the newest base starts higher than the oldest, in one sentence."""
    newer, older = (side_name(comparison[side], runs) for side in ("after", "before"))
    digests = {one["run"]: one["model"]["digest"] for one in runs}
    same = digests[comparison["after"]["run"]] == digests[comparison["before"]["run"]]
    base = f"The base {newer}" if same else f"The newer base {newer}"
    starts = {
        BETTER: f"{base} starts higher than {older}",
        WORSE: f"{base} starts lower than {older}",
    }.get(comparison["verdict"], f"{base} is not shown to start higher than {older}")
    after, before = percent(comparison["after_value"]), percent(comparison["before_value"])
    return (
        f"{starts}: untrained it answers {after} of {count(comparison['holdout_tasks'], 'held-out question')} right, "
        f"against {before} ({points(comparison['difference'])} points, {span(comparison['interval'])}): "
        f"{verdict_words(comparison)}."
    )


def beside(comparison: Comparison, runs: Sequence[Run]) -> dict[str, str]:
    """One further comparison in a sentence with its verdict."""
    trained = {comparison[side]["checkpoint"] for side in ("after", "before")} - {BASE}
    what = "After training" if trained else "Before training"
    return part_sentence(comparison, f"{what}, {pair_name(comparison, runs)}")


def setting_words(value: Any) -> str:
    """A setting in one line; an empty text as its quotes."""
    return '""' if value == "" else setting(value)


def warnings(
    runs: Sequence[Run], comparisons: Sequence[Comparison], settings: Sequence[Mapping[str, Any]]
) -> list[str]:
    """What a reader must know before believing the comparison."""
    return [*_same_models(runs), *_different_settings(settings), *_weak_pairs(comparisons, runs)]


def _same_models(runs: Sequence[Run]) -> list[str]:
    by_digest: dict[str, list[str]] = {}
    for run in runs:
        by_digest.setdefault(run["model"]["digest"], []).append(run["run"])
    return [
        f"{listed(names)} start from the same weights: between their bases there is nothing to find but how they "
        "are asked."
        for names in by_digest.values()
        if len(names) > 1
    ]


def _different_settings(settings: Sequence[Mapping[str, Any]]) -> list[str]:
    different = [one for one in settings if not one["equal"]]
    if not different:
        return []
    told = "; ".join(
        f"{one['key']} is "
        + listed([f"{setting_words(value)} for {name}" for name, value in one["values"].items()])
        for one in different
    )
    return [f"The runs do not ask their models alike, and a difference may come from that: {told}."]


def _weak_pairs(comparisons: Sequence[Comparison], runs: Sequence[Run]) -> list[str]:
    return [told for one in comparisons for told in weaknesses(pair_name(one, runs), one)]
