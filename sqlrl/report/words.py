"""Numbers and verdicts as a person reads them."""

from collections.abc import Mapping, Sequence
from typing import Any

MINUS = "−"
EFFECT = "effect slope"


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
    """A number with its noun: ``1 task``, ``1,200 tasks``, ``2 replies``."""
    vowel = noun[-2:-1] in "aeiou"
    plural = (
        f"{noun[:-1]}ies"
        if noun.endswith("y") and not vowel
        else noun + ("es" if noun.endswith("s") else "s")
    )
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


def seeds_sentence(group: Mapping[str, Any], against: Mapping[str, Any]) -> str:
    """What several seeds of the last stage came to together, in one sentence."""
    after, before = percent(against["after_value"]), percent(against["before_value"])
    relation = {"proven better": "up from", "proven worse": "down from"}.get(against["verdict"], "against")
    return (
        f"Over {count(len(group['stages']), 'seed')} of {group['name']} the model answers {after} of "
        f"{count(against['holdout_tasks'], 'held-out question')} right, {relation} {before} before "
        f"({points(against['difference'])} points, {span(against['interval'])}): {verdict_words(against)}."
    )


def family(comparisons: Mapping[str, Mapping[str, Any]]) -> int:
    """How many comparisons were adjusted together: all, and their parts, but the headline's."""
    parts = [one for found in comparisons.values() for one in (found, found["seen"], found["unseen"]) if one]
    return sum(one["p_adjusted"] is not None for one in parts)


def p_value(p: float | None) -> str:
    """A p value as a person reads it, on one line: ``p = 0.012``; a dash where there is none."""
    if p is None:
        return "–"
    return "p\u00a0<\u00a00.001" if p < 0.001 else f"p\u00a0=\u00a0{p:.3f}"


def arm_sentence(arm: Mapping[str, Any]) -> str:
    """An arm of an ablation against the control, as a part of a sentence."""
    difference, interval = points(arm["difference"]), span(arm["interval"])
    return f"{arm['name']} is {verdict_words(arm)} than the control: {difference} points ({interval})"


def setting(value: Any) -> str:
    """A setting's value in one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} {setting(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(setting(item) for item in value) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return "none" if value is None else str(value)


def ablation_stages(document: Mapping[str, Any]) -> list[str]:
    """The stages of a document's ablation, the control's first; none without one."""
    ablation = document["ablation"]
    blocks = [ablation["control"], *ablation["arms"]] if ablation else []
    return [stage for block in blocks for stage in block["stages"]]


def proof_line(proof: Mapping[str, Any]) -> dict[str, str]:
    """A proof of parity in one line: how its checks came out, and the one that only the trained weights pass."""
    states = [check["state"] for check in proof["checks"]]
    found = [check["found"] for check in proof["checks"] if check["name"] == EFFECT]
    open_checks = states.count("undecided")
    result = f"{len(states) - open_checks} of {len(states)} passed"
    return {
        "checkpoint": proof["checkpoint"],
        "result": f"{result}, {open_checks} undecided" if open_checks else result,
        "found": f"{EFFECT} {found[0]}" if found else "",
    }


def changed(changes: Mapping[str, Sequence[Any]]) -> str:
    """What an arm changes: ``steps 8 → 2, prompts_per_step 1 → 4``."""
    return ", ".join(f"{key} {setting(old)} → {setting(new)}" for key, (old, new) in changes.items())


def reach(document: Mapping[str, Any]) -> str:
    """The headline's interval, and what it is of."""
    headline, passes = document["headline"], document["asked"]["passes"]
    interval, confidence = span(headline["interval"]), percent(document["statistics"]["confidence"])
    if headline["seeds"]:
        return f"{confidence} interval {interval} over seeds and questions"
    one_run = "One training run: another seed may end elsewhere."
    if passes == 1:
        return f"{confidence} interval {interval}. {one_run}"
    return f"the {confidence} intervals of {passes} scoring passes reach from {interval}. {one_run}"


def weaknesses(name: str, comparison: Mapping[str, Any]) -> list[str]:
    """What weakens a comparison of this name: tasks that one side lacks, an interval without width."""
    found = []
    if comparison["lost_tasks"]:
        found.append(
            f"{name}: left out: {count(comparison['lost_tasks'], 'task')} with scores on one side only; compared: "
            f"{count(comparison['holdout_tasks'], 'task')}."
        )
    if comparison["zero_width"]:
        found.append(
            f"{name}: an interval has zero width because every task changed alike; its verdict is that of the "
            "widest interval that this many equal tasks allow."
        )
    return found


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
