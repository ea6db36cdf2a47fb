"""Where replies of each kind went, drawn as a flow: one bar before, one after, and bands between them."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from sqlrl.report.figures import INK, KIND_COLOURS, MUTED, picture
from sqlrl.report.passes import KINDS
from sqlrl.report.words import listed, percent

SIZES = {"wide": (8.2, 3.3), "narrow": (3.7, 3.9)}
# Where the bars stand on an axis from 0 to 1; the room beside them is for the labels.
BARS = {"wide": (0.2, 0.8), "narrow": (0.3, 0.7)}
BAR, GAP, LINE = 0.025, 0.012, 0.085


def flow_pictures(learned: Mapping[str, Any]) -> dict[str, str]:
    """The movement between kinds of replies as SVG texts, ``wide`` and ``narrow``."""
    return {size: _draw(learned, size) for size in SIZES}


def flow_alternative(learned: Mapping[str, Any]) -> str:
    """What the picture shows, in words."""
    before, after = shares_before(learned["movement"]), shares_after(learned["movement"])
    sides = [
        f"{learned[side]}: {listed([f'{percent(shares[kind])} {kind}' for kind in KINDS])}."
        for side, shares in (("before", before), ("after", after))
    ]
    moves = [
        (share, start, end)
        for start, ends in learned["movement"].items()
        for end, share in ends.items()
        if start != end and share >= 0.005
    ]
    told = [
        f"{percent(share)} from {start} to {end}" for share, start, end in sorted(moves, reverse=True)[:4]
    ]
    return " ".join([*sides, f"The largest movements: {listed(told)}." if told else "Nothing moved."])


def shares_before(movement: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The share of each kind before."""
    return {kind: sum(movement[kind].values()) for kind in KINDS}


def shares_after(movement: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The share of each kind after."""
    return {kind: sum(ends[kind] for ends in movement.values()) for kind in KINDS}


def _draw(learned: Mapping[str, Any], size: str) -> str:
    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        axes.set_axis_off()
        axes.set_xlim(0, 1)
        axes.set_ylim(-0.02, 1.12)
        left, right = BARS[size]
        movement = learned["movement"]
        sides = (("before", left, shares_before(movement)), ("after", right, shares_after(movement)))
        tops = {}
        for name, place, shares in sides:
            tops[name] = _tops(shares)
            _draw_bar(axes, place, shares, tops[name])
            first = name == "before"
            _draw_labels(axes, place, shares, tops[name], first)
            edge, side = (place + BAR, "right") if first else (place - BAR, "left")
            axes.text(edge, 1.05, learned[name], color=INK, ha=side, va="bottom", fontweight="bold")
        _draw_bands(axes, movement, tops, (left + BAR, right - BAR))

    return picture(SIZES[size], f"flow-{size}", draw)


def _tops(shares: Mapping[str, float]) -> dict[str, float]:
    """The upper edge of each kind's piece of a bar, the first kind on top."""
    found, top = {}, 1.0
    room = 1.0 - GAP * (len(KINDS) - 1)
    for kind in KINDS:
        found[kind] = top
        top -= room * shares[kind] + GAP
    return found


def _scaled(share: float) -> float:
    return (1.0 - GAP * (len(KINDS) - 1)) * share


def _draw_bar(axes: Axes, place: float, shares: Mapping[str, float], tops: Mapping[str, float]) -> None:
    for kind, colour in zip(KINDS, KIND_COLOURS, strict=True):
        height = _scaled(shares[kind])
        axes.add_patch(
            Rectangle((place - BAR, tops[kind] - height), 2 * BAR, height, facecolor=colour, edgecolor="none")
        )


def _draw_labels(
    axes: Axes, place: float, shares: Mapping[str, float], tops: Mapping[str, float], left: bool
) -> None:
    shown = [kind for kind in KINDS if shares[kind] > 0]
    middles = _apart([tops[kind] - _scaled(shares[kind]) / 2 for kind in shown])
    for kind, middle in zip(shown, middles, strict=True):
        edge = place - BAR - 0.015 if left else place + BAR + 0.015
        text = f"{kind} {percent(shares[kind])}" if left else f"{percent(shares[kind])} {kind}"
        axes.text(edge, middle, text, ha="right" if left else "left", va="center", color=MUTED)


def _apart(middles: Sequence[float]) -> list[float]:
    """Heights of labels from top to bottom, moved so that none lies on another or below the picture."""
    found: list[float] = []
    for middle in middles:
        found.append(min(middle, found[-1] - LINE) if found else middle)
    lowest = 0.0
    for place in range(len(found) - 1, -1, -1):
        found[place] = max(found[place], lowest)
        lowest = found[place] + LINE
    return found


def _draw_bands(
    axes: Axes,
    movement: Mapping[str, Mapping[str, float]],
    tops: Mapping[str, Mapping[str, float]],
    ends: tuple[float, float],
) -> None:
    """A band for each pair of kinds, coloured by where it ends; what stays is fainter than what moves."""
    left = dict(tops["before"])
    right = dict(tops["after"])
    for start in KINDS:
        for end, colour in zip(KINDS, KIND_COLOURS, strict=True):
            height = _scaled(movement[start][end])
            if height > 0:
                faint = 0.22 if start == end else 0.5
                band = _band(ends, left[start], right[end], height)
                axes.add_patch(PathPatch(band, facecolor=colour, edgecolor="none", alpha=faint))
            left[start] -= height
            right[end] -= height


def _band(ends: tuple[float, float], left: float, right: float, height: float) -> Path:
    (start, end), middle = ends, sum(ends) / 2
    points = [
        (start, left), (middle, left), (middle, right), (end, right),
        (end, right - height), (middle, right - height), (middle, left - height), (start, left - height),
        (start, left),
    ]  # fmt: skip
    codes = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
    return Path(points, codes)
