"""The numbers of a model card, all of them from the delta report's document."""

from collections.abc import Mapping
from typing import Any

from sqlrl.report.files import BASE, stage_of
from sqlrl.report.markdown import PARTS
from sqlrl.report.markdown_table import table
from sqlrl.report.words import (
    count,
    headline_sentence,
    listed,
    other_rate,
    part_sentence,
    percent,
    points,
    rate_span,
    span,
    verdict_words,
)

Document = Mapping[str, Any]


def entry(document: Document, checkpoint: str) -> Mapping[str, Any]:
    """The rates of one checkpoint. Raises KeyError where the report has none (see read_report)."""
    found: dict[str, Mapping[str, Any]] = {one["checkpoint"]: one for one in document["checkpoints"]}
    return found[checkpoint]


def chain(document: Document, checkpoint: str) -> list[str]:
    """The checkpoints that led to this one, itself last, the base left out."""
    found = [checkpoint]
    while (parent := str(document["provenance"]["stages"][stage_of(found[0])[0]]["from"])) != BASE:
        found.insert(0, parent)
    return found


def sentences(document: Document, checkpoint: str) -> list[str]:
    """What training came to: against the base first, then against the stage's start and on unseen shapes."""
    pairs = comparisons(document, checkpoint)
    whole = pairs[-1]
    found = [headline_sentence(whole, listed(chain(document, checkpoint)))]
    own = pairs[0]
    what = f"{checkpoint} against {own['before']}"
    if own is not whole:
        found.append(part_sentence(own, f"The last stage alone, {what}")["sentence"])
    if own["unseen"]:
        found.append(part_sentence(own["unseen"], f"On query shapes never trained on, {what}")["sentence"])
    return found


def comparisons(document: Document, checkpoint: str) -> list[Mapping[str, Any]]:
    """The checkpoint's comparisons: with what its stage started from, where that is no base, and with the base."""
    found = [one for one in document["comparisons"].values() if one["after"] == checkpoint]
    return sorted(found, key=lambda one: one["before"] == BASE)


def warnings(document: Document, checkpoint: str) -> list[str]:
    """The report's warnings, less those that speak of other checkpoints alone."""
    stages = {stage_of(one)[0] for one in chain(document, checkpoint)}
    others = [f"{name}:" for name, one in document["comparisons"].items() if one["after"] != checkpoint]
    for stage in document["provenance"]["stages"].keys() - stages:
        intervals = [f"The interval of {whose}" for whose in (f"{stage}'s ", f"the difference of {stage} ")]
        others += [f"{stage}:", f"{stage} ended ", *intervals]
    return [one for one in document["warnings"] if not one.startswith(tuple(others))]


def rates_table(document: Document, checkpoint: str) -> str:
    """Base and checkpoint with every rate and its interval."""
    k = document["asked"]["k"]
    other = other_rate(document["statistics"]["headline_databases"])
    rates = ("pass@1", "pass@k", "pass^k", "executes", other["rate"])
    rows = [
        [name, f"{title}, {found[part]['pass@1']['tasks']}", *(_cell(found[part][rate]) for rate in rates)]
        for part, title in PARTS.items()
        for name, found in ((name, entry(document, name)) for name in (BASE, checkpoint))
        if found[part]["pass@1"]
    ]
    header = ["Model", "Questions", "pass@1", f"pass@{k}", f"pass^{k}", "executes", other["title"]]
    return table(header, rows)


def _cell(rate: Mapping[str, Any]) -> str:
    return f"{percent(rate['value'], 1)} ({rate_span(rate)})"


def alike(document: Document, checkpoint: str) -> bool:
    """Whether some rate has an interval of no width, which the table marks."""
    found = [entry(document, name)[part] for name in (BASE, checkpoint) for part in PARTS]
    return any(rate["bound"] for rates in found for rate in rates.values() if isinstance(rate, Mapping))


def comparisons_table(document: Document, checkpoint: str) -> str:
    """Every paired difference of the checkpoint with its interval over all passes and its verdict."""
    rows = [
        [
            f"{one['after']} against {one['before']}",
            f"{title}, {found['holdout_tasks']}",
            points(found["difference"]),
            span(found["interval"]),
            verdict_words(found),
        ]
        for one in comparisons(document, checkpoint)
        for title, found in ((title, one if part == "all" else one[part]) for part, title in PARTS.items())
        if found
    ]
    return table(["Compared", "Questions", "difference, points", "interval", "verdict"], rows)


def limits(document: Document, checkpoint: str) -> list[str]:
    """What the numbers do not say."""
    databases = document["asked"]["databases"]
    names = listed([f"`{one['database']}` ({count(one['tables'], 'table')})" for one in databases])
    schemas = f"It knows one schema, {names}" if len(databases) == 1 else f"It knows the schemas {names}"
    kinds = listed(list(document["asked"]["kinds"]["archetype"]))
    found = [
        f"{schemas}. Nothing was measured on any other, nor on questions of other kinds than {kinds}.",
        "The questions were made by the recipe's teacher; your users may ask otherwise.",
        _seen_by_verifier(document),
        _luck(document, checkpoint),
    ]
    provable = comparisons(document, checkpoint)[-1]["smallest_provable_gain"]
    if provable is not None:
        found.append(
            f"With {count(document['asked']['tasks'], 'question')}, a true gain over the base of less than "
            f"{100 * provable:.1f} points would often have gone unproven (the smallest gain shown with a chance of "
            f"{percent(document['power']['power'])})."
        )
    else:
        found.append(
            "No question changed, so nothing can be said of the gain that these questions could prove."
        )
    found.append("A reply is unchecked code: run it as a role that can only read, under a time limit.")
    return found


def _seen_by_verifier(document: Document) -> str:
    where = (
        "on the main database"
        if document["statistics"]["headline_databases"] == "main"
        else "on the main database and on every hidden one"
    )
    return (
        f"Right means that the query's rows {where} are those of a reference query. Whether it means the same on "
        "all other data, and whether it is fast or well written, is not checked."
    )


def _luck(document: Document, checkpoint: str) -> str:
    luck = entry(document, checkpoint)["luck"]
    twins = sum(one["twins"] for one in document["asked"]["databases"])
    if luck["share"] is None:
        return "No reply was right on the main database, so nothing can be said of luck."
    return (
        f"Luck rate: of {luck['right_on_main']:,} replies that were right on the main database, "
        f"{luck['refuted_by_a_twin']:,} ({percent(luck['share'], 1)}) gave wrong rows on a hidden "
        f"database with the same tables and other data; {count(twins, 'such database')} tried."
    )
