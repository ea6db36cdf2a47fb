"""The comparison of two score files as tables for a terminal."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from sqlrl.report.words import count, percent, points, span, verdict_words

COLOURS = {"proven better": "bold green", "proven worse": "bold red"}
SHOWN_P = 0.0001


def render_comparison(document: Mapping[str, Any]) -> Iterator[RenderableType]:
    """What by_hand.compare_sides gives, as a person reads it, part by part."""
    difference = document["difference"]
    yield _sides(document)
    yield _rates(document)
    yield _differences(document)
    yield Text(f"Verdict: {verdict_words(difference)}\n", style=COLOURS.get(difference["verdict"], "bold"))
    yield Text(_movement(difference))
    yield from _provable(document)
    if _has_bound(document):
        yield Text(
            "† All tasks gave the same, so the resampled interval has zero width. Shown is what so many equal tasks "
            "could hide."
        )
    for warning in document["warnings"]:
        yield Text(f"Note: {warning}", style="yellow")


def _sides(document: Mapping[str, Any]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column()
    table.add_column(overflow="fold")
    for name in ("before", "after"):
        side, (first, *others) = document[name], document[name]["files"]
        files = f"{first} and {count(len(others), 'file')} more" if others else first
        passes = f" in {count(side['passes'], 'scoring pass')}" if side["passes"] > 1 else ""
        table.add_row(
            name, Text(f"{files}: {count(side['tasks'], 'task')}, {count(side['k'], 'sample')} each{passes}")
        )
    return table


def _rates(document: Mapping[str, Any]) -> Table:
    confidence = percent(document["statistics"]["confidence"])
    table = Table(
        title=f"{count(document['tasks'], 'task')} that both sides have, with {confidence} intervals",
        title_justify="left",
    )
    for heading in ("", "before", "after"):
        table.add_column(heading, overflow="fold")
    for name, rate in document["rates"].items():
        if not (name.endswith("k") and document["k"] == 1):
            table.add_row(
                name.replace("k", str(document["k"])) if name.startswith("pass") else name,
                *(_rate(rate[side]) for side in ("before", "after")),
            )
    return table


def _rate(rate: Mapping[str, Any]) -> str:
    low, high = rate["bound"] or rate["interval"]
    mark = " †" if rate["bound"] else ""
    return f"{percent(rate['value'], 1)} ({percent(low, 1).rstrip('%')} to {percent(high, 1)}){mark}"


def _differences(document: Mapping[str, Any]) -> Table:
    """A row a scoring pass; where there are several ways to resample, the widest interval first, then each."""
    difference = document["difference"]
    ways = {"by task": "by_task", "by template": "by_template", "by database": "by_database"}
    shown = {name: key for name, key in ways.items() if difference["passes"][0][key]}
    shown = {"interval": "interval", **(shown if len(shown) > 1 else {})}
    table = Table(title="Difference in pass@1, paired by task, in points", title_justify="left")
    for heading in ("", "difference", *shown):
        table.add_column(heading, overflow="fold")
    several = len(difference["passes"]) > 1
    for number, one in enumerate(difference["passes"], start=1):
        cells = [_span(one, key) for key in shown.values()]
        table.add_row(f"pass {number}" if several else "after - before", points(one["value"]), *cells)
    if several:
        table.add_section()
        low, high = zip(*(one["bound"] or one["interval"] for one in difference["passes"]), strict=True)
        table.add_row("all", points(difference["value"]), span((min(low), max(high))))
        table.caption = f"The passes differ by {100 * difference['spread']:.1f} points at most."
        table.caption_justify = "left"
    return table


def _span(one: Mapping[str, Any], key: str) -> str:
    return f"{span(one['bound'])} †" if one["bound"] else span(one[key])


def _movement(difference: Mapping[str, Any]) -> str:
    moved, chance = difference["moved"], difference["sign_test"]
    shown = f"p < {SHOWN_P}" if chance < SHOWN_P else f"p = {chance:.4f}"
    return (
        f"Tasks that pass more often: {moved['up']}, less often: {moved['down']}, as often: {moved['same']}. "
        f"Sign test: {shown}."
    )


def _provable(document: Mapping[str, Any]) -> Iterator[RenderableType]:
    difference, tasks = document["difference"], count(document["tasks"], "task")
    gain = difference["smallest_provable_gain"]
    if gain is None:
        yield Text(f"What {tasks} could prove is not known, since no task moved.")
        return
    yield Text(
        f"Smallest provable gain: {tasks} show a true gain of {100 * gain:.1f} points with a chance of "
        f"{percent(difference['power'])}, a smaller one less often."
    )
    table = Table("gain in points", *(f"{100 * float(size):g}" for size in difference["tasks_needed"]))
    table.add_row("tasks needed", *(f"{number:,}" for number in difference["tasks_needed"].values()))
    yield table


def _has_bound(document: Mapping[str, Any]) -> bool:
    sides = [one for rate in document["rates"].values() for one in rate.values()]
    return any(one["bound"] for one in [*sides, *document["difference"]["passes"]])
