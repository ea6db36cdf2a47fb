"""The report as Markdown: the same headline, tables and verdicts, for a pull request or a README."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlrl.report.markdown_learned import coverage_blocks, fixed_blocks, learned_blocks, seeds_blocks
from sqlrl.report.markdown_table import table
from sqlrl.report.passes import KINDS
from sqlrl.report.words import (
    ablation_stages,
    changed,
    count,
    dollars,
    duration,
    family,
    other_rate,
    p_value,
    percent,
    points,
    proof_line,
    rate_span,
    span,
    verdict_words,
)

SHOWN = ("difficulty", "archetype", "database", "table", "feature")
PARTS = {"all": "all", "seen": "shapes seen in training", "unseen": "shapes never seen"}


def render_markdown(document: Mapping[str, Any]) -> str:
    """The Markdown text of a report's document."""
    headline = document["headline"]
    blocks = [
        f"# Delta report: {document['run']}",
        f"**{headline['sentence']}**",
        "\n".join(f"- {one['sentence']}" for one in headline["beside"]),
        "\n".join(f"> Warning: {warning}" for warning in document["warnings"]),
        _asked(document["asked"]),
        *_ablation(document["ablation"]),
        "## Every stage",
        _stages(document),
        *_differences(document),
        *_unseen(document),
        *_breakdowns(document),
        *learned_blocks(document),
        "## What goes wrong",
        _errors(document["checkpoints"]),
        *_parity(document),
        *_prompts(document),
        "## What it cost",
        _costs(document["costs"]),
        *fixed_blocks(document),
        "## What this holdout can prove",
        _power(document),
        *coverage_blocks(document),
        f"Rebuild with `{document['provenance']['command']}`.",
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _asked(asked: Mapping[str, Any]) -> str:
    return (
        f"{count(asked['tasks'], 'held-out question')} of {asked['templates']} query shapes, {asked['unseen_tasks']} "
        f"of them of a shape that training never saw; {asked['k']} replies a question in {asked['passes']} passes."
    )


def _stages(document: Mapping[str, Any]) -> str:
    k = document["asked"]["k"]
    other = other_rate(document["statistics"]["headline_databases"])
    rates = ("pass@k", "pass^k", "executes", "no_query", "truncated", other["rate"])
    header = ["Stage", "Questions", "pass@1", "interval", f"pass@{k}", f"pass^{k}"]
    rows = [
        [
            one["checkpoint"],
            f"{title}, {one[part]['pass@1']['tasks']}",
            percent(one[part]["pass@1"]["value"], 1),
            rate_span(one[part]["pass@1"]),
            *(percent(one[part][rate]["value"], 1) for rate in rates),
        ]
        for part, title in PARTS.items()
        for one in document["checkpoints"]
        if one[part]["pass@1"]
    ]
    return table([*header, "executes", "no query", "truncated", other["title"]], rows)


def _ablation(ablation: Mapping[str, Any] | None) -> list[str]:
    if ablation is None:
        return []
    control = ["control", "–", _seeds(ablation["control"]), "–", "–", "–"]
    rows = [
        [
            arm["name"],
            changed(arm["changes"]),
            _seeds(arm),
            points(arm["difference"]),
            span(arm["interval"]),
            verdict_words(arm),
        ]
        for arm in ablation["arms"]
    ]
    start, seeds = ablation["start"]["checkpoint"], count(len(ablation["seeds"]), "seed")
    told = (
        f"Every arm starts from {start} and changes one thing of the control; {seeds} each. Intervals, in percentage "
        "points, are over seeds and questions at once."
    )
    header = ["Arm", "what changed", "pass@1 (seeds)", "difference", "interval", "verdict"]
    return ["## One factor at a time", told, table(header, [control, *rows]), *ablation["notes"]]


def _seeds(arm: Mapping[str, Any]) -> str:
    """Pass@1 of an arm with its lowest and highest seed."""
    rates = arm["pass@1_by_seed"]
    return f"{percent(arm['pass@1'], 1)} ({percent(min(rates), 1)} to {percent(max(rates), 1)})"


def _differences(document: Mapping[str, Any]) -> list[str]:
    comparisons = document["comparisons"]
    if not comparisons:
        return []
    told = "One interval a scoring pass, in percentage points, each the widest over questions, over query shapes "
    told += (
        "and, of several, over schemas. p: permutation test over all passes; in brackets adjusted (Holm) for "
    )
    told += f"{family(comparisons)} comparisons, the headline's apart. Sign test: questions better and worse."
    return ["## Paired differences", *seeds_blocks(document), told, _comparisons(comparisons)]


def _comparisons(comparisons: Mapping[str, Mapping[str, Any]]) -> str:
    rows = [
        [
            f"{one['after']} against {one['before']}",
            f"{title}, {found['holdout_tasks']}",
            points(found["difference"]),
            "; ".join(span(interval) for interval in found["intervals"]),
            p_value(found["p"])
            + (f" ({p_value(found['p_adjusted'])})" if found["p_adjusted"] is not None else ""),
            p_value(found["sign_test"]),
            verdict_words(found),
        ]
        for one in comparisons.values()
        for title, found in ((title, one if part == "all" else one[part]) for part, title in PARTS.items())
        if found
    ]
    return table(["Comparison", "Questions", "difference", "intervals", "p", "sign test", "verdict"], rows)


def _unseen(document: Mapping[str, Any]) -> list[str]:
    """What became of schemas that were never trained on."""
    k = document["asked"]["k"]
    blocks = []
    for schema in document["unseen_schemas"]:
        asked = f"{count(schema['tasks'], 'question')} of {count(schema['templates'], 'query shape')}"
        rates = [
            [
                one["checkpoint"],
                percent(one["pass@1"]["value"], 1),
                rate_span(one["pass@1"]),
                *(percent(one[rate]["value"], 1) for rate in ("pass@k", "pass^k", "executes")),
            ]
            for one in schema["checkpoints"]
        ]
        header = ["Stage", "pass@1", "interval", f"pass@{k}", f"pass^{k}", "executes"]
        blocks += [
            f"## {schema['database']}, a schema it never saw",
            f"{asked}; none was trained on.",
            table(header, rates),
        ]
        blocks += [_comparisons(schema["comparisons"])] if schema["comparisons"] else []
    return blocks


def _breakdowns(document: Mapping[str, Any]) -> list[str]:
    names = [one["checkpoint"] for one in document["checkpoints"]]
    blocks = ["## By kind of question"]
    for dimension in SHOWN:
        groups = document["breakdowns"][dimension]
        if len(groups) < 2 and dimension not in ("difficulty", "archetype"):
            continue
        rows = [
            [
                group["group"],
                f"{group['tasks']} (few)" if group["small"] else str(group["tasks"]),
                *(percent(group["pass@1"][name]) for name in names),
                f"{points(group['difference'], 0)} ({span(group['interval'], 0)}){_mark(group)}",
            ]
            for group in groups
        ]
        blocks.append(table([dimension, "questions", *names, "difference"], rows))
    told = (
        "\\* moved, also when all groups of its table are taken together (Holm); ‡ alone, not among so many."
    )
    return [*blocks, told] if document["headline"]["comparison"] else blocks


def _mark(group: Mapping[str, Any]) -> str:
    if group["holds"]:
        return " \\*"
    return " ‡" if group["alone"] else ""


def _errors(checkpoints: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        [
            one["checkpoint"],
            *(percent(one["errors"]["shares"][kind], 1) for kind in KINDS),
            percent(one["luck"]["share"], 1),
        ]
        for one in checkpoints
    ]
    return table(["Stage", *KINDS, "luck rate"], rows)


def _power(document: Mapping[str, Any]) -> str:
    found = document["power"]["comparisons"]
    if not found:
        return "No question changed: nothing can be foreseen from this."
    rows = [
        [
            name.replace("-vs-", " against "),
            f"{100 * one['smallest_provable_gain']:.1f} points",
            *(f"{needed:,}" for needed in one["tasks_needed"].values()),
        ]
        for name, one in found.items()
    ]
    gains = [f"for {100 * float(gain):g} points" for gain in next(iter(found.values()))["tasks_needed"]]
    return table(["Comparison", "smallest provable gain", *gains], rows)


def _parity(document: Mapping[str, Any]) -> list[str]:
    arms, proofs = ablation_stages(document), document["parity"]
    if not proofs:
        return []
    rows = [
        [proof["checkpoint"], check["name"], check["state"], check["found"]]
        for proof in proofs
        if proof["checkpoint"] not in arms
        for check in proof["checks"]
    ]
    lines = [proof_line(proof) for proof in proofs if proof["checkpoint"] in arms]
    rows += [[line["checkpoint"], "all", line["result"], line["found"]] for line in lines]
    return ["## Is what was scored what was trained?", table(["Stage", "check", "result", "found"], rows)]


def _prompts(document: Mapping[str, Any]) -> list[str]:
    lines = [f"- {one['sentence']}" for one in document["prompts"]]
    return ["## What prompts show", "\n".join(lines)] if lines else []


def _costs(costs: Mapping[str, Any]) -> str:
    paid, with_gpus = costs["total"].get("money") is not None, costs["total"]["gpu_hours"] > 0
    rows = [
        [
            one.get("checkpoint", "all"),
            one.get("step", ""),
            str(one["jobs"]),
            duration(one["seconds"]),
            *([f"{one['gpu_hours']:.2f}"] if with_gpus else []),
            f"{one['samples']:,}",
            f"{one['tokens']:,}",
            *([dollars(one["money"])] if paid else []),
        ]
        for one in [*costs["steps"], costs["total"]]
    ]
    header = [
        "Stage",
        "step",
        "jobs",
        "wall time",
        *(["GPU-hours"] if with_gpus else []),
        "samples",
        "tokens",
    ]
    header += ["money"] if paid else []
    machines = f"\n\nOn {'; '.join(costs['machines'])}." if costs["machines"] else ""
    return table(header, rows) + machines
