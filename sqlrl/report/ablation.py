"""One factor at a time: every arm of an ablation against its control, over seeds and tasks at once."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sqlrl.errors import UserError
from sqlrl.records import read_text
from sqlrl.report.curves import read_training_log
from sqlrl.report.document import rounded
from sqlrl.report.evidence import Evidence
from sqlrl.report.headline import NOTHING
from sqlrl.report.rates import mean_values
from sqlrl.report.settings import Ablation, ReportSettings
from sqlrl.report.words import arm_sentence, count, listed, percent
from sqlrl.statistics.bootstrap import BootstrapSettings, Interval
from sqlrl.statistics.crossed import crossed_interval, honest_crossed
from sqlrl.statistics.verdict import BETTER, UNDECIDED, WORSE, judge_intervals

RATE = "pass@1"
CONTROL = "control"
PROVEN = (BETTER, WORSE)

Figures = Mapping[str, Mapping[str, Any]]


def read_figures(paths: Sequence[Path]) -> dict[str, dict[str, Any]]:
    """Of each stage's training log: ``samples`` in all, ``zero_variance`` as the share of all its groups.

    Raises:
        UserError: a log is none, see read_training_log.
    """
    found = {}
    for path in paths:
        stage, _ = read_training_log(path)
        lines = [json.loads(line) for line in read_text(path).split("\n") if line.strip()]
        groups = [(one["zero_variance"], one["groups"]) for one in lines if one.get("groups")]
        found[stage] = {
            "samples": sum(one.get("samples") or 0 for one in lines),
            "zero_variance": sum(share * number for share, number in groups) / sum(n for _, n in groups)
            if groups
            else None,
        }
    return found


def describe_ablation(
    evidence: Evidence, ablation: Ablation, figures: Figures, settings: ReportSettings
) -> dict[str, Any]:
    """The ablation as the report's JSON has it: the control, each arm with its verdict, and what it can say.

    Args:
        evidence: of the whole run, the ablation's stages with it.
        ablation: which stages are of which arm.
        figures: of the stages' training logs, see read_figures.
        settings: of the report.

    Raises:
        UserError: a stage has no scores, or no task was scored in all of them.
    """
    tasks = _shared_tasks(evidence, ablation)
    control = _rates(evidence, ablation.control, tasks)
    clusters = [evidence.tasks[task].template for task in tasks]
    arms = [
        {
            **_describe_arm(arm.stages, _rates(evidence, arm.stages, tasks), arm.name, figures),
            "changes": arm.changes,
            **_compare(
                _rates(evidence, arm.stages, tasks) - control,
                clusters,
                settings.bootstrap,
                settings.equivalence_margin,
            ),
        }
        for arm in ablation.arms
    ]
    start = evidence.parent(ablation.control[0])
    known = mean_values(evidence.passes.get(start, {}), RATE, {task: evidence.tasks[task] for task in tasks})
    found: dict[str, Any] = rounded(
        {
            "seeds": list(ablation.seeds),
            "tasks": len(tasks),
            "templates": len(set(clusters)),
            "lost_tasks": len(evidence.tasks) - len(tasks),
            "start": {"checkpoint": start, RATE: float(np.mean(list(known.values()))) if known else None},
            "control": _describe_arm(ablation.control, control, CONTROL, figures),
            "arms": arms,
            "false_alarms": min(1.0, len(arms) * (1.0 - settings.confidence)),
        }
    )
    return found | {"notes": _notes(found)}


def headline(ablation: Mapping[str, Any], beside: Mapping[str, Any]) -> dict[str, Any]:
    """What the ablation came to, in one sentence; beside it what training before it came to.

    Args:
        ablation: see describe_ablation.
        beside: the headline of the run without the ablation's stages.
    """
    before = [{"sentence": beside["sentence"], "verdict": beside["verdict"]}] if beside["verdict"] else []
    return {"sentence": _sentence(ablation["arms"]), **NOTHING, "seeds": None, "beside": before}


def warnings(ablation: Mapping[str, Any]) -> list[str]:
    """What a reader must know before believing the comparison of arms."""
    found = []
    if ablation["lost_tasks"]:
        found.append(
            f"ablation: {count(ablation['lost_tasks'], 'task')} lack scores of some stage and are left out; "
            f"{count(ablation['tasks'], 'task')} are compared."
        )
    samples = {number for one in (ablation["control"], *ablation["arms"]) for number in one["samples"]}
    if len(samples) > 1:
        found.append(
            f"ablation: stages trained on {min(samples):,} to {max(samples):,} samples, so that arms differ in "
            "more than their lever."
        )
    return found


def _sentence(arms: Sequence[Mapping[str, Any]]) -> str:
    of = f"Of {count(len(arms), 'arm')}"
    proven = [arm_sentence(one) for one in arms if one["verdict"] in PROVEN]
    if proven:
        return f"{of}, {'; '.join(proven)}."
    undecided = [one["name"] for one in arms if one["verdict"] == UNDECIDED]
    close = [one["name"] for one in arms if one["verdict"] != UNDECIDED]
    rest = [
        f"{listed(names)} {'is' if len(names) == 1 else 'are'} {what}"
        for names, what in ((close, "shown to be about as good"), (undecided, "undecided"))
        if names
    ]
    return f"{of}, none is proven better or worse than the control: {'; '.join(rest)}."


def _notes(ablation: Mapping[str, Any]) -> list[str]:
    """What the table does and does not say."""
    arms, seeds = ablation["arms"], count(len(ablation["seeds"]), "seed")
    notes = []
    if not any(one["verdict"] in PROVEN for one in arms):
        reach = float(np.median([(high - low) / 2 for low, high in (one["interval"] for one in arms)]))
        notes.append(
            f"Nothing is proven here. With {count(ablation['tasks'], 'question')} and {seeds} the intervals reach "
            f"about {100 * reach:.1f} points to either side: a smaller difference, if there is one, stays hidden."
        )
    notes.append(
        f"Each verdict is for its arm alone. Of {count(len(arms), 'arm')} that change nothing, one or more would be "
        f"called proven by chance in up to {percent(ablation['false_alarms'])} of such ablations."
    )
    return notes


def _describe_arm(
    stages: Sequence[str], rates: NDArray[np.float64], name: str, figures: Figures
) -> dict[str, Any]:
    """Pass@1 of each seed, its mean and spread, and what the stages' training logs say."""
    by_seed = rates.mean(axis=1)
    shares = [figures[stage]["zero_variance"] for stage in stages if stage in figures]
    known = [share for share in shares if share is not None]
    return {
        "name": name,
        "stages": list(stages),
        RATE: float(by_seed.mean()),
        "pass@1_by_seed": by_seed.tolist(),
        "spread": float(np.ptp(by_seed)),
        "samples": [figures[stage]["samples"] for stage in stages if stage in figures],
        "zero_variance": float(np.mean(known)) if known else None,
    }


def _compare(
    differences: NDArray[np.float64], clusters: Sequence[str], settings: BootstrapSettings, margin: float
) -> dict[str, Any]:
    """An arm against the control: differences of shape (seeds, tasks), seed i with seed i."""
    found = crossed_interval(differences, clusters, settings)
    decides = honest_crossed(found, settings)
    verdict = judge_intervals([decides], margin)
    return {
        "difference": found.value,
        "difference_by_seed": list(found.by_seed),
        "interval": _ends(decides),
        "crossed": _ends(found.crossed),
        "over_seeds": _ends(found.over_seeds),
        "verdict": verdict,
        "verdict_sentence": verdict,
    }


def _ends(interval: Interval) -> list[float]:
    return [interval.low, interval.high]


def _shared_tasks(evidence: Evidence, ablation: Ablation) -> list[str]:
    """The tasks that every stage of the ablation was scored on, in every pass."""
    missing = sorted(ablation.all_stages - set(evidence.passes))
    if missing:
        raise UserError(f"--scores: no scores of {missing[0]}, a stage of the ablation.")
    scored = [set(one.tasks) for stage in ablation.all_stages for one in evidence.passes[stage].values()]
    shared = sorted(set(evidence.tasks).intersection(*scored))
    if not shared:
        raise UserError("no held-out task was scored in all stages of the ablation; score them again.")
    return shared


def _rates(evidence: Evidence, stages: Sequence[str], tasks: Sequence[str]) -> NDArray[np.float64]:
    """Pass@1 of each stage on each task, the mean over passes; shape (seeds, tasks)."""
    chosen = {task: evidence.tasks[task] for task in tasks}
    found = [mean_values(evidence.passes[stage], RATE, chosen) for stage in stages]
    return np.array([[one[task] for task in tasks] for one in found], dtype=np.float64)
