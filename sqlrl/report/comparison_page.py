"""A comparison of runs as one self-contained HTML page: no script, no network, nothing but the document's numbers."""

from collections.abc import Mapping
from typing import Any

from sqlrl.report import words
from sqlrl.report.page import render_template
from sqlrl.report.run_comparison import BASES, ENDS
from sqlrl.report.run_words import base_name, pair_name, setting_words
from sqlrl.report.scales import scale

Document = Mapping[str, Any]

FAMILIES = {
    BASES: (
        "Before training",
        "Does a newer base start higher?",
        "Each question is compared with itself, asked of two models that nothing was trained on yet.",
    ),
    ENDS: (
        "After training",
        "Does it end higher after training?",
        "The same, asked of what each run ended with.",
    ),
}


def render_comparison(document: Document) -> str:
    """The page of a comparison's document, as HTML text."""
    filters = {"setting": setting_words}
    return render_template("comparison/page.html.j2", context(document), filters)


def context(document: Document) -> dict[str, Any]:
    """The document with what only a page needs: titles, scales, names."""
    runs, comparisons = document["runs"], named(document)
    return {
        **document,
        "names": [run["run"] for run in runs],
        "comparisons": comparisons,
        "headline": _headline(document),
        "facts": facts(document),
        "families": [
            {"key": key, "link": link, "title": title, "lead": lead, "comparisons": found}
            for key, (link, title, lead) in FAMILIES.items()
            if (found := [one for one in comparisons if one["kind"] == key])
        ],
        "scale": scale(
            {
                one["name"]: {"intervals": one["intervals"], "seen": None, "unseen": None}
                for one in comparisons
            }
        ),
        "alike": any(one["pass@1"]["zero_width"] for run in runs for one in run["checkpoints"]),
        "with_gpus": any(run["costs"]["gpu_hours"] for run in runs),
        "paid": any(run["costs"]["money"] is not None for run in runs),
        "confidence": words.percent(document["statistics"]["confidence"]),
        "others": len(comparisons) - 1,
        "level": f"{1 - document['statistics']['confidence']:.2g}",
    }


def named(document: Document) -> list[dict[str, Any]]:
    """The comparisons with their names."""
    return [{**one, "name": pair_name(one, document["runs"])} for one in document["comparisons"]]


def facts(document: Document) -> list[dict[str, str]]:
    """The figures at the top of the page: every base, the headline's difference, what could have been shown."""
    runs = document["runs"]
    found = [
        {
            "name": f"{base_name(run['run'], runs)} answers right, untrained",
            "value": words.percent(run["checkpoints"][0]["pass@1"]["value"]),
            "note": f"pass@1, {words.rate_span(run['checkpoints'][0]['pass@1'])}",
        }
        for run in runs
    ]
    one = document["comparisons"][document["headline"]["comparison"]]
    found.append(
        {
            "name": "Paired difference",
            "value": words.points(one["difference"]),
            "note": f"points, {words.span(one['interval'])}",
        }
    )
    return found


def _headline(document: Document) -> dict[str, Any]:
    headline = document["headline"]
    one = document["comparisons"][headline["comparison"]]
    return {
        **headline,
        "title": headline["sentence"].split(" (", 1)[0] + ".",
        "words": words.verdict_words(one).capitalize(),
        "difference": f"{words.points(one['difference'])} points; {document['statistics']['confidence']:.0%} interval "
        f"{words.span(one['interval'])} over all scoring passes",
    }
