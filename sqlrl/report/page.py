"""The report as one self-contained HTML page: no script, no network, nothing but the document's numbers."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from sqlrl.report import words
from sqlrl.report.document import GAINS
from sqlrl.report.figures import curve_alternative, curve_pictures
from sqlrl.report.passes import KINDS
from sqlrl.statistics.verdict import BETTER, UNDECIDED, WORSE

LEARNING = {
    "sft": "supervised fine-tuning, it imitates the reference queries of training questions",
    "grpo": "reinforcement learning, it tries each question several times, the queries are run, and what earned "
    "more than its other tries becomes likelier",
}
TEMPLATE = Path(__file__).with_name("page.html.j2")


def render_page(document: Mapping[str, Any]) -> str:
    """The page of a report's document, as HTML text."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATE.parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "percent": words.percent,
        "points": words.points,
        "span": words.span,
        "rate_span": words.rate_span,
        "count": words.count,
        "duration": words.duration,
        "dollars": words.dollars,
        "verdict_words": words.verdict_words,
        "verdict_class": verdict_class,
        "place": place,
        "move": move,
        "brief": brief,
        "setting": setting,
    }
    return environment.get_template(TEMPLATE.name).render(**context(document)).strip() + "\n"


def context(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with what only a page needs: titles, scales, pictures."""
    return {
        **document,
        "headline": _headline(document),
        "facts": facts(document),
        "parts": _parts(document["asked"]),
        "scale": scale(document["comparisons"]),
        "curves": [_curve(curve) for curve in document["curves"]],
        "other": words.other_rate(document["statistics"]["headline_databases"]),
        "alike": any(
            row[part]["pass@1"] and row[part]["pass@1"]["zero_width"]
            for row in document["checkpoints"]
            for part in ("all", "seen", "unseen")
        ),
        "trained": _trained(document["provenance"]["stages"]),
        "kinds": KINDS,
        "reasons": _reasons(document["checkpoints"]),
        "failures_of": document["checkpoints"][-1]["checkpoint"],
        "gains": GAINS,
        "confidence": words.percent(document["statistics"]["confidence"]),
    }


def facts(document: Mapping[str, Any]) -> list[dict[str, str]]:
    """The four figures at the top of the page."""
    rows = document["checkpoints"]
    found = []
    for row in [rows[0], rows[-1]] if len(rows) > 1 else rows:
        rate = row["all"]["pass@1"]
        note = f"pass@1, {words.rate_span(rate)}"
        found.append(
            {
                "name": f"{row['checkpoint']} answers right",
                "value": words.percent(rate["value"]),
                "note": note,
            }
        )
    name = document["headline"]["comparison"]
    if name:
        one = document["comparisons"][name]
        found.append(
            {
                "name": "Paired difference",
                "value": words.points(one["difference"]),
                "note": f"points, {words.span(one['interval'])}",
            }
        )
        provable = one["smallest_provable_gain"]
        if provable is not None:
            note = f"points, with {words.count(one['holdout_tasks'], 'question')}"
            found.append({"name": "Smallest provable gain", "value": f"{100 * provable:.1f}", "note": note})
    return found


def verdict_class(verdict: str) -> str:
    """The style class of a verdict."""
    return {BETTER: "better", WORSE: "worse", UNDECIDED: "open"}.get(verdict, "same")


def place(value: float, low: float, high: float) -> float:
    """Where a value stands between low and high, in percent, kept on the track."""
    return round(100.0 * min(max((value - low) / (high - low), 0.0), 1.0), 2)


def scale(comparisons: Mapping[str, Mapping[str, Any]]) -> tuple[float, float]:
    """The ends of the axis that all intervals of differences share, in tenths, zero within."""
    parts = [part for one in comparisons.values() for part in (one, one["seen"], one["unseen"]) if part]
    ends = [end for part in parts for interval in part["intervals"] for end in interval]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    return (-_up(-low) if low < 0 else -0.1, _up(high) if high > 0 else 0.1)


def move(group: Mapping[str, Any], ends: Sequence[str]) -> Markup:
    """A group's pass@1 before and after, drawn on a track from 0 to 1."""
    before, after = (group["pass@1"][checkpoint] for checkpoint in ends)
    if before is None or after is None:
        return Markup("")
    left, right = sorted((place(before, 0, 1), place(after, 0, 1)))
    return Markup(
        '<span class="move{}" aria-hidden="true"><i class="bar" style="left:{}%;right:{}%"></i>'
        '<i class="from" style="left:{}%"></i><i class="to" style="left:{}%"></i></span>'
    ).format(
        " down" if after < before else "",
        left,
        round(100 - right, 2),
        place(before, 0, 1),
        place(after, 0, 1),
    )


def brief(text: Any) -> str:
    """A digest cut to what a person compares; other texts as they are."""
    plain = str(text)
    return plain[:12] if len(plain) in (40, 64) and set(plain) <= set("0123456789abcdef") else plain


def setting(value: Any) -> str:
    """A setting's value in one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} {setting(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(setting(item) for item in value) + "]"
    return "none" if value is None else str(value)


def _headline(document: Mapping[str, Any]) -> dict[str, Any]:
    headline = dict(document["headline"])
    name = headline["comparison"]
    if not name:
        return {
            **headline,
            "title": headline["sentence"],
            "words": "",
            "pair": "",
            "ends": (),
            "difference": "",
        }
    one = document["comparisons"][name]
    return {
        **headline,
        "title": headline["sentence"].split(" (", 1)[0] + ".",
        "difference": f"{words.points(one['difference'])} points; {document['statistics']['confidence']:.0%} interval "
        f"{words.span(one['interval'])} over all scoring passes",
        "words": words.verdict_words(one).capitalize(),
        "pair": f"{one['after']} against {one['before']}",
        "ends": (one["before"], one["after"]),
    }


def _trained(stages: Mapping[str, Mapping[str, Any]]) -> list[dict[str, str]]:
    """What each stage does, in words, with its number of steps."""
    found = []
    for stage, made in stages.items():
        settings = made["settings"]
        what = LEARNING.get(settings.get("kind", ""), "training")
        steps = (
            f" ({words.count(made['stopped_at'] or settings['steps'], 'step')})"
            if "steps" in settings
            else ""
        )
        found.append({"stage": stage, "parent": made["from"], "what": what + steps})
    return found


def _parts(asked: Mapping[str, Any]) -> list[dict[str, str]]:
    seen, unseen = (words.count(asked[f"{part}_tasks"], "question") for part in ("seen", "unseen"))
    return [
        {"key": "all", "title": f"All {words.count(asked['tasks'], 'held-out question')}"},
        {"key": "seen", "title": f"{seen} whose query shape also occurs in training"},
        {"key": "unseen", "title": f"{unseen} whose query shape training never saw"},
    ]


def _curve(curve: Mapping[str, Any]) -> dict[str, Any]:
    drawn = {
        name: Markup(svg) for name, svg in curve_pictures(curve).items()
    }  # our own drawing, no reply in it
    alternative = curve_alternative(curve)
    return {**curve, "pictures": drawn, "alternative": alternative, "summary": alternative.split(". ", 1)[-1]}


def _reasons(checkpoints: Sequence[Mapping[str, Any]]) -> list[str]:
    """Reason codes of all checkpoints, the most frequent first."""
    totals: dict[str, int] = {}
    for one in checkpoints:
        for reason, number in one["errors"]["reasons"].items():
            totals[reason] = totals.get(reason, 0) + number
    return sorted(totals, key=lambda reason: (-totals[reason], reason))


def _up(value: float) -> float:
    """The next tenth above a positive value, at most 1."""
    return min(1.0, (int(value * 10 - 1e-9) + 1) / 10)
