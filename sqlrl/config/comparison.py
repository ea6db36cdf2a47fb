"""The runs that compare_runs puts side by side: whether they can be compared, and their files."""

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from sqlrl.config.run import Run
from sqlrl.errors import UserError
from sqlrl.files import canonical_json

FOLDER = "results/comparison"
FORMS = ("html", "md", "json")
# What decides which questions are held out, and how often each is asked.
CELLS = ("archetypes", "difficulties", "styles")
TIMES = ("k", "passes")


def compared_runs(settings: Mapping[str, Any]) -> list[Run]:
    """The runs of the key ``compare``, in its order.

    Raises:
        UserError: it names none, or two that would be asked different questions or unequally often; told before
            anything is built, with the keys that would have to agree.
    """
    runs = [Run(name, settings) for name in settings["compare"]]
    if not runs:
        known = ", ".join(settings["runs"])
        raise UserError(
            f"compare names no runs to compare. Name two or more in config.yaml, or on the command line: "
            f"--config 'compare=[ONE,OTHER]'. Runs: {known}."
        )
    faults = [fault for one, other in pairwise(runs) for fault in _disagreements(one, other)]
    if faults:
        raise UserError("these runs cannot be compared on one holdout.\n" + "\n".join(faults))
    return runs


def comparison_products(settings: Mapping[str, Any]) -> list[str]:
    """What compare_runs asks for. Raises UserError as compared_runs."""
    compared_runs(settings)
    return [f"{FOLDER}/comparison.{form}" for form in FORMS]


def score_files(run: Run) -> list[str]:
    """The scores that are compared task by task: of the base and of the end of the last stage, on the holdout."""
    return run.samples("scores", ["base", *run.own_stages[-1:]], "holdout")


def compared_reports(settings: Mapping[str, Any]) -> list[str]:
    """The report of each run."""
    return [f"{run.folder}/delta_report.json" for run in compared_runs(settings)]


def compared_tasks(settings: Mapping[str, Any]) -> list[str]:
    """The held-out tasks of each run."""
    return [file for run in compared_runs(settings) for file in run.tasks("holdout")]


def compared_scores(settings: Mapping[str, Any]) -> list[str]:
    """The scores of each run that are compared."""
    return [file for run in compared_runs(settings) for file in score_files(run)]


def compared_claims(settings: Mapping[str, Any]) -> str:
    """What the configuration says of each run, for the comparison to check and to tell apart."""
    return canonical_json([json.loads(run.provenance()) for run in compared_runs(settings)])


def comparison_settings(settings: Mapping[str, Any]) -> str:
    """The report's settings; the name of a run, which they ask for, is of none of those compared."""
    return canonical_json({**settings["report"], "run": "comparison"})


def _disagreements(one: Run, other: Run) -> Iterator[str]:
    for key, old, new in _asked(one, other):
        if old != new:
            yield (
                f"runs.{one.name}.{key} is {_plain(old)}, runs.{other.name}.{key} is {_plain(new)}: "
                "make them equal, or compare other runs."
            )


def _asked(one: Run, other: Run) -> Iterator[tuple[str, Any, Any]]:
    yield "databases", sorted(one.databases), sorted(other.databases)
    selected, others = one.own["tasks"]["select"], other.own["tasks"]["select"]
    for key in CELLS:
        yield f"tasks.select.{key}", sorted(selected[key]), sorted(others[key])
    limits = [(select["limit"] or {}).get("holdout") for select in (selected, others)]
    yield "tasks.select.limit.holdout", limits[0], limits[1]
    for key in TIMES:
        yield f"scoring.{key}", one.own["scoring"][key], other.own["scoring"][key]


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(value)}]"
    return "not set" if value is None else str(value)
