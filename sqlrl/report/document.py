"""The report as one JSON document: every number that the page and the Markdown show."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sqlrl.report.adjustment import adjust_comparisons
from sqlrl.report.breakdowns import DIMENSIONS, SEVERAL, break_down
from sqlrl.report.comparisons import compare, pairs, parts_of
from sqlrl.report.curves import stage_curve
from sqlrl.report.evidence import Evidence
from sqlrl.report.files import BASE
from sqlrl.report.forecast import GAINS, GROUP_SIZES, chosen_groups, forecast
from sqlrl.report.headline import describe_headline, headline_name, headline_pair
from sqlrl.report.holdout import holdout_digest
from sqlrl.report.learned import describe_learned
from sqlrl.report.rates import RATES, error_kinds, luck, rate_figures
from sqlrl.report.seeds import describe_seeds
from sqlrl.report.settings import ReportSettings
from sqlrl.report.trust import coverage_warnings, describe_coverage
from sqlrl.report.words import listed, weaknesses
from sqlrl.statistics.bootstrap import FEWEST_SCHEMAS
from sqlrl.statistics.paired_tests import FLIPS
from sqlrl.statistics.power import tasks_needed

DIGITS = 6


def build_document(
    evidence: Evidence,
    curves: Mapping[str, Mapping[str, Any]],
    settings: ReportSettings,
    stages: Mapping[str, Mapping[str, Any]],
    seeds: Sequence[Sequence[str]] = (),
) -> dict[str, Any]:
    """All statistics of a report; failures, provenance and costs are added by their own modules.

    Args:
        evidence: what was asked and what came of it.
        curves: stage to its training curve.
        settings: of the report.
        stages: stage to the settings that it trained with.
        seeds: groups of stages that differ in their seed alone.
    """
    pair = headline_pair(evidence)
    comparisons = compare_all(evidence, settings)
    repeated = describe_seeds(
        evidence, seeds, {name: one.get("seed") for name, one in stages.items()}, settings
    )
    found = stage_curves(evidence, curves, comparisons, settings)
    coverage = describe_coverage(evidence, pair, settings.bootstrap)
    document: dict[str, Any] = rounded(
        {
            "run": settings.run,
            "asked": asked(evidence),
            "headline": describe_headline(evidence, comparisons, repeated),
            "checkpoints": [
                checkpoint_figures(evidence, checkpoint, settings) for checkpoint in evidence.checkpoints
            ],
            "comparisons": comparisons,
            "seeds": repeated,
            "curves": found,
            "warnings": [f"{one['stage']}: {one['warning']}" for one in found if one["warning"]]
            + warnings(evidence, comparisons)
            + coverage_warnings(coverage, settings.confidence),
            "breakdowns": {
                name: break_down(evidence, name, pair, settings.bootstrap) for name in (*DIMENSIONS, *SEVERAL)
            },
            "learned": describe_learned(evidence, pair),
            "fixed": fixed(evidence, stages, settings),
            "power": power(evidence, comparisons, settings),
            "coverage": coverage,
            "statistics": statistics(settings),
        }
    )
    return document


def compare_all(evidence: Evidence, settings: ReportSettings) -> dict[str, dict[str, Any]]:
    """Every checkpoint against its start and against the base, adjusted for being many."""
    found = {
        f"{after}-vs-{before}": compare(
            evidence, after, before, settings.bootstrap, settings.equivalence_margin
        )
        for after, before in pairs(evidence)
    }
    return adjust_comparisons(found, headline_name(evidence), settings.confidence)


def stage_curves(
    evidence: Evidence,
    curves: Mapping[str, Mapping[str, Any]],
    comparisons: Mapping[str, Mapping[str, Any]],
    settings: ReportSettings,
) -> list[dict[str, Any]]:
    """The curves of all stages in the order of the run, each with the holdout's verdict in mind."""
    return [
        stage_curve(
            stage,
            curves[stage],
            evidence,
            settings.bootstrap,
            comparisons.get(f"{stage}-vs-{evidence.parent(stage)}", {}).get("verdict"),
        )
        for stage in sorted(curves, key=list(evidence.parents).index)
    ]


def fixed(
    evidence: Evidence, stages: Mapping[str, Mapping[str, Any]], settings: ReportSettings
) -> dict[str, Any]:
    """What was fixed before training, and what could be foreseen from the base alone."""
    chosen = chosen_groups(evidence, stages)
    sizes = sorted({*GROUP_SIZES, *(one["group_size"] for one in chosen)})
    return {
        "holdout_digest": holdout_digest(evidence.tasks),
        "tasks": len(evidence.tasks),
        "templates": len({task.template for task in evidence.tasks.values()}),
        "k": evidence.k,
        "passes": len(evidence.scoring),
        **forecast(evidence, settings.bootstrap, sizes),
        "groups": chosen,
    }


def statistics(settings: ReportSettings) -> dict[str, Any]:
    """What the numbers were made with."""
    return {
        "headline_databases": settings.headline_databases,
        "resamples": settings.resamples,
        "flips": FLIPS,
        "confidence": settings.confidence,
        "seed": settings.seed,
        "equivalence_margin": settings.equivalence_margin,
    }


def asked(evidence: Evidence) -> dict[str, Any]:
    """What was asked, how often, and of what kinds."""
    tasks = evidence.tasks
    parts = parts_of(tasks)
    return {
        "tasks": len(tasks),
        "templates": len({task.template for task in tasks.values()}),
        "seen_tasks": len(parts["seen"]),
        "unseen_tasks": len(parts["unseen"]),
        "unseen_templates": len({task.template for task in parts["unseen"].values()}),
        "dev_tasks": len(evidence.dev_tasks),
        "k": evidence.k,
        "passes": len(evidence.scoring),
        "samples_per_checkpoint": len(tasks) * evidence.k * len(evidence.scoring),
        "kinds": {
            name: dict(sorted(Counter(kind(task) for task in tasks.values()).items()))
            for name, kind in DIMENSIONS.items()
        },
        "examples": [
            {"question": task.question, "reference_sql": task.reference_sql, "difficulty": task.difficulty}
            for task in sorted(tasks.values(), key=lambda task: task.id)[:3]
        ],
    }


def checkpoint_figures(evidence: Evidence, checkpoint: str, settings: ReportSettings) -> dict[str, Any]:
    """All rates of one checkpoint, over all tasks, seen and unseen templates; errors and luck."""
    passes = evidence.passes[checkpoint]
    parts = {"all": evidence.tasks, **parts_of(evidence.tasks)}
    figures: dict[str, Any] = {
        part: {rate: rate_figures(passes, rate, chosen, settings.bootstrap) for rate in RATES}
        for part, chosen in parts.items()
    }
    for rates in figures.values():
        known = rates["pass@1"] and rates["pass@k"]
        rates["headroom"] = rates["pass@k"]["value"] - rates["pass@1"]["value"] if known else None
    return {
        "checkpoint": checkpoint,
        "parent": None if checkpoint == BASE else evidence.parent(checkpoint),
        **figures,
        "errors": error_kinds(passes),
        "luck": luck(passes),
    }


def power(
    evidence: Evidence, comparisons: Mapping[str, Mapping[str, Any]], settings: ReportSettings
) -> dict[str, Any]:
    """What this holdout could prove, at the spread that each comparison really had."""
    return {
        "power": 0.8,
        "comparisons": {
            name: {
                "smallest_provable_gain": one["smallest_provable_gain"],
                "sd": one["sd"],
                "design_effect": one["design_effect"],
                "tasks_needed": {
                    f"{gain:g}": tasks_needed(
                        one["sd"] * one["design_effect"] ** 0.5, gain, confidence=settings.confidence
                    )
                    for gain in GAINS
                },
            }
            for name, one in comparisons.items()
            if one["sd"] > 0
        },
    }


def warnings(evidence: Evidence, comparisons: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What a reader must know before believing the numbers."""
    found = [told for name, one in comparisons.items() for told in weaknesses(name, one)]
    schemas = {task.database for task in evidence.tasks.values()}
    if 1 < len(schemas) < FEWEST_SCHEMAS:
        found.append(
            f"The questions are about {listed(sorted(schemas))}. Two schemas say next to nothing about a third: the "
            "intervals and verdicts are about these two."
        )
    unscored = len(evidence.tasks) - min(
        len(one.tasks) for passes in evidence.passes.values() for one in passes.values()
    )
    if unscored:
        found.append(f"{unscored} of {len(evidence.tasks)} held-out tasks lack scores in some pass.")
    return found


def rounded(value: Any) -> Any:
    """The same document with every float rounded to DIGITS places."""
    if isinstance(value, float):
        return round(value, DIGITS) + 0.0
    if isinstance(value, Mapping):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [rounded(item) for item in value]
    return value
