"""The run in one sentence with its verdict, and what must be read beside it."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlrl.report.evidence import Evidence
from sqlrl.report.files import BASE
from sqlrl.report.words import headline_sentence, listed, part_sentence, seeds_sentence

NOTHING = {
    "difference": None,
    "interval": None,
    "verdict": None,
    "verdict_sentence": None,
    "comparison": None,
}


def headline_pair(evidence: Evidence) -> tuple[str, str]:
    """(last checkpoint, base): what the run as a whole came to."""
    return (evidence.checkpoints[-1], BASE)


def headline_name(evidence: Evidence) -> str | None:
    """The key of the headline's comparison; None where the base alone was scored."""
    last, base = headline_pair(evidence)
    return None if last == base else f"{last}-vs-{base}"


def describe_headline(
    evidence: Evidence, comparisons: Mapping[str, Mapping[str, Any]], seeds: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The headline as the report's JSON has it.

    Where the last checkpoint is one of several seeds of a stage, the verdict is that of all of them, and the one
    seed stands beside it: whoever picks the seed picks the result.

    Args:
        evidence: what was scored.
        comparisons: all paired differences, adjusted.
        seeds: see seeds.describe_seeds.
    """
    name = headline_name(evidence)
    if name is None:
        return {"sentence": "Only the base model was scored.", **NOTHING, "seeds": None, "beside": []}
    whole, last = comparisons[name], evidence.checkpoints[-1]
    chain = listed(_chain(evidence, last))
    beside = _beside(evidence, comparisons, last)
    group = next((one for one in seeds if last in one["stages"]), None)
    against = next((one for one in group["against"] if one["before"] == BASE), None) if group else None
    if group is None or against is None:
        return {
            "sentence": headline_sentence(whole, chain),
            **_figures(whole),
            "comparison": name,
            "seeds": None,
            "beside": beside,
        }
    alone = part_sentence(whole, f"The last seed alone, {last} against {BASE}")
    return {
        "sentence": seeds_sentence(group, against),
        **_figures(against),
        "comparison": name,
        "seeds": group["name"],
        "beside": [alone, *beside],
    }


def _figures(one: Mapping[str, Any]) -> dict[str, Any]:
    return {key: one[key] for key in ("difference", "interval", "verdict", "verdict_sentence")}


def _beside(
    evidence: Evidence, comparisons: Mapping[str, Mapping[str, Any]], last: str
) -> list[dict[str, str]]:
    """The last stage against its start, and its subject on query shapes never trained on."""
    whole, parent = comparisons[f"{last}-vs-{BASE}"], evidence.parent(last)
    own = comparisons.get(f"{last}-vs-{parent}") if parent != BASE else None
    beside = [part_sentence(own, f"The last stage alone, {last} against {parent}")] if own else []
    subject = own or whole
    if subject["unseen"]:
        of = f"{last} against {subject['before']}"
        beside.append(part_sentence(subject["unseen"], f"On query shapes never trained on, {of}"))
    return beside


def _chain(evidence: Evidence, checkpoint: str) -> list[str]:
    """The checkpoints from the first stage to this one."""
    chain = [checkpoint]
    while (parent := evidence.parent(chain[0])) not in (BASE, *chain):
        chain.insert(0, parent)
    return chain
