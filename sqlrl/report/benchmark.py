"""The base alone, before training: what it can do, what there is to amplify, what the holdout could prove."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlrl.models.folder import ModelManifest
from sqlrl.report.document import asked, checkpoint_figures, rounded, statistics
from sqlrl.report.evidence import Evidence
from sqlrl.report.files import BASE
from sqlrl.report.forecast import GROUP_SIZES, forecast
from sqlrl.report.holdout import holdout_digest
from sqlrl.report.settings import ReportSettings
from sqlrl.report.trust import describe_coverage
from sqlrl.report.words import count, percent, rate_span


def build_benchmark(
    evidence: Evidence,
    settings: ReportSettings,
    model: ModelManifest | None = None,
    group_sizes: Sequence[int] = (),
) -> dict[str, Any]:
    """The base's figures and a forecast, as the JSON of base_benchmark.

    Args:
        evidence: of the base alone.
        settings: of the report.
        model: the base; None where nothing is said of it.
        group_sizes: that the run's stages will train with.
    """
    figures = checkpoint_figures(evidence, BASE, settings)
    foreseen = forecast(evidence, settings.bootstrap, sorted({*GROUP_SIZES, *group_sizes}))
    document: dict[str, Any] = rounded(
        {
            "run": settings.run,
            "headline": _headline(evidence, figures, foreseen["little_to_amplify"]),
            "model": {"name": model.name, "digest": model.digest} if model else None,
            "asked": asked(evidence),
            "holdout_digest": holdout_digest(evidence.tasks),
            "base": figures,
            "forecast": {**foreseen, "group_sizes": sorted(set(group_sizes))},
            "coverage": describe_coverage(evidence, (BASE, BASE), settings.bootstrap),
            "statistics": statistics(settings),
        }
    )
    return document


def _headline(evidence: Evidence, figures: Mapping[str, Any], little: bool) -> str:
    rate, headroom = figures["all"]["pass@1"], figures["all"]["headroom"]
    able = "little" if little else "room"
    return (
        f"The base model answers {percent(rate['value'])} of {count(rate['tasks'], 'held-out question')} right "
        f"({rate_span(rate)}), and {percent(figures['all']['pass@k']['value'])} with "
        f"{evidence.k} tries: {able} for reinforcement learning to amplify (headroom {headroom:.2f})."
    )
