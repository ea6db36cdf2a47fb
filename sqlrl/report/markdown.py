"""The report as Markdown: the same headline, tables and verdicts, for a pull request or a README."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlrl.report.passes import KINDS
from sqlrl.report.words import (
    count,
    dollars,
    duration,
    other_rate,
    percent,
    points,
    rate_span,
    span,
    verdict_words,
)

PARTS = {"all": "all", "seen": "shapes seen in training", "unseen": "shapes never seen"}


def render_markdown(document: Mapping[str, Any]) -> str:
    """The Markdown text of a report's document."""
    headline = document["headline"]
    blocks = [
        f"# Delta report: {document['run']}",
        f"**{headline['sentence']}**",
        "\n".join(f"- {one['sentence']}" for one in headline["beside"]),
        "\n".join(f"> Warning: {warning}" for warning in document["warnings"]),
        _asked(document["asked"]),
        "## Every stage",
        _stages(document),
        "## Paired differences",
        "One interval a scoring pass, in percentage points, each the wider of two: over questions, over query shapes.",
        _comparisons(document["comparisons"]),
        *_breakdowns(document),
        "## What goes wrong",
        _errors(document["checkpoints"]),
        "## What this holdout can prove",
        _power(document),
        "## What it cost",
        _costs(document["costs"]),
        f"Rebuild with `{document['provenance']['command']}`.",
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, the first column to the left, the others to the right."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _asked(asked: Mapping[str, Any]) -> str:
    return (
        f"{count(asked['tasks'], 'held-out question')} of {asked['templates']} query shapes, {asked['unseen_tasks']} "
        f"of them of a shape that training never saw; {asked['k']} replies a question in {asked['passes']} passes."
    )


def _stages(document: Mapping[str, Any]) -> str:
    k = document["asked"]["k"]
    other = other_rate(document["statistics"]["headline_databases"])
    rates = ("pass@k", "pass^k", "executes", "no_query", "truncated", other["rate"])
    header = ["Stage", "Questions", "pass@1", "interval", f"pass@{k}", f"pass^{k}"]
    rows = [
        [
            one["checkpoint"],
            f"{title}, {one[part]['pass@1']['tasks']}",
            percent(one[part]["pass@1"]["value"], 1),
            rate_span(one[part]["pass@1"]),
            *(percent(one[part][rate]["value"], 1) for rate in rates),
        ]
        for part, title in PARTS.items()
        for one in document["checkpoints"]
        if one[part]["pass@1"]
    ]
    return table([*header, "executes", "no query", "truncated", other["title"]], rows)


def _comparisons(comparisons: Mapping[str, Mapping[str, Any]]) -> str:
    rows = [
        [
            f"{one['after']} against {one['before']}",
            f"{title}, {found['holdout_tasks']}",
            points(found["difference"]),
            "; ".join(span(interval) for interval in found["intervals"]),
            verdict_words(found),
        ]
        for one in comparisons.values()
        for title, found in ((title, one if part == "all" else one[part]) for part, title in PARTS.items())
        if found
    ]
    return table(["Comparison", "Questions", "difference", "intervals", "verdict"], rows) if rows else ""


def _breakdowns(document: Mapping[str, Any]) -> list[str]:
    names = [one["checkpoint"] for one in document["checkpoints"]]
    blocks = ["## By kind of question"]
    for dimension in ("difficulty", "archetype"):
        rows = [
            [
                group["group"],
                str(group["tasks"]),
                *(percent(group["pass@1"][name]) for name in names),
                f"{points(group['difference'], 0)} ({span(group['interval'], 0)})",
            ]
            for group in document["breakdowns"][dimension]
        ]
        blocks.append(table([dimension, "questions", *names, "difference"], rows))
    return blocks


def _errors(checkpoints: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        [
            one["checkpoint"],
            *(percent(one["errors"]["shares"][kind], 1) for kind in KINDS),
            percent(one["luck"]["share"], 1),
        ]
        for one in checkpoints
    ]
    return table(["Stage", *KINDS, "luck rate"], rows)


def _power(document: Mapping[str, Any]) -> str:
    found = document["power"]["comparisons"]
    if not found:
        return "No question changed: nothing can be foreseen from this."
    rows = [
        [
            name.replace("-vs-", " against "),
            f"{100 * one['smallest_provable_gain']:.1f} points",
            *(f"{needed:,}" for needed in one["tasks_needed"].values()),
        ]
        for name, one in found.items()
    ]
    gains = [f"for {100 * float(gain):g} points" for gain in next(iter(found.values()))["tasks_needed"]]
    return table(["Comparison", "smallest provable gain", *gains], rows)


def _costs(costs: Mapping[str, Any]) -> str:
    paid = costs["total"].get("money") is not None
    rows = [
        [
            one.get("checkpoint", "all"),
            one.get("step", ""),
            str(one["jobs"]),
            duration(one["seconds"]),
            f"{one['samples']:,}",
            f"{one['tokens']:,}",
            *([dollars(one["money"])] if paid else []),
        ]
        for one in [*costs["steps"], costs["total"]]
    ]
    header = ["Stage", "step", "jobs", "wall time", "samples", "tokens", *(["money"] if paid else [])]
    return table(header, rows)
