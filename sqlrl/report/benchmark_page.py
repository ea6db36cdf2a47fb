"""The base benchmark as one self-contained HTML page, made of the parts of the delta report's page."""

from collections.abc import Mapping
from typing import Any

from sqlrl.report import words
from sqlrl.report.forecast import GAINS
from sqlrl.report.page import parts_of_page, reasons_of, render_template
from sqlrl.report.passes import KINDS
from sqlrl.report.trust import coverage_warnings


def render_benchmark(document: Mapping[str, Any]) -> str:
    """The page of a base benchmark's document, as HTML text."""
    base, statistics = document["base"], document["statistics"]
    rates = [base[part]["pass@1"] for part in ("all", "seen", "unseen") if base[part]["pass@1"]]
    return render_template(
        "base_benchmark.html.j2",
        {
            **document,
            "facts": _facts(document),
            "warnings": coverage_warnings(document["coverage"], statistics["confidence"]),
            "checkpoints": [base],
            "parts": parts_of_page(document["asked"]),
            "other": words.other_rate(statistics["headline_databases"]),
            "alike": any(rate["zero_width"] for rate in rates),
            "kinds": KINDS,
            "reasons": reasons_of([base]),
            "gains": GAINS,
            "confidence": words.percent(statistics["confidence"]),
        },
    )


def _facts(document: Mapping[str, Any]) -> list[dict[str, str]]:
    """The figures at the top of the page."""
    rates, forecast, k = document["base"]["all"], document["forecast"], document["asked"]["k"]
    rate, able = rates["pass@1"], rates["pass@k"]
    found = [
        {
            "name": "answers right",
            "value": words.percent(rate["value"]),
            "note": f"pass@1, {words.rate_span(rate)}",
        },
        {
            "name": f"right in one of {k} tries",
            "value": words.percent(able["value"]),
            "note": f"pass@{k}, {words.rate_span(able)}",
        },
        {
            "name": "Headroom",
            "value": f"{forecast['headroom']:.2f}",
            "note": "little to amplify" if forecast["little_to_amplify"] else "something to amplify",
        },
    ]
    gains = [one["gain"] for one in forecast["smallest_provable_gain"].values() if one]
    if gains:
        low, high = 100 * min(gains), 100 * max(gains)
        value = f"{low:.1f} to {high:.1f}" if len(gains) > 1 else f"{high:.1f}"
        note = f"points, with {words.count(document['asked']['tasks'], 'question')}"
        found.append({"name": "Smallest provable gain", "value": value, "note": note})
    return found
