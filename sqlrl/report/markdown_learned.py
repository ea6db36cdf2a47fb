"""Blocks of the Markdown report: seeds, what the model learned, what was fixed before training, coverage."""

from collections.abc import Mapping
from typing import Any

from sqlrl.report.learned import STATES
from sqlrl.report.markdown_table import table
from sqlrl.report.passes import KINDS
from sqlrl.report.words import count, percent, points, span, verdict_words


def seeds_blocks(document: Mapping[str, Any]) -> list[str]:
    """Each group of seeds against its start and the base; nothing where no stage has several seeds."""
    rows = [
        [
            f"{count(len(group['stages']), 'seed')} of {group['name']} against {against['before']}",
            points(against["difference"]),
            "; ".join(points(one) for one in against["difference_by_seed"]),
            span(against["interval"]),
            verdict_words(against),
        ]
        for group in document["seeds"]
        for against in group["against"]
    ]
    if not rows:
        return []
    return [table(["All seeds at once", "difference", "each seed", "interval", "verdict"], rows)]


def learned_blocks(document: Mapping[str, Any]) -> list[str]:
    """Movement between kinds of replies, and between questions never, sometimes and always answered right."""
    learned = document["learned"]
    if learned is None:
        return []
    before, after = learned["before"], learned["after"]
    moved = [[start, *(percent(learned["movement"][start][end], 1) for end in KINDS)] for start in KINDS]
    states = [
        [f"{before}: {start}", *(str(learned["state_movement"][start][end]) for end in STATES)]
        for start in STATES
    ]
    return [
        "## What the model learned",
        f"Where replies went from {before} (rows) to {after} (columns), each reply with each to its question:",
        table([before, *KINDS], moved),
        "How many questions are never, sometimes and always answered right:",
        table(["", *(f"{after}: {state}" for state in STATES)], states),
    ]


def fixed_blocks(document: Mapping[str, Any]) -> list[str]:
    """The holdout and what the base alone foresaw of it."""
    fixed = document["fixed"]
    gains = [one["gain"] for one in fixed["smallest_provable_gain"].values() if one]
    able = "little" if fixed["little_to_amplify"] else "something"
    lines = [
        f"- Holdout of {count(fixed['tasks'], 'question')} with the digest `{fixed['holdout_digest']}`.",
        f"- Headroom {fixed['headroom']:.2f}: {able} for reinforcement learning to amplify.",
    ]
    if gains:
        ends = " to ".join(f"{100 * one:.1f}" for one in sorted(set(gains)))
        lines.append(f"- Smallest provable gain foreseen from the base: {ends} points.")
    groups = [(f"groups of {size}", share) for size, share in fixed["mixed_groups"].items()]
    groups += [
        (f"the groups of {one['group_size']} of {one['stage']}, from replies of {one['from']}", one["mixed"])
        for one in fixed["groups"]
        if one["mixed"] is not None
    ]
    lines += [f"- Expected share of mixed groups, {what}: {percent(share)}." for what, share in groups]
    return ["## Fixed before training", "\n".join(lines)]


def coverage_blocks(document: Mapping[str, Any]) -> list[str]:
    """How often the intervals cover in simulation."""
    rows = [
        [one["of"], percent(one["coverage"], 1), "short" if one["short"] else "good"]
        for one in document["coverage"]["figures"]
    ]
    return [table(["Interval of", "holds the truth in", "it is"], rows)] if rows else []
