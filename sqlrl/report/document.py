"""The report as one JSON document: every number that the page and the Markdown show."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sqlrl.report.breakdowns import DIMENSIONS, break_down
from sqlrl.report.comparisons import compare, pairs, parts_of
from sqlrl.report.curves import stage_curve
from sqlrl.report.evidence import Evidence
from sqlrl.report.files import BASE
from sqlrl.report.rates import RATES, error_kinds, luck, rate_figures
from sqlrl.report.settings import ReportSettings
from sqlrl.report.words import headline_sentence, listed, part_sentence
from sqlrl.statistics.power import tasks_needed

GAINS = (0.01, 0.02, 0.03, 0.05, 0.10)
DIGITS = 6


def build_document(
    evidence: Evidence, curves: Mapping[str, Mapping[str, Any]], settings: ReportSettings
) -> dict[str, Any]:
    """All statistics of a report; failures, provenance and costs are added by their own modules.

    Args:
        evidence: what was asked and what came of it.
        curves: stage to its training curve.
        settings: of the report.
    """
    bootstrap = settings.bootstrap
    comparisons = {
        f"{after}-vs-{before}": compare(evidence, after, before, bootstrap, settings.equivalence_margin)
        for after, before in pairs(evidence)
    }
    order = sorted(curves, key=list(evidence.parents).index)
    verdicts = {
        stage: comparisons.get(f"{stage}-vs-{evidence.parent(stage)}", {}).get("verdict") for stage in order
    }
    found = [stage_curve(stage, curves[stage], evidence, bootstrap, verdicts[stage]) for stage in order]
    document: dict[str, Any] = rounded(
        {
            "run": settings.run,
            "asked": asked(evidence),
            "headline": headline(evidence, comparisons),
            "checkpoints": [
                checkpoint_figures(evidence, checkpoint, settings) for checkpoint in evidence.checkpoints
            ],
            "comparisons": comparisons,
            "curves": found,
            "warnings": [f"{one['stage']}: {one['warning']}" for one in found if one["warning"]]
            + warnings(evidence, comparisons),
            "breakdowns": {
                name: break_down(evidence, name, headline_pair(evidence), bootstrap) for name in DIMENSIONS
            },
            "power": power(evidence, comparisons, settings),
            "statistics": {
                "headline_databases": settings.headline_databases,
                "resamples": settings.resamples,
                "confidence": settings.confidence,
                "seed": settings.seed,
                "equivalence_margin": settings.equivalence_margin,
            },
        }
    )
    return document


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


def headline_pair(evidence: Evidence) -> tuple[str, str]:
    """(last checkpoint, base): what the run as a whole came to."""
    return (evidence.checkpoints[-1], BASE)


def headline(evidence: Evidence, comparisons: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The run in one sentence with its verdict, and what must be read beside it."""
    last, base = headline_pair(evidence)
    if last == base:
        return {
            "sentence": "Only the base model was scored.",
            "verdict": None,
            "comparison": None,
            "beside": [],
        }
    whole = comparisons[f"{last}-vs-{base}"]
    chain = _chain(evidence, last)
    parent = evidence.parent(last)
    own = comparisons.get(f"{last}-vs-{parent}") if parent != base else None
    beside = [part_sentence(own, f"The last stage alone, {last} against {parent}")] if own else []
    subject = own or whole
    if subject["unseen"]:
        of = f"{last} against {subject['before']}"
        beside.append(part_sentence(subject["unseen"], f"On query shapes never trained on, {of}"))
    return {
        "sentence": headline_sentence(whole, listed(chain)),
        "verdict": whole["verdict"],
        "comparison": f"{last}-vs-{base}",
        "beside": beside,
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
    found = []
    for name, one in comparisons.items():
        if one["lost_tasks"]:
            found.append(
                f"{name}: {one['lost_tasks']} tasks were scored on one side only and are left out; "
                f"{one['holdout_tasks']} tasks are compared."
            )
        if one["zero_width"]:
            found.append(
                f"{name}: an interval has zero width because every task changed alike; its verdict is "
                "that of the widest interval that this many equal tasks allow."
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


def _chain(evidence: Evidence, checkpoint: str) -> list[str]:
    """The checkpoints from the first stage to this one."""
    chain = [checkpoint]
    while (parent := evidence.parent(chain[0])) not in (BASE, *chain):
        chain.insert(0, parent)
    return chain
