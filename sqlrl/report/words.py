"""Numbers and verdicts as a person reads them."""

from collections.abc import Mapping, Sequence
from typing import Any

MINUS = "−"


def percent(share: float | None, digits: int = 0) -> str:
    """A share in percent, a dash where there is none."""
    return "–" if share is None else f"{100 * share:.{digits}f}%"


def points(difference: float | None, digits: int = 1) -> str:
    """A difference of shares in signed percentage points, a dash where there is none."""
    if difference is None:
        return "–"
    rounded = round(100 * difference, digits)
    return f"{rounded:+.{digits}f}".replace("-", MINUS) if rounded else f"{0:.{digits}f}"


def span(interval: Sequence[float] | None, digits: int = 1) -> str:
    """An interval of differences in points."""
    return "–" if interval is None else f"{points(interval[0], digits)} to {points(interval[1], digits)}"


def percent_span(interval: Sequence[float] | None) -> str:
    """An interval of shares in percent."""
    if interval is None:
        return "–"
    return f"{100 * interval[0]:.0f} to {percent(interval[1])}"


def rate_span(rate: Mapping[str, Any]) -> str:
    """A rate's interval in percent, marked where every question gave the same and its bound stands for it."""
    return percent_span(rate["interval"]) if rate["bound"] is None else f"{percent_span(rate['bound'])} †"


def count(number: int, noun: str) -> str:
    """A number with its noun: ``1 task``, ``1,200 tasks``."""
    plural = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def duration(seconds: float) -> str:
    """Seconds as a person says them."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def dollars(money: float | None) -> str:
    """US dollars in cents, with more digits where cents would hide them."""
    if money is None:
        return "–"
    return f"{money:,.2f} USD" if money >= 0.1 or not money else f"{money:.4f} USD"


def money_sentence(costs: Mapping[str, Any]) -> str:
    """What replies cost, with the tokens that it was paid for; see costs.summarise."""
    return (
        f"It cost {dollars(costs['money'])}: {costs['prompt_tokens']:,} tokens of prompts and "
        f"{costs['tokens']:,} of replies."
    )


def verdict_words(comparison: Mapping[str, Any]) -> str:
    """The verdict of a comparison, its margin in points and with what it would take to decide."""
    words: str = comparison["verdict_sentence"]
    prefix = "no difference larger than "
    if not words.startswith(prefix):
        return words
    return f"{prefix}{100 * float(words.removeprefix(prefix)):g} points"


def headline_sentence(comparison: Mapping[str, Any], trained_by: str) -> str:
    """What a run came to, in one sentence: before, after, difference, interval and verdict."""
    after, before = percent(comparison["after_value"]), percent(comparison["before_value"])
    words = verdict_words(comparison)
    relation = {"proven better": "up from", "proven worse": "down from"}.get(comparison["verdict"], "against")
    return (
        f"After {trained_by} the model answers {after} of {count(comparison['holdout_tasks'], 'held-out question')} "
        f"right, {relation} {before} before ({points(comparison['difference'])} points, "
        f"{span(comparison['interval'])}): {words}."
    )


def part_sentence(comparison: Mapping[str, Any], what: str) -> dict[str, str]:
    """One more comparison in a sentence of its own, with its verdict."""
    difference, interval = points(comparison["difference"]), span(comparison["interval"])
    sentence = f"{what}: {difference} points ({interval}), {verdict_words(comparison)}."
    return {"sentence": sentence, "verdict": comparison["verdict"]}


def other_rate(databases: str) -> dict[str, str]:
    """The pass@1 that the headline does not count by: its key in the JSON, its title, what it means."""
    if databases == "main":
        meaning = (
            "pass@1 when the rows must also be right on hidden databases with other data: luck does not count"
        )
        return {"rate": "pass@1_everywhere", "title": "right on twins", "meaning": meaning}
    meaning = "pass@1 when only the rows on the main database must be right, luck included"
    return {"rate": "pass@1_main", "title": "right on main", "meaning": meaning}


def listed(names: Sequence[str]) -> str:
    """Names in a row: ``sft, r1 and r2``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
