"""Pictures as SVG that a page can carry: coloured by its style sheet, the same bytes in every build."""

import io
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import PercentFormatter

# Colours are placeholders that become CSS variables, so that one picture serves light and dark pages.
INK, MUTED, GRID, TRAINING, DEV = "#010101", "#020202", "#030303", "#040404", "#050505"
VARIABLES = {INK: "--ink", MUTED: "--muted", GRID: "--line", TRAINING: "--before", DEV: "--accent"}
# Of the kinds of replies, in the order of passes.KINDS.
KIND_COLOURS = ("#060606", "#070707", "#080808", "#090909")
KIND_VARIABLES = {colour: f"--k{number}" for number, colour in enumerate(KIND_COLOURS, 1)}
STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "sqlrl",
    "font.size": 9,
    "axes.edgecolor": GRID,
    "axes.labelcolor": MUTED,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlecolor": INK,
    "axes.titlelocation": "left",
    "axes.titlesize": 9.5,
    "xtick.color": GRID,
    "ytick.color": GRID,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": MUTED,
    "text.color": INK,
}
SIZES = {"wide": (8.2, 2.7), "narrow": (3.7, 4.7)}


def curve_pictures(curve: Mapping[str, Any]) -> dict[str, str]:
    """A stage's training curve beside its dev curve, as SVG texts: ``wide`` and ``narrow``."""
    return {name: _draw(curve, name) for name in SIZES}


def curve_alternative(curve: Mapping[str, Any]) -> str:
    """What the picture shows, in words."""
    values, dev = curve["training"]["values"], curve["dev"]
    third = max(1, len(values) // 3)
    parts = [f"Stage {curve['stage']}."]
    if values:
        parts.append(
            f"The {curve['training']['signal']} in training is {_mean(values[:third]):.2f} in the first third of its "
            f"{len(values)} steps and {_mean(values[-third:]):.2f} in the last."
        )
    if dev:
        steps = ", ".join(f"{100 * one['value']:.0f}% at step {one['step']}" for one in dev)
        parts.append(f"pass@1 on dev: {steps}.")
    return " ".join(parts)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def picture(size: tuple[float, float], prefix: str, draw: Callable[[Figure], None]) -> str:
    """One picture as an SVG element.

    Args:
        size: width and height in inches; the page scales it to its column.
        prefix: makes the ids of the picture its own on the page.
        draw: puts axes and artists into an empty figure.
    """
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # a user's own matplotlibrc changes no report
        matplotlib.rcParams.update(cast(Any, STYLE))
        figure = Figure(figsize=size, layout=ConstrainedLayoutEngine(wspace=0.06, hspace=0.08))
        draw(figure)
        stream = io.StringIO()
        figure.savefig(stream, format="svg", transparent=True, metadata={"Date": None})
    return embed(stream.getvalue(), prefix.replace(".", "-"))


def _draw(curve: Mapping[str, Any], size: str) -> str:
    def draw(figure: Figure) -> None:
        training, dev = figure.subplots(*((1, 2) if size == "wide" else (2, 1))).ravel()
        last = max([*curve["training"]["steps"], *(one["step"] for one in curve["dev"]), 1])
        _draw_training(training, curve["training"])
        _draw_dev(dev, curve["dev"])
        for axes in (training, dev):
            axes.set_xlim(-0.03 * last, 1.03 * last)
            axes.grid(axis="y", color=GRID, linewidth=0.6)
            axes.set_axisbelow(True)
            axes.tick_params(length=0)
            axes.xaxis.get_major_locator().set_params(integer=True)
        for axes in (training, dev) if size == "wide" else (dev,):
            axes.set_xlabel("step")

    return picture(SIZES[size], f"{curve['stage']}-{size}", draw)


def _draw_training(axes: Axes, training: Mapping[str, Any]) -> None:
    steps, values = training["steps"], training["values"]
    axes.set_title(f"{(training['signal'] or 'signal').capitalize()} in training, its own questions")
    axes.plot(steps, values, ".", color=TRAINING, markersize=4, alpha=0.45)
    axes.plot(steps, _smooth(values), "-", color=TRAINING, linewidth=1.8)
    if training["signal"] == "reward":
        axes.set_ylim(0, 1)


def _draw_dev(axes: Axes, dev: Sequence[Mapping[str, Any]]) -> None:
    axes.set_title("pass@1 on dev, questions it never trains on")
    axes.set_ylim(0, 1)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    if not dev:
        axes.text(0.5, 0.5, "not scored", transform=axes.transAxes, ha="center", color=MUTED)
        return
    steps, values = [one["step"] for one in dev], [one["value"] for one in dev]
    below = [one["value"] - one["interval"][0] for one in dev]
    above = [one["interval"][1] - one["value"] for one in dev]
    axes.errorbar(
        steps,
        values,
        yerr=[below, above],
        fmt="o-",
        color=DEV,
        markersize=4.5,
        linewidth=1.8,
        elinewidth=1.2,
        clip_on=False,
    )


def _smooth(values: Sequence[float]) -> list[float]:
    """Mean over a window of a fifth of the curve around each point."""
    reach = max(1, len(values) // 10)
    windows = (values[max(0, place - reach) : place + reach + 1] for place in range(len(values)))
    return [sum(window) / len(window) for window in windows]


def embed(svg: str, prefix: str) -> str:
    """An SVG file as an element: page fonts and colours, ids of its own, no declaration or metadata."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<(metadata|style)\b.*?</\1>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    svg = svg.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1)
    svg = re.sub(r'\bid="', f'id="{prefix}-', svg)
    svg = re.sub(r'(url\(|href=")#', rf"\1#{prefix}-", svg)
    svg = re.sub(r"font-family: [^;\"]*", "font-family: var(--sans)", svg)
    for colour, variable in (VARIABLES | KIND_VARIABLES).items():
        svg = svg.replace(colour, f"var({variable})")
    return svg
