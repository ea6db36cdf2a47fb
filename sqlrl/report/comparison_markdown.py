"""A comparison of runs as Markdown: the same headline, tables and verdicts, for a pull request or a README."""

from collections.abc import Mapping
from typing import Any

from sqlrl.report.comparison_page import FAMILIES, named
from sqlrl.report.markdown_table import table
from sqlrl.report.run_words import setting_words
from sqlrl.report.words import (
    count,
    dollars,
    duration,
    p_value,
    percent,
    points,
    rate_span,
    span,
    verdict_words,
)

Document = Mapping[str, Any]


def render_comparison_markdown(document: Document) -> str:
    """The Markdown text of a comparison's document."""
    headline, asked = document["headline"], document["asked"]
    blocks = [
        f"# Comparison of runs: {', '.join(run['run'] for run in document['runs'])}",
        f"**{headline['sentence']}**",
        "\n".join(f"- {one['sentence']}" for one in headline["beside"]),
        "\n".join(f"> Warning: {warning}" for warning in document["warnings"]),
        _asked(asked),
        "## Every checkpoint",
        _checkpoints(document),
        _alike(document),
        *_comparisons(document),
        "## Asked alike?",
        _settings(document),
        "## What each run cost",
        _costs(document),
        f"Rebuild with `{document['provenance']['command']}`.",
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _asked(asked: Mapping[str, Any]) -> str:
    questions, shapes = count(asked["tasks"], "held-out question"), count(asked["templates"], "query shape")
    return (
        f"{questions} of {shapes}, the same for all; {asked['k']} replies a question in "
        f"{count(asked['passes'], 'pass')}."
    )


def _checkpoints(document: Document) -> str:
    k = document["asked"]["k"]
    rows = [
        [
            f"{run['run']}: {one['checkpoint']}",
            str(run["model"]["name"]),
            percent(one["pass@1"]["value"], 1),
            rate_span(one["pass@1"]),
            *(percent(one[rate]["value"], 1) for rate in ("pass@k", "pass^k", "executes")),
        ]
        for run in document["runs"]
        for one in run["checkpoints"]
    ]
    return table(
        ["Checkpoint", "base model", "pass@1", "interval", f"pass@{k}", f"pass^{k}", "executes"], rows
    )


def _alike(document: Document) -> str:
    """What the mark after an interval means, where one stands."""
    rates = [one["pass@1"] for run in document["runs"] for one in run["checkpoints"]]
    if all(rate["bound"] is None for rate in rates):
        return ""
    return "† Every question gave the same result; shown is what this many questions could hide."


def _comparisons(document: Document) -> list[str]:
    blocks = []
    for key, (_, title, _) in FAMILIES.items():
        rows = [
            [
                one["name"],
                points(one["difference"]),
                "; ".join(span(interval) for interval in one["intervals"]),
                p_value(one["p"]),
                "the headline" if one["p_adjusted"] is None else p_value(one["p_adjusted"]),
                verdict_words(one),
            ]
            for one in named(document)
            if one["kind"] == key
        ]
        header = ["Comparison", "difference", "intervals, one a pass", "p", "among all", "verdict"]
        blocks += [f"## {title}", table(header, rows)] if rows else []
    return blocks


def _settings(document: Document) -> str:
    rows = [
        [one["key"], *map(setting_words, one["values"].values()), "yes" if one["equal"] else "no"]
        for one in document["settings"]
    ]
    return table(["Setting", *(run["run"] for run in document["runs"]), "alike?"], rows)


def _costs(document: Document) -> str:
    rows = [
        [
            run["run"],
            duration(run["costs"]["training_seconds"]),
            duration(run["costs"]["scoring_seconds"]),
            f"{run['costs']['gpu_hours']:.2f}",
            f"{run['costs']['samples']:,}",
            f"{run['costs']['tokens']:,}",
            dollars(run["costs"]["money"]),
        ]
        for run in document["runs"]
    ]
    return table(["Run", "training", "scoring and proofs", "GPU-hours", "samples", "tokens", "money"], rows)
