"""Where values stand on the tracks and axes of a page."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup


def place(value: float, low: float, high: float) -> float:
    """Where a value stands between low and high, in percent, kept on the track."""
    return round(100.0 * min(max((value - low) / (high - low), 0.0), 1.0), 2)


def scale(
    comparisons: Mapping[str, Mapping[str, Any]], seeds: Sequence[Mapping[str, Any]] = ()
) -> tuple[float, float]:
    """The ends of the axis that all intervals of differences share, in tenths, zero within."""
    parts = [part for one in comparisons.values() for part in (one, one["seen"], one["unseen"]) if part]
    ends = [end for part in parts for interval in part["intervals"] for end in interval]
    ends += [end for group in seeds for against in group["against"] for end in against["interval"]]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    return (-_up(-low) if low < 0 else -0.1, _up(high) if high > 0 else 0.1)


def unseen_comparisons(schemas: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """All comparisons over schemas that were never trained on."""
    return {
        f"{schema['database']} {name}": one
        for schema in schemas
        for name, one in schema["comparisons"].items()
    }


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


def _up(value: float) -> float:
    """The next tenth above a positive value, at most 1."""
    return min(1.0, (int(value * 10 - 1e-9) + 1) / 10)
