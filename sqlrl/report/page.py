"""The report as one self-contained HTML page: no network, nothing but the document's numbers and the replies.

Its one script is the explorer of failures; the page's own policy allows that script and no other.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from sqlrl.report import words
from sqlrl.report.ceiling import ceiling_sentence
from sqlrl.report.explorer import KEPT
from sqlrl.report.figures import curve_alternative, curve_pictures
from sqlrl.report.forecast import GAINS
from sqlrl.report.page_learned import learned_context
from sqlrl.report.passes import KINDS
from sqlrl.report.scales import move, place, scale, unseen_comparisons
from sqlrl.report.script import read_script
from sqlrl.statistics.verdict import BETTER, UNDECIDED, WORSE

LEARNING = {
    "sft": "supervised fine-tuning, it imitates the reference queries of training questions",
    "grpo": "reinforcement learning, it tries each question several times, the queries are run, and what earned "
    "more than its other tries becomes likelier",
}
TEMPLATES = Path(__file__).with_name("templates")


def render_page(document: Mapping[str, Any], packed: str | None = None) -> str:
    """The page of a report, as HTML text.

    Args:
        document: the report's numbers.
        packed: the data of its explorer of failures (see explorer.py); None makes a page without script.
    """
    script = read_script(TEMPLATES) if packed else None
    return render_template("page.html.j2", {**context(document), "packed": packed, "script": script})


def render_template(
    name: str, values: Mapping[str, Any], filters: Mapping[str, Callable[..., Any]] | None = None
) -> str:
    """A template of the folder, filled in, as HTML text; ``filters`` are added to those of every page."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
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
        "p_value": words.p_value,
        "verdict_words": words.verdict_words,
        "verdict_class": verdict_class,
        "place": place,
        "move": move,
        "brief": brief,
        "setting": words.setting,
        "changed": words.changed,
        "listed": words.listed,
    }
    environment.filters |= filters or {}
    return environment.get_template(name).render(**values).strip() + "\n"


def context(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with what only a page needs: titles, scales, pictures."""
    return {
        **document,
        "headline": _headline(document),
        "facts": facts(document),
        "parts": parts_of_page(document["asked"]),
        "scale": scale(document["comparisons"], document["seeds"]),
        "unseen_scale": scale(unseen_comparisons(document["unseen_schemas"])),
        "family": words.family(document["comparisons"]),
        **learned_context(document),
        "curves": [_curve(curve) for curve in document["curves"]],
        "other": words.other_rate(document["statistics"]["headline_databases"]),
        "alike": any(
            row[part]["pass@1"] and row[part]["pass@1"]["zero_width"]
            for row in document["checkpoints"]
            for part in ("all", "seen", "unseen")
        ),
        "ablation": _ablation(document["ablation"]),
        **_apart(document),
        "trained": _trained(document),
        "kinds": KINDS,
        "reasons": reasons_of(document["checkpoints"]),
        "failures_of": document["checkpoints"][-1]["checkpoint"],
        "kept": KEPT,
        "gains": GAINS,
        "confidence": words.percent(document["statistics"]["confidence"]),
        "ceiling_words": ceiling_sentence(document["ceiling"]) if document["ceiling"] else None,
    }


def facts(document: Mapping[str, Any]) -> list[dict[str, str]]:
    """The four figures at the top of the page."""
    rows = document["checkpoints"]
    found = []
    seeds = next((one for one in document["seeds"] if one["name"] == document["headline"]["seeds"]), None)
    ends = [rows[0]] if seeds or len(rows) == 1 else [rows[0], rows[-1]]
    for row in ends:
        rate = row["all"]["pass@1"]
        found.append(
            {
                "name": f"{row['checkpoint']} answers right",
                "value": words.percent(rate["value"]),
                "note": f"pass@1, {words.rate_span(rate)}",
            }
        )
    if seeds:
        against, number = seeds["against"][-1], len(seeds["stages"])
        each = [min(against["after_by_seed"]), max(against["after_by_seed"])]
        found.append(
            {
                "name": f"{words.count(number, 'seed')} of {seeds['name']} answer right",
                "value": words.percent(against["after_value"]),
                "note": f"pass@1, each {words.percent_span(each)}",
            }
        )
    name = document["headline"]["comparison"]
    if name:
        one, headline = document["comparisons"][name], document["headline"]
        found.append(
            {
                "name": "Paired difference",
                "value": words.points(headline["difference"]),
                "note": f"points, {words.span(headline['interval'])}",
            }
        )
        provable = one["smallest_provable_gain"]
        if provable is not None:
            note = (
                f"points: {words.count(one['holdout_tasks'], 'question')} show a gain this large 4 times in 5"
            )
            found.append({"name": "Smallest provable gain", "value": f"{100 * provable:.1f}", "note": note})
    if document["ablation"]:
        arms, seeds = document["ablation"]["arms"], document["ablation"]["seeds"]
        proven = sum(one["verdict"] in (BETTER, WORSE) for one in arms)
        note = f"each against the control, with {words.count(len(seeds), 'seed')}"
        found.append({"name": "Arms proven different", "value": f"{proven} of {len(arms)}", "note": note})
    return found


def verdict_class(verdict: str) -> str:
    """The style class of a verdict."""
    return {BETTER: "better", WORSE: "worse", UNDECIDED: "open"}.get(verdict, "same")


def brief(text: Any) -> str:
    """A digest cut to what a person compares; other texts as they are."""
    plain = str(text)
    return plain[:12] if len(plain) in (40, 64) and set(plain) <= set("0123456789abcdef") else plain


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
        "difference": f"{words.points(headline['difference'])} points; {words.reach(document)}",
        "words": words.verdict_words(headline).capitalize(),
        "pair": f"{one['after']} against {one['before']}",
        "ends": (one["before"], one["after"]),
    }


def _ablation(ablation: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The ablation with the axis that its intervals share."""
    if ablation is None:
        return None
    intervals = {
        arm["name"]: {"intervals": [arm["interval"]], "seen": None, "unseen": None}
        for arm in ablation["arms"]
    }
    return {**ablation, "scale": scale(intervals)}


def _apart(document: Mapping[str, Any]) -> dict[str, Any]:
    """What is shown of every stage, and in fewer words of the stages of an ablation."""
    arms = words.ablation_stages(document)
    proofs = document["parity"]
    made = document["provenance"]["stages"]
    return {
        "parity": [proof for proof in proofs if proof["checkpoint"] not in arms],
        "proof_lines": [words.proof_line(proof) for proof in proofs if proof["checkpoint"] in arms],
        "made_stages": {stage: one for stage, one in made.items() if stage not in arms[1:]},
    }


def _trained(document: Mapping[str, Any]) -> list[dict[str, str]]:
    """What each stage does, in words, with its number of steps; all of an ablation as one."""
    arms = words.ablation_stages(document)
    found = []
    for stage, made in document["provenance"]["stages"].items():
        if stage in arms:
            continue
        settings = made["settings"]
        what = LEARNING.get(settings.get("kind", ""), "training")
        steps = (
            f" ({words.count(made['stopped_at'] or settings['steps'], 'step')})"
            if "steps" in settings
            else ""
        )
        found.append({"stage": stage, "parent": made["from"], "what": what + steps})
    if arms:
        compared, seeds = len(document["ablation"]["arms"]), len(document["ablation"]["seeds"])
        names = f"a control and {words.count(compared, 'arm')}, {words.count(seeds, 'seed')} each"
        start = document["ablation"]["start"]["checkpoint"]
        found.append({"stage": names, "parent": start, "what": LEARNING["grpo"]})
    return found


def parts_of_page(asked: Mapping[str, Any]) -> list[dict[str, str]]:
    """The three parts of the holdout that a table of stages has, with their titles."""
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


def reasons_of(checkpoints: Sequence[Mapping[str, Any]]) -> list[str]:
    """Reason codes of all checkpoints, the most frequent first."""
    totals: dict[str, int] = {}
    for one in checkpoints:
        for reason, number in one["errors"]["reasons"].items():
            totals[reason] = totals.get(reason, 0) + number
    return sorted(totals, key=lambda reason: (-totals[reason], reason))
