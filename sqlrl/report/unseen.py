"""Every checkpoint on schemas that the run never trained on: did what was learned carry over?"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlrl.report.adjustment import PARTS, adjust_comparisons
from sqlrl.report.comparisons import compare_whole, pairs
from sqlrl.report.evidence import Evidence
from sqlrl.report.headline import headline_pair
from sqlrl.report.holdout import holdout_digest
from sqlrl.report.rates import rate_figures
from sqlrl.report.settings import ReportSettings
from sqlrl.report.words import part_sentence, weaknesses

RATES = ("pass@1", "pass@k", "pass^k", "executes")


def describe_unseen(
    evidence: Evidence, databases: Collection[str], settings: ReportSettings
) -> list[dict[str, Any]]:
    """What became of each schema that was never trained on, as the report's JSON has it.

    Their comparisons are one Holm family over all these schemas: none of them is the one that the run was made for.

    Args:
        evidence: of all that was scored.
        databases: those never trained on, in the order of the configuration.
        settings: of the report.

    Raises:
        UserError: two checkpoints share no task of such a schema.
    """
    parts = {name: evidence.of_databases([name]) for name in databases}
    adjusted = adjust_comparisons(
        {
            f"{name}: {after}-vs-{before}": _compare(part, after, before, settings)
            for name, part in parts.items()
            for after, before in pairs(part)
        },
        None,
        settings.confidence,
    )
    return [
        {
            "database": name,
            "tasks": len(part.tasks),
            "templates": len({task.template for task in part.tasks.values()}),
            "holdout_digest": holdout_digest(part.tasks),
            "checkpoints": [
                {"checkpoint": one}
                | {
                    rate: rate_figures(part.passes[one], rate, part.tasks, settings.bootstrap)
                    for rate in RATES
                }
                for one in part.checkpoints
            ],
            "comparisons": {
                f"{after}-vs-{before}": adjusted[f"{name}: {after}-vs-{before}"]
                for after, before in pairs(part)
            },
        }
        for name, part in parts.items()
    ]


def unseen_sentences(unseen: Sequence[Mapping[str, Any]], evidence: Evidence) -> list[dict[str, str]]:
    """What stands beside the headline: the headline's two checkpoints on each such schema."""
    after, before = headline_pair(evidence)
    if after == before:
        return []
    return [
        part_sentence(
            one["comparisons"][f"{after}-vs-{before}"],
            f"On {one['database']}, a schema never trained on, {after} against {before}",
        )
        for one in unseen
    ]


def unseen_warnings(unseen: Sequence[Mapping[str, Any]]) -> list[str]:
    """What weakens these comparisons, in words."""
    return [
        told
        for one in unseen
        for name, comparison in one["comparisons"].items()
        for told in weaknesses(f"{one['database']}, {name}", comparison)
    ]


def _compare(part: Evidence, after: str, before: str, settings: ReportSettings) -> dict[str, Any]:
    """Without parts: no query shape of a schema that was never trained on is one of training."""
    whole = compare_whole(part, after, before, settings.bootstrap, settings.equivalence_margin)
    return {**whole, **dict.fromkeys(PARTS)}
