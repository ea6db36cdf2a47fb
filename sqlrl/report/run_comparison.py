"""Several runs on one holdout: does a newer base start higher, and does it end higher after training?"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from sqlrl.errors import UserError
from sqlrl.report.adjustment import PARTS, adjust_comparisons
from sqlrl.report.comparisons import compare_passes
from sqlrl.report.document import rounded
from sqlrl.report.files import BASE
from sqlrl.report.holdout import holdout_digest
from sqlrl.report.run_words import beside, headline_sentence, warnings
from sqlrl.report.runs import TIMES, ComparedRun
from sqlrl.report.settings import ReportSettings

# What a comparison is between: the models before any training, or what each run ended with.
BASES, ENDS = "bases", "ends"
# The rates of a checkpoint's row, as its own delta report has them.
SHOWN = ("pass@1", "pass@k", "pass^k", "executes")
LEARNED = ("band", "replies", "train")
# Of the scoring settings these decide no reply, or are equal already.
NOT_ASKED = (*TIMES, "batch_size")

Comparison = dict[str, Any]


def build_comparison(runs: Sequence[ComparedRun], settings: ReportSettings) -> dict[str, Any]:
    """The whole comparison as one JSON document; docs/results.md says what each key holds.

    Args:
        runs: two at least, from the oldest base to the newest; see read_runs.
        settings: of the report; ``run`` is not used.

    Raises:
        UserError: two runs share no scored task.
    """
    comparisons = compare_runs(runs, settings)
    described = [describe_run(run) for run in runs]
    settings_of_runs = asked_how(runs)
    document: dict[str, Any] = rounded(
        {
            "runs": described,
            "asked": _asked(runs),
            "settings": settings_of_runs,
            "comparisons": comparisons,
            "headline": _headline(described, comparisons),
            "warnings": warnings(described, comparisons, settings_of_runs),
            "statistics": runs[0].document["statistics"],
            "provenance": {
                "command": f"snakemake compare_runs --config 'compare=[{','.join(run.name for run in runs)}]'",
                "holdout": holdout_digest(runs[0].tasks),
                "reports": {run.name: run.digest for run in runs},
                "files": {run.name: run.document["provenance"]["files"] for run in runs},
            },
        }
    )
    return document


def compare_runs(runs: Sequence[ComparedRun], settings: ReportSettings) -> list[Comparison]:
    """Every newer run against every older one: base against base, then end against end.

    Each comparison is as in a delta report. The headline's stands alone, the newest base against the oldest: config
    named it before anything was seen. All others are one family and must hold together, see adjust_comparisons.
    """
    pairs = [(BASES, older, newer, BASE, BASE) for older, newer in combinations(runs, 2)]
    pairs += [
        (ENDS, older, newer, older.last, newer.last)
        for older, newer in combinations(runs, 2)
        if (older.last, newer.last) != (BASE, BASE)
    ]
    found = {str(place): _compare(*pair, settings) for place, pair in enumerate(pairs)}
    headline = str(_headline_place(list(found.values()), runs[-1].name, runs[0].name))
    whole = {name: {**one, **dict.fromkeys(PARTS)} for name, one in found.items()}
    adjusted = adjust_comparisons(whole, headline, settings.confidence)
    return [{key: value for key, value in one.items() if key not in PARTS} for one in adjusted.values()]


def _compare(
    kind: str, older: ComparedRun, newer: ComparedRun, before: str, after: str, settings: ReportSettings
) -> Comparison:
    old, new = older.passes[before], newer.passes[after]
    whole = compare_passes(old, new, older.tasks, settings.bootstrap, settings.equivalence_margin)
    if whole is None:
        raise UserError(f"{newer.name} and {older.name} share no held-out task in some scoring pass.")
    return {
        "kind": kind,
        "after": {"run": newer.name, "checkpoint": after},
        "before": {"run": older.name, "checkpoint": before},
        **whole,
    }


def _headline_place(comparisons: Sequence[Comparison], newest: str, oldest: str) -> int:
    ends = (BASES, newest, oldest)
    found = [(one["kind"], one["after"]["run"], one["before"]["run"]) for one in comparisons]
    return found.index(ends)


def describe_run(run: ComparedRun) -> dict[str, Any]:
    """A run with its checkpoints, in its report's figures, and its costs."""
    return {
        "run": run.name,
        "model": run.model,
        "last": run.last,
        "checkpoints": [
            {
                "checkpoint": one["checkpoint"],
                "parent": one["parent"],
                **{rate: one["all"][rate] for rate in SHOWN},
            }
            for one in run.document["checkpoints"]
        ],
        "headline": run.document["headline"]["sentence"],
        "warnings": run.document["warnings"],
        "costs": _costs(run.document["costs"]),
    }


def _costs(costs: Mapping[str, Any]) -> dict[str, Any]:
    """What a run cost in all, and the wall time of what it learned from apart from that of scoring and proofs."""
    seconds = {True: 0.0, False: 0.0}
    for one in costs["steps"]:
        seconds[one["step"] in LEARNED] += one["seconds"]
    total = {key: costs["total"].get(key) for key in ("seconds", "gpu_hours", "samples", "tokens", "money")}
    return {
        **total,
        "training_seconds": seconds[True],
        "scoring_seconds": seconds[False],
        "machines": costs["machines"],
    }


def asked_how(runs: Sequence[ComparedRun]) -> list[dict[str, Any]]:
    """Each setting that decides how the models are asked: ``key``, ``values`` by run and whether they are ``equal``."""
    asked = {
        run.name: {
            "sampler": run.asked.sampler,
            **{f"prompt.{key}": value for key, value in sorted(run.asked.prompt.items())},
            **{key: value for key, value in sorted(run.scoring.items()) if key not in NOT_ASKED},
        }
        for run in runs
    }
    keys = dict.fromkeys(key for settings in asked.values() for key in settings)
    found = []
    for key in keys:
        values = {name: settings.get(key) for name, settings in asked.items()}
        equal = all(value == values[runs[0].name] for value in values.values())
        found.append({"key": key, "values": values, "equal": equal})
    return found


def _asked(runs: Sequence[ComparedRun]) -> dict[str, Any]:
    asked = runs[0].document["asked"]
    return {key: asked[key] for key in ("tasks", "templates", "k", "passes", "kinds", "databases")}


def _headline(runs: Sequence[Mapping[str, Any]], comparisons: Sequence[Comparison]) -> dict[str, Any]:
    """The newest base against the oldest in one sentence, every other comparison beside it."""
    place = _headline_place(comparisons, runs[-1]["run"], runs[0]["run"])
    others = [one for number, one in enumerate(comparisons) if number != place]
    return {
        "sentence": headline_sentence(comparisons[place], runs),
        "verdict": comparisons[place]["verdict"],
        "comparison": place,
        "beside": [beside(one, runs) for one in others],
    }
